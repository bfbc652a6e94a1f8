//! The parts of a program around its functions: records, variables at file scope, and the checksum at the end.

use super::Generator;
use super::feature::Feature;
use super::types::{Dimensions, Field, Kind, Record, Scalar};

impl Generator<'_> {
    /// Writes the whole program.
    pub(super) fn program(&mut self) {
        // Declarations, the checksum and closing braces make up the rest.
        let size = (self.options.size * 7 / 10).max(1);
        self.text.push("int printf(const char *, ...);\n\n");
        self.all_records(size);
        self.text.push("static unsigned long ");
        self.checksum_name();
        self.text.push(" = 0UL;\n");
        if self.has(Feature::Globals) {
            let most = (size / 10).clamp(1, 14);
            for _ in 0..self.random.between(1, most) {
                self.declare_global();
            }
        }
        self.global_count = self.variables.len();
        self.text.push("\n");
        if self.has(Feature::OutParameters) && self.random.percent(70) {
            for _ in 0..self.random.between(1, (size / 40).clamp(1, 3)) {
                self.getter();
            }
        }
        let mut left = size;
        if self.has(Feature::Functions) {
            let most = (size / 20).clamp(1, 12);
            let functions = self.random.between(usize::from(size >= 20), most);
            for _ in 0..functions {
                let part = self.random.between(1, (size / (functions + 1)).max(2) * 3 / 2);
                self.function(part.min(left));
                left = left.saturating_sub(part).max(2);
            }
        }
        self.main_function(left);
        self.declare_inputs();
    }

    fn all_records(&mut self, size: usize) {
        let most = (size / 20).clamp(1, 4);
        if self.has(Feature::Structures) {
            for _ in 0..self.random.between(1, most) {
                if self.has(Feature::Unions) && self.random.percent(30) {
                    self.union();
                } else {
                    self.structure();
                }
            }
        } else if self.has(Feature::Unions) {
            self.union();
        }
    }

    fn open_record(&mut self, is_union: bool) -> usize {
        let first_field = self.fields.len();
        self.records.push(Record { is_union, first_field, field_count: 0, has_real: false });
        let record = self.records.len() - 1;
        self.record_name(record);
        self.text.open();
        record
    }

    fn close_record(&mut self, record: usize) {
        self.text.close();
        self.text.push(";\n\n");
        self.records[record].field_count = self.fields.len() - self.records[record].first_field;
    }

    fn structure(&mut self) {
        let record = self.open_record(false);
        let count = 1 + self.random.below((self.options.size / 10).clamp(2, 5));
        for number in 0..count {
            // The first field is an integer, so every record has one.
            let field = if number == 0 { self.integer_field() } else { self.draw_field(record) };
            let has_real = match field.kind {
                Kind::Scalar(scalar) => scalar.is_real(),
                Kind::Record(inner) => self.records[inner].has_real,
                Kind::Pointer { .. } => false,
            };
            self.records[record].has_real |= has_real;
            self.field(number, field);
        }
        self.close_record(record);
    }

    fn integer_field(&mut self) -> Field {
        let kind = Kind::Scalar(self.integer_type());
        Field { kind, dimensions: Dimensions::default(), width: 0 }
    }

    fn draw_field(&mut self, record: usize) -> Field {
        let mut field = self.integer_field();
        match self.random.below(10) {
            0..3 if self.has(Feature::BitFields) => {
                let is_unsigned = self.has(Feature::Unsigned) && self.random.coin();
                field.kind = Kind::Scalar(if is_unsigned { Scalar::UnsignedInt } else { Scalar::Int });
                field.width = 2 + self.random.below(29) as u8;
            }
            3 | 4 if self.has(Feature::NestedStructures) && record > 0 => {
                field.kind = Kind::Record(self.random.below(record));
            }
            5 | 6 if self.has(Feature::Arrays) => {
                field.dimensions = Dimensions([[2, 3, 4, 8][self.random.below(4)], 0, 0]);
            }
            7 | 8 => field.kind = Kind::Scalar(self.arithmetic_type()),
            _ => {}
        }
        field
    }

    fn field(&mut self, number: usize, field: Field) {
        self.text.line();
        // Whether a plain `int` bit-field is signed is implementation-defined.
        if field.width > 0 && field.kind == Kind::Scalar(Scalar::Int) {
            self.text.push("signed ");
        }
        self.kind_text(field.kind);
        self.field_name(number);
        self.dimensions_text(field.dimensions);
        if field.width > 0 {
            self.text.push(" : ");
            self.text.number(u128::from(field.width));
        }
        self.text.end_statement();
        self.fields.push(field);
    }

    /// A union of integers of the same size. Every member can be read, whichever was written.
    fn union(&mut self) {
        let record = self.open_record(true);
        let is_long = self.has(Feature::LongIntegers) && self.random.coin();
        let count = 2 + self.random.below(2);
        for number in 0..count {
            let field = self.union_field(is_long, number);
            self.field(number, field);
        }
        self.close_record(record);
    }

    fn union_field(&mut self, is_long: bool, number: usize) -> Field {
        let whole = if is_long { Scalar::Long } else { Scalar::Int };
        let (scalar, length) = match self.random.below(5) {
            0 | 1 if number > 0 && self.has(Feature::Unsigned) => (whole.unsigned(), 0),
            2 if number > 0 && self.has(Feature::Arrays) && self.has(Feature::SmallIntegers) => {
                (Scalar::SignedChar, whole.bits() / 8)
            }
            3 if number > 0 && self.has(Feature::Arrays) && self.has(Feature::SmallIntegers) => {
                (Scalar::Short, whole.bits() / 16)
            }
            _ => (whole, 0),
        };
        let dimensions = Dimensions([length as u8, 0, 0]);
        Field { kind: Kind::Scalar(scalar), dimensions, width: 0 }
    }

    /// Adds every variable that is visible at the end of `main` to the checksum.
    pub(super) fn mix_everything(&mut self) {
        for index in 0..self.variables.len() {
            let variable = self.variables[index];
            if !variable.is_initialized {
                continue;
            }
            let path = self.text.end();
            self.name(index);
            self.mix_place(path, variable.kind, variable.dimensions, variable.is_nullable, 0);
        }
    }

    /// Replaces the path at the end of the text by statements that add its value. Records nest a few times at most.
    fn mix_place(
        &mut self,
        path: usize,
        kind: Kind,
        dimensions: Dimensions,
        is_nullable: bool,
        loops: usize,
    ) {
        let mut name = self.text.buffer[path..].to_owned();
        self.text.truncate(path);
        let count = dimensions.count();
        for (number, length) in dimensions.lengths().enumerate() {
            let index = loops + number;
            self.mix_loop(index, length);
            name.push_str(INDEX_TEXTS[index.min(INDEX_TEXTS.len() - 1)]);
        }
        self.mix_single(&name, kind, is_nullable, loops + count);
        for _ in 0..count {
            self.text.close_line();
        }
    }

    fn mix_loop(&mut self, index: usize, length: u8) {
        let name = INDEX_NAMES[index.min(INDEX_NAMES.len() - 1)];
        self.text.line();
        self.text.push("for (int ");
        self.text.push(name);
        self.text.push(" = 0; ");
        self.text.push(name);
        self.text.push(" < ");
        self.text.number(u128::from(length));
        self.text.push("; ");
        self.text.push(name);
        self.text.push("++)");
        self.text.open();
    }

    fn mix_single(&mut self, name: &str, kind: Kind, is_nullable: bool, loops: usize) {
        match kind {
            Kind::Scalar(scalar) => {
                self.mix_start();
                if scalar.is_real() {
                    self.text.push("(long)(");
                    self.text.push(name);
                    self.text.push(" * 8.0)");
                } else {
                    self.text.push(name);
                }
                self.text.end_statement();
            }
            Kind::Record(record) => self.mix_record(name, record, loops),
            Kind::Pointer { .. } if is_nullable => {
                self.mix_start();
                self.text.push("(");
                self.text.push(name);
                self.text.push(" != 0)");
                self.text.end_statement();
            }
            // The target of a pointer is added under its own name.
            Kind::Pointer { .. } => {}
        }
    }

    fn mix_record(&mut self, name: &str, record: usize, loops: usize) {
        let info = self.records[record];
        for number in 0..info.field_count {
            let field = self.fields[info.first_field + number];
            let path = self.text.end();
            self.text.push(name);
            self.text.push(".");
            self.field_name(number);
            self.mix_place(path, field.kind, field.dimensions, false, loops);
        }
    }
}

/// The variables of the loops that add up arrays. A record in an array of three dimensions may hold arrays of records
/// that hold arrays.
const INDEX_NAMES: [&str; 10] = [
    "index_0", "index_1", "index_2", "index_3", "index_4", "index_5", "index_6", "index_7", "index_8",
    "index_9",
];
const INDEX_TEXTS: [&str; 10] = [
    "[index_0]",
    "[index_1]",
    "[index_2]",
    "[index_3]",
    "[index_4]",
    "[index_5]",
    "[index_6]",
    "[index_7]",
    "[index_8]",
    "[index_9]",
];
