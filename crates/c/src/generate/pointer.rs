//! Pointers: their targets and their assignments. A pointer never outlives its target.

use super::Generator;
use super::feature::Feature;
use super::lvalue::Access;
use super::scope::Variable;
use super::types::{Base, Kind};

/// How often a random variable is drawn before the search for a target is given up.
const TRIES: usize = 12;

impl Generator<'_> {
    /// The base and depth of a pointer that could point to something visible.
    pub(super) fn pick_target(&mut self) -> Option<(Base, u8)> {
        for _ in 0..TRIES {
            let index = self.pick_variable()?;
            let variable = &self.variables[index];
            if !variable.is_addressable {
                continue;
            }
            match variable.kind {
                Kind::Scalar(scalar) => return Some((Base::Scalar(scalar), 1)),
                Kind::Record(record) => return Some((Base::Record(record), 1)),
                Kind::Pointer { base, depth } if usize::from(depth) < self.options.pointer_depth => {
                    return Some((base, depth + 1));
                }
                Kind::Pointer { .. } => {}
            }
        }
        None
    }

    /// Writes the address of an object that lives at least as long as blocks of this level. The address is not null.
    pub(super) fn address(&mut self, base: Base, depth: u8, level: u16) -> bool {
        for _ in 0..TRIES {
            let Some(index) = self.pick_variable() else { return false };
            let variable = self.variables[index];
            if variable.level > level || !variable.is_initialized {
                continue;
            }
            if self.address_in(index, variable, base, depth) {
                return true;
            }
        }
        false
    }

    fn address_in(&mut self, index: usize, variable: Variable, base: Base, depth: u8) -> bool {
        let dimensions = variable.dimensions;
        match variable.kind {
            Kind::Pointer { base: own, depth: own_depth } if own == base => {
                if own_depth == depth && !variable.is_nullable {
                    self.read_name(index);
                    self.indices(dimensions);
                    return true;
                }
                own_depth + 1 == depth && self.address_of(index, variable)
            }
            kind if depth == 1 && kind == base.kind() => {
                if dimensions.count() == 1 && variable.is_addressable && self.random.percent(30) {
                    self.read_name(index);
                    return true;
                }
                self.address_of(index, variable)
            }
            Kind::Record(record) if depth == 1 => self.address_of_field(index, variable, record, base),
            _ => false,
        }
    }

    /// Writes a pointer of this type, null or not.
    pub(super) fn pointer_named(&mut self, base: Base, depth: u8) -> bool {
        for _ in 0..TRIES {
            let Some(index) = self.pick_variable() else { return false };
            let variable = self.variables[index];
            if variable.is_initialized && variable.kind == (Kind::Pointer { base, depth }) {
                self.read_name(index);
                self.indices(variable.dimensions);
                return true;
            }
        }
        false
    }

    /// Writes the address of the first element of an array of this base.
    pub(super) fn first_element(&mut self, base: Base) -> bool {
        for _ in 0..TRIES {
            let Some(index) = self.pick_variable() else { return false };
            let variable = self.variables[index];
            let is_array = variable.dimensions.count() == 1 && variable.is_addressable;
            if is_array && variable.is_initialized && variable.kind == base.kind() {
                self.text.push("&");
                self.read_name(index);
                self.text.push("[0]");
                return true;
            }
        }
        false
    }

    fn address_of(&mut self, index: usize, variable: Variable) -> bool {
        if !variable.is_addressable {
            return false;
        }
        self.text.push("&");
        self.read_name(index);
        self.indices(variable.dimensions);
        true
    }

    fn address_of_field(&mut self, index: usize, variable: Variable, record: usize, base: Base) -> bool {
        let info = self.records[record];
        // A pointer to a member of a union would hide from compilers that other members share its bytes.
        if !variable.is_addressable || info.is_union {
            return false;
        }
        for number in 0..info.field_count {
            let field = self.fields[info.first_field + number];
            if field.kind == base.kind() && field.width == 0 {
                self.text.push("&");
                self.read_name(index);
                self.indices(variable.dimensions);
                self.text.push(".");
                self.field_name(number);
                self.indices(field.dimensions);
                return true;
            }
        }
        false
    }

    /// A statement that changes a pointer.
    pub(super) fn assign_pointer(&mut self) -> bool {
        let Some(index) = self.pick_variable() else { return false };
        let variable = self.variables[index];
        let Kind::Pointer { base, depth } = variable.kind else { return false };
        if !variable.is_initialized {
            return false;
        }
        self.begin_pure_expression();
        let start = self.text.end();
        self.text.line();
        // The target of a pointer to a pointer may be of any level, so it gets the longest-lived address.
        if depth > 1 && !variable.is_nullable && self.random.coin() {
            self.text.push("*");
            self.read_name(index);
            self.indices(variable.dimensions);
            self.text.push(" = ");
            return self.finish_pointer(start, base, depth - 1, 0);
        }
        if !variable.is_writable() {
            self.text.truncate(start);
            return false;
        }
        self.read_name(index);
        self.indices(variable.dimensions);
        self.text.push(" = ");
        if variable.is_nullable && self.random.percent(25) {
            self.text.push("0");
            self.text.end_statement();
            return true;
        }
        if depth == 1 && self.random.percent(30) && self.call_pointer(index, base, variable.is_nullable) {
            self.text.end_statement();
            return true;
        }
        let value_start = self.text.end();
        let is_done = self.finish_pointer(start, base, depth, variable.level);
        // Assigning the same pointer again is no change.
        let (name, value) = self.text.buffer[start..].split_at(value_start.min(self.text.end()) - start);
        if is_done && name.trim().trim_end_matches(" =") == value.trim_end_matches(";\n") {
            self.text.truncate(start);
            return false;
        }
        is_done
    }

    fn finish_pointer(&mut self, start: usize, base: Base, depth: u8, level: u16) -> bool {
        if !self.address(base, depth, level) {
            self.text.truncate(start);
            return false;
        }
        self.text.end_statement();
        true
    }

    /// A pointer variable that may be null and whose test holds until it is written by name.
    pub(super) fn pick_nullable(&mut self) -> Option<usize> {
        for _ in 0..TRIES {
            let index = self.pick_variable()?;
            let variable = &self.variables[index];
            if variable.is_nullable && variable.keeps_tested_value() && variable.is_initialized {
                return Some(index);
            }
        }
        None
    }

    /// Writes a record of this type: a variable, an element, or the target of a pointer.
    pub(super) fn record_lvalue(&mut self, record: usize, access: Access) -> bool {
        for _ in 0..TRIES {
            let Some(index) = self.pick_variable() else { return false };
            let variable = self.variables[index];
            if !variable.is_initialized || self.full.private_only && !variable.is_private {
                continue;
            }
            match variable.kind {
                Kind::Record(own) if own == record => {
                    if access == Access::Write && !variable.is_writable() {
                        continue;
                    }
                    self.read_name(index);
                    self.indices(variable.dimensions);
                    return true;
                }
                Kind::Pointer { base: Base::Record(own), depth } if own == record => {
                    let may_read = access == Access::Write || !self.full.private_only;
                    if variable.is_nullable || !may_read {
                        continue;
                    }
                    let start = self.text.end();
                    self.read_name(index);
                    self.indices(variable.dimensions);
                    for _ in 0..depth {
                        self.text.insert(start, "*");
                    }
                    return true;
                }
                _ => {}
            }
        }
        false
    }

    /// Whether pointers that may be null are wanted.
    pub(super) fn has_null(&self) -> bool {
        self.has(Feature::Pointers) && self.has(Feature::NullPointers)
    }
}
