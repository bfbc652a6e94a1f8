//! Sizes, alignments and the layout of structures and unions, as gcc lays them out on x86.

use crate::types::{ArrayLength, DataModel, IntegerKind, Member, RealKind, RecordId, Type, TypeKind, Types};

/// The facts that decide where a member is placed.
struct Placement {
    /// The size of the member's type in bits.
    size: u64,
    /// The alignment in bits.
    alignment: u64,
    /// The alignment in bits that the member contributes to its record. A packed bit-field counts under `#pragma
    /// pack`.
    share: u64,
    /// The alignment in bits that an attribute demands, or 0.
    demanded: u64,
    /// Whether a bit-field may span more units of its alignment than its type has.
    may_cross: bool,
}

impl Types {
    /// The size of a type in bytes, if it is complete and constant. As in GNU C, `void` and functions have size 1.
    pub fn size(&self, r#type: Type) -> Option<u64> {
        let mut count = 1u64;
        let mut current = r#type;
        while let TypeKind::Array { element, length } = self.kind(current) {
            match length {
                ArrayLength::Known(length) => count = count.checked_mul(length)?,
                _ => return None,
            }
            current = element;
        }
        count.checked_mul(self.size_of_element(current)?)
    }

    fn size_of_element(&self, r#type: Type) -> Option<u64> {
        Some(match self.kind(r#type) {
            TypeKind::Void | TypeKind::Function { .. } | TypeKind::Bool => 1,
            TypeKind::Integer(kind) => self.integer_size(kind),
            TypeKind::Real(kind) => self.real_size(kind),
            TypeKind::Complex(part) => 2 * self.size_of_element(part)?,
            TypeKind::Pointer(_) | TypeKind::NullPointer => self.pointer_size(),
            TypeKind::Enumeration(id) => self.size_of_element(self.enumerations[id].underlying?)?,
            TypeKind::Record(id) => {
                let record = &self.records[id];
                return if record.complete { record.size } else { None };
            }
            TypeKind::Vector { element, lanes } => {
                self.size_of_element(element)?.checked_mul(u64::from(lanes))?
            }
            TypeKind::Array { .. } => return None,
        })
    }

    fn pointer_size(&self) -> u64 {
        match self.data_model {
            DataModel::Lp64 => 8,
            DataModel::Ilp32 => 4,
        }
    }

    pub(crate) fn integer_size(&self, kind: IntegerKind) -> u64 {
        use IntegerKind as I;
        match kind {
            I::Char | I::SignedChar | I::UnsignedChar => 1,
            I::Short | I::UnsignedShort => 2,
            I::Int | I::UnsignedInt => 4,
            I::Long | I::UnsignedLong => self.pointer_size(),
            I::LongLong | I::UnsignedLongLong => 8,
            I::Int128 | I::UnsignedInt128 => 16,
        }
    }

    fn real_size(&self, kind: RealKind) -> u64 {
        use RealKind as R;
        match kind {
            R::Float16 => 2,
            R::Float | R::Float32 | R::Decimal32 => 4,
            R::Double | R::Float64 | R::Float32x | R::Decimal64 => 8,
            R::LongDouble | R::Float64x if self.data_model == DataModel::Ilp32 => 12,
            R::LongDouble | R::Float64x | R::Float128 | R::Decimal128 => 16,
        }
    }

    /// The alignment of a type in bytes, as `__alignof__` gives it; 1 for incomplete types.
    pub fn alignment(&self, r#type: Type) -> u64 {
        let mut current = r#type;
        loop {
            let entry = self.entries[current.index()];
            if entry.aligned != 0 {
                return u64::from(entry.aligned);
            }
            match entry.kind {
                TypeKind::Array { element, .. } => current = element,
                kind => return self.natural_alignment(kind),
            }
        }
    }

    fn natural_alignment(&self, kind: TypeKind) -> u64 {
        match kind {
            TypeKind::Real(RealKind::LongDouble | RealKind::Float64x)
                if self.data_model == DataModel::Ilp32 =>
            {
                4
            }
            TypeKind::Complex(part) => self.natural_alignment(self.kind(part)),
            TypeKind::Record(id) => self.records[id].alignment,
            TypeKind::Enumeration(id) => {
                self.enumerations[id].underlying.map_or(1, |inner| self.alignment(inner))
            }
            TypeKind::Integer(kind) => self.integer_size(kind),
            TypeKind::Real(kind) => self.real_size(kind),
            TypeKind::Pointer(_) | TypeKind::NullPointer => self.pointer_size(),
            TypeKind::Vector { element, lanes } => {
                (self.size_of_element(element).unwrap_or(1) * u64::from(lanes)).max(1).next_power_of_two()
            }
            TypeKind::Void | TypeKind::Bool | TypeKind::Function { .. } | TypeKind::Array { .. } => 1,
        }
    }

    /// The alignment of a member of the type, as `_Alignof` gives it: 32-bit x86 aligns 8-byte types to 4 there.
    pub fn member_alignment(&self, r#type: Type) -> u64 {
        let natural = self.alignment(r#type);
        if self.data_model == DataModel::Lp64 {
            return natural;
        }
        let mut current = r#type;
        loop {
            let entry = self.entries[current.index()];
            if entry.aligned != 0 {
                return natural;
            }
            match entry.kind {
                TypeKind::Array { element, .. } => current = element,
                TypeKind::Complex(part) => current = part,
                TypeKind::Integer(_)
                | TypeKind::Enumeration(_)
                | TypeKind::Real(RealKind::Double | RealKind::Float64 | RealKind::Float32x) => {
                    return natural.min(4);
                }
                _ => return natural,
            }
        }
    }

    /// Completes a record: places its members and computes its size and alignment. `aligned` is what an attribute
    /// demands of the whole, or 0; `pack` is the limit of `#pragma pack`, or 0.
    pub(crate) fn lay_out(&mut self, id: RecordId, mut members: Vec<Member>, aligned: u64, pack: u64) {
        let (is_union, packed) = (self.records[id].is_union, self.records[id].packed);
        let mut end = Some(0u64);
        let mut alignment = aligned.max(1) * 8;
        let mut size = Some(0u64);
        for member in &mut members {
            let placement = self.placement(member, packed, pack);
            if member.name.is_some() || member.width.is_none() {
                alignment = alignment.max(placement.as_ref().map_or(8, |placement| placement.share));
            }
            let start = if is_union { Some(0) } else { end };
            let (Some(placement), Some(start)) = (placement, start) else {
                size = None;
                end = None;
                continue;
            };
            let (offset, bits) = place(member, start, &placement);
            member.offset = offset;
            end = offset.checked_add(bits);
            size = size.zip(end).map(|(size, end)| size.max(end));
        }
        let weights = members.iter().map(|member| self.weight(member.r#type));
        let weight = weights.fold(1, u32::saturating_add);
        let record = &mut self.records[id];
        record.members = members;
        record.weight = weight;
        record.complete = true;
        record.alignment = alignment / 8;
        record.size = size.and_then(|bits| bits.checked_next_multiple_of(alignment)).map(|bits| bits / 8);
    }

    /// The size and alignment of a member; none if its size is not constant.
    fn placement(&self, member: &Member, packed: bool, pack: u64) -> Option<Placement> {
        let is_flexible =
            matches!(self.kind(member.r#type), TypeKind::Array { length: ArrayLength::Unknown, .. });
        let size = match self.size(member.r#type) {
            Some(size) => size,
            None if is_flexible => 0,
            None => return None,
        };
        let is_packed = packed || member.packed;
        let limit = if pack == 0 { u64::MAX } else { pack };
        // An unnamed bit-field of width 0 ends at a boundary of its type, packed or not.
        let is_boundary = member.width == Some(0);
        let limit = if is_boundary { u64::MAX } else { limit };
        let ignores_type = is_packed && !is_boundary;
        let natural = if ignores_type { 1 } else { self.member_alignment(member.r#type) };
        let is_bit_field = member.width.is_some();
        let shared = if is_bit_field && pack != 0 { self.member_alignment(member.r#type) } else { natural };
        Some(Placement {
            size: size.checked_mul(8)?,
            alignment: natural.max(member.aligned).min(limit) * 8,
            share: shared.max(member.aligned).min(limit) * 8,
            demanded: member.aligned.min(limit) * 8,
            may_cross: is_packed || pack != 0,
        })
    }
}

/// Where a member begins and how many bits it takes, if the ones before it end at `start`.
fn place(member: &Member, start: u64, placement: &Placement) -> (u64, u64) {
    let Placement { size, alignment, demanded, may_cross, .. } = *placement;
    match member.width {
        None => (start.next_multiple_of(alignment), size),
        Some(0) => (start.next_multiple_of(alignment), 0),
        Some(width) => {
            let width = u64::from(width);
            let start = if demanded > 0 { start.next_multiple_of(demanded) } else { start };
            let touched = (start % alignment + width).div_ceil(alignment);
            let crosses = !may_cross && touched > size / alignment;
            (if crosses { start.next_multiple_of(alignment) } else { start }, width)
        }
    }
}
