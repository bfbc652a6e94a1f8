//! Which types an object may be accessed with, and which of its bytes are padding.

use crate::types::{Type, TypeKind, Types};
use std::collections::BTreeMap;

/// The size of the largest scalar, which bounds how far back an overlapping value may begin.
const LARGEST: i64 = 16;

/// Whether an object of the declared type has a part of another type at an offset.
pub(super) fn fits(types: &Types, declared: Type, offset: u64, wanted: Type) -> bool {
    if is_character(types, wanted) || is_same(types, declared, wanted) && offset == 0 {
        return true;
    }
    match types.kind(declared) {
        TypeKind::Array { element, .. } => match types.size(element) {
            Some(size) if size > 0 => fits(types, element, offset % size, wanted),
            _ => false,
        },
        TypeKind::Record(record) => types.records[record].members.iter().any(|member| {
            let start = member.offset / 8;
            let size = types.size(member.r#type).unwrap_or(u64::MAX);
            let is_inside = offset >= start && offset - start < size;
            is_inside && member.width.is_none() && fits(types, member.r#type, offset - start, wanted)
        }),
        _ => false,
    }
}

/// Whether the values stored in an object allow to read one of this type.
pub(super) fn stored_fits(types: &Types, stored: &BTreeMap<i64, Type>, offset: i64, wanted: Type) -> bool {
    if is_character(types, wanted) || matches!(types.kind(wanted), TypeKind::Record(_)) {
        return true;
    }
    let end = offset + types.size(wanted).unwrap_or(0) as i64;
    let mut overlapping = stored
        .range(offset - LARGEST..end)
        .filter(|(start, r#type)| **start + types.size(**r#type).unwrap_or(0) as i64 > offset);
    match (overlapping.next(), overlapping.next()) {
        (None, _) => true,
        (Some((start, r#type)), None) => *start == offset && is_same(types, *r#type, wanted),
        (Some(_), Some(_)) => false,
    }
}

/// Records that a value of this type is stored. Storing a character does not change the type of an object.
pub(super) fn record(types: &Types, stored: &mut BTreeMap<i64, Type>, offset: i64, r#type: Type) {
    if is_character(types, r#type) {
        return;
    }
    clear(types, stored, offset, types.size(r#type).unwrap_or(0) as i64);
    stored.insert(offset, r#type);
}

/// Forgets the values that overlap a range.
pub(super) fn clear(types: &Types, stored: &mut BTreeMap<i64, Type>, offset: i64, size: i64) {
    let overlaps = |start: i64, r#type: Type| start + types.size(r#type).unwrap_or(0) as i64 > offset;
    let range = stored.range(offset - LARGEST..offset + size);
    let starts: Vec<i64> =
        range.filter(|(start, r#type)| overlaps(**start, **r#type)).map(|(start, _)| *start).collect();
    for start in starts {
        stored.remove(&start);
    }
}

fn is_character(types: &Types, r#type: Type) -> bool {
    types.kind(r#type) != TypeKind::Bool && types.integer_bits(r#type) == Some(8)
}

/// Whether two types are the same for an access: apart from qualifiers and signs, and all pointers are alike.
fn is_same(types: &Types, left: Type, right: Type) -> bool {
    match (types.integer_kind(left), types.integer_kind(right)) {
        (Some(left), Some(right)) => left.to_unsigned() == right.to_unsigned(),
        (None, None) => {
            let (left, right) = (types.kind(left), types.kind(right));
            let is_pointer = |kind| matches!(kind, TypeKind::Pointer(_) | TypeKind::NullPointer);
            left == right || is_pointer(left) && is_pointer(right)
        }
        _ => false,
    }
}

/// The bits of each byte that a value of the type uses; none if it uses all of them.
pub(super) fn padding(types: &Types, r#type: Type) -> Option<Vec<u8>> {
    if !has_record(types, r#type) {
        return None;
    }
    let mut mask = vec![0u8; usize::try_from(types.size(r#type)?).ok()?];
    mark(types, r#type, 0, &mut mask);
    mask.iter().any(|byte| *byte != 0xff).then_some(mask)
}

fn has_record(types: &Types, r#type: Type) -> bool {
    match types.kind(r#type) {
        TypeKind::Array { element, .. } => has_record(types, element),
        TypeKind::Record(_) => true,
        _ => false,
    }
}

/// Marks the bits of an object that begins at an offset, in bits. A union keeps all of its bits.
fn mark(types: &Types, r#type: Type, start: u64, mask: &mut [u8]) {
    match types.kind(r#type) {
        TypeKind::Record(record) if !types.records[record].is_union => {
            for member in &types.records[record].members {
                match member.width {
                    Some(width) => mark_bits(start + member.offset, u64::from(width), mask),
                    None => mark(types, member.r#type, start + member.offset, mask),
                }
            }
        }
        TypeKind::Array { element, .. } if has_record(types, element) => {
            let (size, whole) = (types.size(element).unwrap_or(0), types.size(r#type).unwrap_or(0));
            let count = whole.checked_div(size).unwrap_or(0);
            for index in 0..count {
                mark(types, element, start + index * size * 8, mask);
            }
        }
        _ => mark_bits(start, types.size(r#type).unwrap_or(0) * 8, mask),
    }
}

fn mark_bits(start: u64, count: u64, mask: &mut [u8]) {
    if start.is_multiple_of(8) && count.is_multiple_of(8) {
        let bytes = mask.iter_mut().skip((start / 8) as usize).take((count / 8) as usize);
        bytes.for_each(|byte| *byte = 0xff);
        return;
    }
    for bit in start..start + count {
        if let Some(byte) = mask.get_mut((bit / 8) as usize) {
            *byte |= 1 << (bit % 8);
        }
    }
}
