//! Files of juvenal's own that stand beside a C program when it is executed or analyzed.

use model::Hash;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The property of SV-COMP that the error function is not called.
const UNREACH_CALL: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";

/// The inputs of SV-COMP for KLEE, which does not know them. They are compiled apart from the program, whose own
/// declarations may spell the types otherwise.
const KLEE_INPUTS: &str = "\
void klee_make_symbolic(void *, __SIZE_TYPE__, const char *);
#define INPUT(type, name) type __VERIFIER_nondet_##name(void) \
{ type value; klee_make_symbolic(&value, sizeof value, #name); return value; }
INPUT(_Bool, bool)
INPUT(char, char)
INPUT(signed char, schar)
INPUT(unsigned char, uchar)
INPUT(unsigned char, unsigned_char)
INPUT(short, short)
INPUT(unsigned short, ushort)
INPUT(int, int)
INPUT(unsigned, uint)
INPUT(unsigned, unsigned)
INPUT(unsigned, unsigned_int)
INPUT(long, long)
INPUT(unsigned long, ulong)
INPUT(unsigned long, unsigned_long)
INPUT(long long, longlong)
INPUT(unsigned long long, ulonglong)
INPUT(__SIZE_TYPE__, size_t)
INPUT(long long, loff_t)
INPUT(unsigned long, sector_t)
INPUT(unsigned long, pthread_t)
INPUT(signed char, s8)
INPUT(short, s16)
INPUT(int, s32)
INPUT(long long, s64)
INPUT(unsigned char, u8)
INPUT(unsigned short, u16)
INPUT(unsigned, u32)
INPUT(unsigned long long, u64)
INPUT(float, float)
INPUT(double, double)
";

/// The inputs of SV-COMP for MOPSA, whose own arbitrary values are named by their width.
const MOPSA_INPUTS: &str = "\
signed char _mopsa_rand_s8(void);
unsigned char _mopsa_rand_u8(void);
short _mopsa_rand_s16(void);
unsigned short _mopsa_rand_u16(void);
int _mopsa_rand_s32(void);
unsigned _mopsa_rand_u32(void);
long _mopsa_rand_s64(void);
unsigned long _mopsa_rand_u64(void);
float _mopsa_rand_float(void);
double _mopsa_rand_double(void);
#define INPUT(type, name, value) type __VERIFIER_nondet_##name(void) { return _mopsa_rand_##value(); }
_Bool __VERIFIER_nondet_bool(void) { return _mopsa_rand_u8() & 1; }
INPUT(char, char, s8)
INPUT(signed char, schar, s8)
INPUT(unsigned char, uchar, u8)
INPUT(unsigned char, unsigned_char, u8)
INPUT(short, short, s16)
INPUT(unsigned short, ushort, u16)
INPUT(int, int, s32)
INPUT(unsigned, uint, u32)
INPUT(unsigned, unsigned, u32)
INPUT(unsigned, unsigned_int, u32)
INPUT(long, long, s64)
INPUT(unsigned long, ulong, u64)
INPUT(unsigned long, unsigned_long, u64)
INPUT(long long, longlong, s64)
INPUT(unsigned long long, ulonglong, u64)
INPUT(unsigned long, size_t, u64)
INPUT(long long, loff_t, s64)
INPUT(unsigned long, sector_t, u64)
INPUT(unsigned long, pthread_t, u64)
INPUT(signed char, s8, s8)
INPUT(short, s16, s16)
INPUT(int, s32, s32)
INPUT(long long, s64, s64)
INPUT(unsigned char, u8, u8)
INPUT(unsigned short, u16, u16)
INPUT(unsigned, u32, u32)
INPUT(unsigned long long, u64, u64)
INPUT(float, float, float)
INPUT(double, double, double)
";

/// Every file: its name and its text.
const FILES: &[(&str, &str)] = &[
    ("execute.c", include_str!("../harness/execute.c")),
    ("draw.h", include_str!("../harness/draw.h")),
    ("escape.h", include_str!("../harness/escape.h")),
    ("hooks.h", include_str!("../harness/hooks.h")),
    ("kernel.h", include_str!("../harness/kernel.h")),
    ("options.h", include_str!("../harness/options.h")),
    ("parse.h", include_str!("../harness/parse.h")),
    ("report.h", include_str!("../harness/report.h")),
    ("sanitizers.h", include_str!("../harness/sanitizers.h")),
    ("search.h", include_str!("../harness/search.h")),
    ("session.h", include_str!("../harness/session.h")),
    ("snapshot.h", include_str!("../harness/snapshot.h")),
    ("values.h", include_str!("../harness/values.h")),
    ("link.options", include_str!("../harness/link.options")),
    ("unreach-call.prp", UNREACH_CALL),
    ("klee-inputs.c", KLEE_INPUTS),
    ("mopsa-inputs.c", MOPSA_INPUTS),
];

/// The text of a support file.
pub fn support_file(name: &str) -> Option<&'static str> {
    FILES.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// The hash of a support file, computed once: the harness is large and stands beside most C programs.
pub(crate) fn support_hash(name: &str) -> Hash {
    static HASHES: LazyLock<BTreeMap<&str, Hash>> =
        LazyLock::new(|| FILES.iter().map(|(name, text)| (*name, Hash::of(text.as_bytes()))).collect());
    HASHES.get(name).copied().unwrap_or_else(|| Hash::of(&[]))
}
