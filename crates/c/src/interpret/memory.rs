//! Memory: objects with bytes that know whether they have a value, and pointers that know their object.

use super::effective;
use super::stop::{Step, undefined, unsupported};
use super::value::{Address, Byte, Chunk, ObjectName, Pointer, Scalar, Tag, Value};
use crate::types::{Type, TypeKind, Types};
use std::collections::BTreeMap;

/// The most bytes that all objects together may have.
const MOST_BYTES: u64 = 64 << 20;
/// How many bytes are made, filled or copied in the time of one instruction.
const BYTES_PER_STEP: u64 = 64;
/// The buffer of an object that no longer exists is kept for the next one up to this size.
const KEPT_CAPACITY: usize = 4096;

/// The objects of the program.
#[derive(Default)]
pub(super) struct Memory {
    objects: Vec<Object>,
    /// The slots of objects that no longer exist.
    free: Vec<u32>,
    used: u64,
    /// Work on bytes that the machine has not counted yet.
    work: u64,
}

/// Why an object exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// It is declared, or a compound literal or a temporary object.
    Declared,
    /// It is a string literal.
    Literal,
    /// It was allocated.
    Heap,
}

/// An object.
struct Object {
    generation: u32,
    is_live: bool,
    origin: Origin,
    /// The declared type, if there is one. For an array of variable length, that of its elements.
    declared: Option<Type>,
    is_constant: bool,
    alignment: u64,
    bytes: Vec<Byte>,
    pointers: BTreeMap<i64, Pointer>,
    /// The types of the stored values, recorded where the declaration does not decide.
    effective: Option<BTreeMap<i64, Type>>,
}

/// How an expression accesses memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    /// The type of the value.
    pub r#type: Type,
    /// The first bit after the address, and the number of bits, of a bit-field.
    pub bits: Option<(u64, u32)>,
    /// Whether the access goes through a pointer, so that the type of the object may be another.
    pub is_checked: bool,
    /// The alignment that the address must have.
    pub alignment: u64,
}

/// What an object is made from.
pub(super) struct NewObject {
    pub size: u64,
    pub declared: Option<Type>,
    pub origin: Origin,
    pub is_constant: bool,
    pub alignment: u64,
}

impl Memory {
    /// Makes an object whose bytes have no values.
    pub(super) fn create(&mut self, types: &Types, new: &NewObject) -> Step<ObjectName> {
        if new.size > MOST_BYTES || self.used + new.size > MOST_BYTES {
            return unsupported(format!("more than {} MB of memory", MOST_BYTES >> 20));
        }
        self.used += new.size;
        self.charge(new.size);
        let records_types = new.declared.is_none_or(|declared| types.has_union(declared));
        let slot = match self.free.pop() {
            Some(slot) => slot,
            None => {
                self.objects.push(Object::none());
                (self.objects.len() - 1) as u32
            }
        };
        let object = &mut self.objects[slot as usize];
        object.is_live = true;
        object.origin = new.origin;
        object.declared = new.declared;
        object.is_constant = new.is_constant;
        object.alignment = new.alignment;
        object.bytes.clear();
        object.bytes.resize(new.size as usize, Byte::default());
        object.pointers.clear();
        object.effective = records_types.then(BTreeMap::new);
        Ok(ObjectName { slot, generation: object.generation })
    }

    /// Ends the lifetime of an object.
    pub(super) fn end(&mut self, name: ObjectName) {
        if let Some(object) = self.objects.get_mut(name.slot as usize)
            && object.generation == name.generation
            && object.is_live
        {
            self.used -= object.bytes.len() as u64;
            // Large buffers are given back: a slot that is used again may need little.
            if object.bytes.capacity() > KEPT_CAPACITY {
                object.bytes = Vec::new();
            }
            object.is_live = false;
            object.generation = object.generation.wrapping_add(1);
            self.free.push(name.slot);
        }
    }

    /// Counts work on `bytes` bytes, which takes longer than one instruction.
    fn charge(&mut self, bytes: u64) {
        self.work += bytes / BYTES_PER_STEP;
    }

    /// The work since the last call, in steps of the machine.
    pub(super) fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.work)
    }

    /// A pointer to the beginning of an object.
    pub(super) fn address(&self, name: ObjectName) -> Pointer {
        let high = self.objects[name.slot as usize].bytes.len() as i64;
        Pointer::Object(Address { object: name, offset: 0, low: 0, high })
    }

    /// Takes the values of all bytes of an object away.
    pub(super) fn forget(&mut self, name: ObjectName) {
        let object = &mut self.objects[name.slot as usize];
        object.bytes.fill(Byte::default());
        object.pointers.clear();
    }

    /// Sets all bytes of a new object to zero, padding included.
    pub(super) fn zero_all(&mut self, name: ObjectName) {
        self.objects[name.slot as usize].bytes.fill(Byte { value: 0, known: 0xff, tag: Tag::Plain });
    }

    fn object(&self, name: ObjectName) -> Step<&Object> {
        match self.objects.get(name.slot as usize) {
            Some(object) if object.generation == name.generation && object.is_live => Ok(object),
            _ => undefined("a pointer is used whose object no longer exists"),
        }
    }

    /// Checks that the object of a pointer exists.
    pub(super) fn require_live(&self, pointer: Pointer) -> Step<()> {
        match pointer {
            Pointer::Object(address) => self.object(address.object).map(|_| ()),
            Pointer::Null | Pointer::Function(_) => Ok(()),
        }
    }

    /// The size and origin of the object at a pointer to its beginning.
    pub(super) fn whole(&self, address: Address) -> Step<(usize, Origin)> {
        let object = self.object(address.object)?;
        if address.offset != 0 {
            return undefined("a pointer is freed that does not point to the beginning of an allocation");
        }
        Ok((object.bytes.len(), object.origin))
    }

    /// The place of an access, which must be inside of its object and aligned.
    pub(super) fn place(&self, pointer: Pointer, size: u64, alignment: u64) -> Step<Address> {
        let address = match pointer {
            Pointer::Object(address) => address,
            Pointer::Null => return undefined("a null pointer is dereferenced"),
            Pointer::Function(_) => return undefined("a function is accessed as an object"),
        };
        let object = self.object(address.object)?;
        let end = address.offset.saturating_add_unsigned(size);
        if address.offset < 0 || end > object.bytes.len() as i64 {
            return undefined("an access outside of its object");
        }
        if address.offset < address.low || end > address.high {
            return undefined("an access outside of the array or member that its pointer belongs to");
        }
        if !(address.offset as u64).is_multiple_of(alignment) {
            return undefined("an access through a misaligned pointer");
        }
        if object.alignment < alignment {
            return unsupported("an access whose alignment depends on where an object is placed");
        }
        Ok(address)
    }

    fn place_of(&self, types: &Types, pointer: Pointer, access: &Access) -> Step<Address> {
        let size = match access.bits {
            Some((start, width)) => (start + u64::from(width)).div_ceil(8),
            None => size_of(types, access.r#type)?,
        };
        let address = self.place(pointer, size, access.alignment)?;
        if access.is_checked && access.bits.is_none() {
            self.check_type(types, address, access.r#type)?;
        }
        Ok(address)
    }

    /// Checks that an object of this type is at an address.
    fn check_type(&self, types: &Types, address: Address, r#type: Type) -> Step<()> {
        let object = self.object(address.object)?;
        let fits = match &object.effective {
            Some(stored) => effective::stored_fits(types, stored, address.offset, r#type),
            None => object.declares(types, address.offset, r#type),
        };
        if fits { Ok(()) } else { unsupported("an object is accessed with another type than its own") }
    }

    /// Whether an object of this type is declared at an address, or could be in an allocation.
    pub(super) fn may_hold(&self, types: &Types, address: Address, r#type: Type) -> bool {
        match self.object(address.object) {
            Ok(object) => object.declares(types, address.offset, r#type),
            Err(_) => false,
        }
    }

    /// Reads a value.
    pub(super) fn load(&self, types: &Types, pointer: Pointer, access: &Access) -> Step<Value> {
        let address = self.place_of(types, pointer, access)?;
        if let Some((start, width)) = access.bits {
            return self.load_bits(types, address, access.r#type, start, width);
        }
        if matches!(types.kind(access.r#type), TypeKind::Record(_)) {
            let size = size_of(types, access.r#type)?;
            return Ok(Value::Aggregate(Box::new(self.copy_out(address, size)?)));
        }
        let scalar = Scalar::of(types, access.r#type)?;
        self.load_scalar(types, address, scalar, access.r#type)
    }

    fn load_scalar(&self, types: &Types, address: Address, scalar: Scalar, r#type: Type) -> Step<Value> {
        let start = address.offset as usize;
        let object = self.object(address.object)?;
        let bytes = &object.bytes[start..start + size_of(types, r#type)? as usize];
        if bytes.iter().any(|byte| byte.known != 0xff) {
            return undefined("a value is read that was never written");
        }
        let tag = bytes.first().map_or(Tag::Plain, |byte| byte.tag);
        if bytes.iter().any(|byte| byte.tag != tag) {
            return unsupported("parts of a pointer or of a value that is not a number are read");
        }
        match (scalar, tag) {
            (Scalar::Pointer, Tag::Pointer) => match object.pointers.get(&address.offset) {
                Some(pointer) => Ok(Value::Pointer(*pointer)),
                None => unsupported("parts of pointers are read as a pointer"),
            },
            (Scalar::Pointer, Tag::Plain) => match number(bytes) {
                0 => Ok(Value::Pointer(Pointer::Null)),
                _ => unsupported("the bytes of a number are read as a pointer"),
            },
            (Scalar::Integer(to), Tag::Plain) => integer_of_bits(types, number(bytes) as i128, to),
            (Scalar::Float, Tag::Plain | Tag::NotANumber) => {
                Ok(Value::Float(f32::from_bits(number(bytes) as u32)))
            }
            (Scalar::Double, Tag::Plain | Tag::NotANumber) => {
                Ok(Value::Double(f64::from_bits(number(bytes) as u64)))
            }
            (_, Tag::Pointer) => unsupported("the bytes of a pointer are read"),
            (_, Tag::NotANumber) => unsupported("the bits of a value are read that is not a number"),
        }
    }

    fn load_bits(
        &self,
        types: &Types,
        address: Address,
        r#type: Type,
        start: u64,
        width: u32,
    ) -> Step<Value> {
        let object = self.object(address.object)?;
        let mut bits = 0u128;
        for index in 0..u64::from(width) {
            let at = start + index;
            let byte = object.bytes[address.offset as usize + (at / 8) as usize];
            if byte.known >> (at % 8) & 1 == 0 {
                return undefined("a bit-field is read that was never written");
            }
            if byte.tag != Tag::Plain {
                return unsupported("the bytes of a pointer are read as a bit-field");
            }
            bits |= u128::from(byte.value >> (at % 8) & 1) << index;
        }
        let unused = 128 - width;
        let value = match types.is_signed(r#type) {
            true => (bits << unused) as i128 >> unused,
            false => bits as i128,
        };
        Ok(Value::Integer(value))
    }

    /// Writes a value and returns what is now stored, which differs for bit-fields.
    pub(super) fn store(
        &mut self,
        types: &Types,
        pointer: Pointer,
        access: &Access,
        value: Value,
    ) -> Step<Value> {
        self.require_writable(types, pointer)?;
        self.initialize(types, pointer, access, value)
    }

    fn require_writable(&self, types: &Types, pointer: Pointer) -> Step<()> {
        if let Pointer::Object(address) = pointer {
            let object = self.object(address.object)?;
            if object.origin == Origin::Literal {
                return undefined("a string literal is written");
            }
            if object.is_constant {
                return undefined("a constant object is written");
            }
            if object.declared.is_some_and(|declared| types.has_constant_member(declared)) {
                return unsupported("an object with constant members is written");
            }
        }
        Ok(())
    }

    /// Writes the first value of an object, which may be constant.
    pub(super) fn initialize(
        &mut self,
        types: &Types,
        pointer: Pointer,
        access: &Access,
        value: Value,
    ) -> Step<Value> {
        let address = self.place_for_writing(types, pointer, access)?;
        if let Some((start, width)) = access.bits {
            self.store_bits(address, start, width, value.integer()? as u128)?;
            return self.load_bits(types, address, access.r#type, start, width);
        }
        if let Value::Aggregate(chunk) = &value {
            self.copy_in(types, address, chunk)?;
            self.forget_padding(types, address, access.r#type)?;
            return Ok(value);
        }
        let scalar = Scalar::of(types, access.r#type)?;
        self.store_scalar(types, address, scalar, access.r#type, &value)?;
        Ok(value)
    }

    /// Where a value is written. Writing to an allocation gives it a type; the types of declared objects stay.
    fn place_for_writing(&self, types: &Types, pointer: Pointer, access: &Access) -> Step<Address> {
        let unchecked = Access { is_checked: false, ..*access };
        let address = self.place_of(types, pointer, &unchecked)?;
        let object = self.object(address.object)?;
        let is_checked = access.is_checked && access.bits.is_none();
        if is_checked && !object.declares(types, address.offset, access.r#type) {
            return unsupported("an object is written with another type than its own");
        }
        Ok(address)
    }

    fn store_scalar(
        &mut self,
        types: &Types,
        address: Address,
        scalar: Scalar,
        r#type: Type,
        value: &Value,
    ) -> Step<()> {
        let size = size_of(types, r#type)? as usize;
        let (bits, tag, pointer) = match (scalar, value) {
            (Scalar::Pointer, _) => match value.pointer()? {
                Pointer::Null => (0, Tag::Plain, None),
                pointer => (0, Tag::Pointer, Some(pointer)),
            },
            (Scalar::Float, Value::Float(value)) => {
                (u128::from(value.to_bits()), tag_of(value.is_nan()), None)
            }
            (Scalar::Float | Scalar::Double, _) => {
                let value = value.real()?;
                (u128::from(value.to_bits()), tag_of(value.is_nan()), None)
            }
            (Scalar::Integer(_), _) => (value.integer()? as u128, Tag::Plain, None),
        };
        self.break_pointers(address, size as i64)?;
        let object = self.object_mut(address)?;
        let start = address.offset as usize;
        for (index, byte) in object.bytes[start..start + size].iter_mut().enumerate() {
            *byte = Byte { value: (bits >> (8 * index)) as u8, known: 0xff, tag };
        }
        if let Some(pointer) = pointer {
            object.pointers.insert(address.offset, pointer);
        }
        if let Some(stored) = &mut object.effective {
            effective::record(types, stored, address.offset, r#type);
        }
        Ok(())
    }

    fn store_bits(&mut self, address: Address, start: u64, width: u32, bits: u128) -> Step<()> {
        let first = start / 8;
        let end = (start + u64::from(width)).div_ceil(8);
        let part = Address { offset: address.offset + first as i64, ..address };
        self.break_pointers(part, (end - first) as i64)?;
        let object = self.object_mut(address)?;
        for index in 0..u64::from(width) {
            let at = start + index;
            let byte = &mut object.bytes[address.offset as usize + (at / 8) as usize];
            let mask = 1u8 << (at % 8);
            byte.value = byte.value & !mask | if bits >> index & 1 == 1 { mask } else { 0 };
            byte.known |= mask;
            byte.tag = Tag::Plain;
        }
        Ok(())
    }

    fn object_mut(&mut self, address: Address) -> Step<&mut Object> {
        match self.objects.get_mut(address.object.slot as usize) {
            Some(object) if object.generation == address.object.generation && object.is_live => Ok(object),
            _ => undefined("a pointer is used whose object no longer exists"),
        }
    }

    /// Removes the pointers that are about to be overwritten, even in part.
    fn break_pointers(&mut self, address: Address, size: i64) -> Step<()> {
        let object = self.object_mut(address)?;
        if object.pointers.is_empty() {
            return Ok(());
        }
        let overlapping = address.offset - 15..address.offset + size;
        let starts: Vec<i64> = object.pointers.range(overlapping).map(|(start, _)| *start).collect();
        for start in starts {
            let tail = object.bytes[start as usize..].iter().take_while(|byte| byte.tag == Tag::Pointer);
            let next = object.pointers.range(start + 1..).next().map_or(i64::MAX, |(next, _)| *next);
            let end = (start + tail.count() as i64).min(next);
            // The bytes that stay keep their tag, without a pointer that they belong to.
            if end > address.offset {
                object.pointers.remove(&start);
            }
        }
        Ok(())
    }

    /// Copies bytes out of an object, whether or not they have values.
    pub(super) fn copy_out(&self, address: Address, size: u64) -> Step<Chunk> {
        let object = self.object(address.object)?;
        let start = address.offset;
        let end = start.saturating_add_unsigned(size);
        let bytes = object.bytes.get(start as usize..end as usize).unwrap_or_default().to_vec();
        let pointers = object.pointers.range(start..end).map(|(at, it)| (at - start, *it)).collect();
        let effective = object.effective.iter().flat_map(|stored| stored.range(start..end));
        let effective = effective.map(|(at, r#type)| (at - start, *r#type)).collect();
        Ok(Chunk { bytes, pointers, effective })
    }

    /// Copies bytes into an object.
    pub(super) fn copy_in(&mut self, types: &Types, address: Address, chunk: &Chunk) -> Step<()> {
        self.charge(chunk.bytes.len() as u64);
        self.break_pointers(address, chunk.bytes.len() as i64)?;
        let object = self.object_mut(address)?;
        let start = address.offset as usize;
        let Some(bytes) = object.bytes.get_mut(start..start + chunk.bytes.len()) else {
            return undefined("an access outside of its object");
        };
        bytes.copy_from_slice(&chunk.bytes);
        object.pointers.extend(chunk.pointers.iter().map(|(at, it)| (address.offset + at, *it)));
        if let Some(stored) = &mut object.effective {
            effective::clear(types, stored, address.offset, chunk.bytes.len() as i64);
            stored.extend(chunk.effective.iter().map(|(at, r#type)| (address.offset + at, *r#type)));
        }
        Ok(())
    }

    /// Sets bytes to a number, as `memset` does.
    pub(super) fn fill(&mut self, types: &Types, pointer: Pointer, size: u64, value: u8) -> Step<()> {
        self.charge(size);
        self.require_writable(types, pointer)?;
        let address = self.place(pointer, size, 1)?;
        self.break_pointers(address, size as i64)?;
        let object = self.object_mut(address)?;
        let start = address.offset as usize;
        object.bytes[start..start + size as usize].fill(Byte { value, known: 0xff, tag: Tag::Plain });
        Ok(())
    }

    /// Copies bytes from one place to another, as `memmove` does.
    pub(super) fn copy(&mut self, types: &Types, to: Pointer, from: Pointer, size: u64) -> Step<()> {
        let source = self.place(from, size, 1)?;
        self.require_writable(types, to)?;
        let target = self.place(to, size, 1)?;
        let chunk = self.copy_out(source, size)?;
        self.copy_in(types, target, &chunk)
    }

    /// One byte, as an `unsigned char`.
    pub(super) fn byte(&self, pointer: Pointer) -> Step<u8> {
        let address = self.place(pointer, 1, 1)?;
        let byte = self.object(address.object)?.bytes[address.offset as usize];
        if byte.known != 0xff {
            return undefined("a byte is read that was never written");
        }
        match byte.tag {
            Tag::Plain => Ok(byte.value),
            Tag::Pointer => unsupported("the bytes of a pointer are read"),
            Tag::NotANumber => unsupported("the bits of a value are read that is not a number"),
        }
    }

    /// Sets all members of an object to zero; padding has no value afterwards.
    pub(super) fn zero(&mut self, types: &Types, pointer: Pointer, r#type: Type) -> Step<()> {
        let size = size_of(types, r#type)?;
        self.charge(size);
        let address = self.place(pointer, size, 1)?;
        self.break_pointers(address, size as i64)?;
        let zero = Byte { value: 0, known: 0xff, tag: Tag::Plain };
        let object = self.object_mut(address)?;
        let start = address.offset as usize;
        object.bytes[start..start + size as usize].fill(zero);
        if let Some(stored) = &mut object.effective {
            effective::clear(types, stored, address.offset, size as i64);
        }
        self.forget_padding(types, address, r#type)
    }

    /// Takes the values of the bytes between the members of an object away.
    fn forget_padding(&mut self, types: &Types, address: Address, r#type: Type) -> Step<()> {
        let Some(mask) = effective::padding(types, r#type) else { return Ok(()) };
        let object = self.object_mut(address)?;
        let start = address.offset as usize;
        for (byte, used) in object.bytes[start..].iter_mut().zip(mask) {
            byte.known &= used;
        }
        Ok(())
    }
}

impl Object {
    /// Whether the declaration of the object has a part of this type at an offset. An array of variable length, and a
    /// string literal, is declared by its elements.
    fn declares(&self, types: &Types, offset: i64, r#type: Type) -> bool {
        let Some(declared) = self.declared else { return true };
        let size = types.size(declared).unwrap_or(0).max(1);
        u64::try_from(offset).is_ok_and(|offset| effective::fits(types, declared, offset % size, r#type))
    }

    fn none() -> Object {
        Object {
            generation: 0,
            is_live: false,
            origin: Origin::Declared,
            declared: None,
            is_constant: false,
            alignment: 1,
            bytes: Vec::new(),
            pointers: BTreeMap::new(),
            effective: None,
        }
    }
}

/// The size of a complete type.
pub(super) fn size_of(types: &Types, r#type: Type) -> Step<u64> {
    match types.size(r#type) {
        Some(size) => Ok(size),
        None => unsupported("the size of a type is not constant"),
    }
}

fn tag_of(is_nan: bool) -> Tag {
    if is_nan { Tag::NotANumber } else { Tag::Plain }
}

fn number(bytes: &[Byte]) -> u128 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u128::from(byte.value))
}

/// The integer that the bits of an object are.
fn integer_of_bits(types: &Types, bits: i128, r#type: Type) -> Step<Value> {
    if types.kind(r#type) == TypeKind::Bool && !(0..=1).contains(&bits) {
        return undefined("a _Bool is read whose bits are neither 0 nor 1");
    }
    match types.wrap(bits, r#type) {
        Some(value) => Ok(Value::Integer(value)),
        None => unsupported("an integer has an incomplete type"),
    }
}
