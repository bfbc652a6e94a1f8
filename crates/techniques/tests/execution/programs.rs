//! Small programs, each with a check that some inputs violate.

use model::{Annotation, AnnotationKind, CInput, DataModel};

/// A program and the expected content of its witness.
pub struct Row {
    pub name: &'static str,
    /// The text, with annotations such as `[[check 1: x < 3]]` and `[[assume: x > 0]]`.
    pub source: &'static str,
    /// The check that is violated.
    pub check: u32,
    /// The text on the line of the target.
    pub target: &'static str,
    /// For each waypoint, the text of its line up to the closing parenthesis of the call.
    pub calls: &'static [&'static str],
}

/// Splits a program into its text and its annotations.
pub fn annotated(source: &str) -> CInput {
    let mut base = String::new();
    let mut annotations = Vec::new();
    let mut parts = source.split("[[check ");
    let mut add = |text: &str, base: &mut String, check: Option<(u32, &str)>| {
        if let Some((number, condition)) = check {
            let what = AnnotationKind::Check(number);
            annotations.push(Annotation::new(base.len() as u32, what, condition));
        }
        let mut assumptions = text.split("[[assume: ");
        base.push_str(assumptions.next().unwrap());
        for assumption in assumptions {
            let (condition, behind) = assumption.split_once("]] ").unwrap();
            let place = base.len() as u32;
            annotations.push(Annotation::new(place, AnnotationKind::Assume, condition));
            base.push_str(behind);
        }
    };
    add(parts.next().unwrap(), &mut base, None);
    for part in parts {
        let (number, rest) = part.split_once(": ").unwrap();
        let (condition, behind) = rest.split_once("]] ").unwrap();
        add(behind, &mut base, Some((number.parse().unwrap(), condition)));
    }
    CInput { base: base.into(), data_model: DataModel::Lp64, annotations }
}

pub const PROGRAMS: &[Row] = &[
    Row {
        name: "two call sites",
        source: "int __VERIFIER_nondet_int(void);
int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = __VERIFIER_nondet_int();
  [[check 1: a != -12345 || b != 77]] return 0;
}
",
        check: 1,
        target: "a != -12345",
        calls: &["int a = __VERIFIER_nondet_int()", "int b = __VERIFIER_nondet_int()"],
    },
    Row {
        name: "a loop with two inputs in each round, and a call inside an expression",
        source: "unsigned char __VERIFIER_nondet_uchar(void); short __VERIFIER_nondet_short(void);
int main(void) {
  int sum = 0;
  for (int i = 0; i < 2; i++) {
    sum += (__VERIFIER_nondet_uchar ( /* ) */ ) > 9);
    if (__VERIFIER_nondet_short() == -7) { sum += 10; }
    [[check 4: sum < 22]] sum += 0;
  }
}
",
        check: 4,
        target: "sum < 22",
        calls: &[
            "sum += (__VERIFIER_nondet_uchar ( /* ) */ )",
            "if (__VERIFIER_nondet_short()",
            "sum += (__VERIFIER_nondet_uchar ( /* ) */ )",
            "if (__VERIFIER_nondet_short()",
        ],
    },
    Row {
        name: "floats, with infinity",
        source: "double __VERIFIER_nondet_double(void); float __VERIFIER_nondet_float(void);
int main(void) {
  double d = __VERIFIER_nondet_double(); float f = __VERIFIER_nondet_float();
  [[check 1: !(d < -1e308) || !(f == 0.5f)]] return 0;
}
",
        check: 1,
        target: "f == 0.5f",
        calls: &[
            "double d = __VERIFIER_nondet_double()",
            "double d = __VERIFIER_nondet_double(); float f = __VERIFIER_nondet_float()",
        ],
    },
    Row {
        name: "what is not a number has no waypoint",
        source: "float __VERIFIER_nondet_float(void); int __VERIFIER_nondet_int(void);
int main(void) {
  float f = __VERIFIER_nondet_float();
  int i = __VERIFIER_nondet_int();
  [[check 2: f == f || i == 0]] return 0;
}

",
        check: 2,
        target: "f == f",
        calls: &["int i = __VERIFIER_nondet_int()"],
    },
    Row {
        name: "unsigned long and long long at their ends",
        source: "unsigned long __VERIFIER_nondet_ulong(void); long long __VERIFIER_nondet_longlong(void);
int main(void) {
  unsigned long u = __VERIFIER_nondet_ulong();
  long long s = __VERIFIER_nondet_longlong();
  [[check 1: u != 18446744073709551615ul || s != -9223372036854775807ll - 1]] return 0;
}
",
        check: 1,
        target: "18446744073709551615ul",
        calls: &["unsigned long u = __VERIFIER_nondet_ulong()", "long long s = __VERIFIER_nondet_longlong()"],
    },
    Row {
        name: "truth values and calls in another function",
        source: "_Bool __VERIFIER_nondet_bool(void); char __VERIFIER_nondet_char(void);
static int pick(int limit) {
  if (__VERIFIER_nondet_bool()) return limit;
  return __VERIFIER_nondet_char();
}
int main(void) {
  int x = pick(3), y = pick(4);
  [[check 9: x != 3 || y != -128]] return 0;
}
",
        check: 9,
        target: "y != -128",
        calls: &[
            "if (__VERIFIER_nondet_bool()",
            "if (__VERIFIER_nondet_bool()",
            "return __VERIFIER_nondet_char()",
        ],
    },
    Row {
        name: "an assumption before, and one of the program's own",
        source: "void __VERIFIER_assume(int); int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  __VERIFIER_assume(x > 10);
  [[assume: x < 20]] [[check 3: x != 15]] return 0;
}
",
        check: 3,
        target: "x != 15",
        calls: &["int x = __VERIFIER_nondet_int()"],
    },
    Row {
        name: "an earlier check that fails on other inputs",
        source: "int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  [[check 1: x != 4]] [[check 2: x < 4 || x > 5]] return 0;
}
",
        check: 2,
        target: "x < 4 || x > 5",
        calls: &["int x = __VERIFIER_nondet_int()"],
    },
    Row {
        name: "no input at all",
        source: "static int twice(int x) {
  [[check 1: x != 8]] return 2 * x;
}
int main(void) { return twice(twice(4)) - 16; }
",
        check: 1,
        target: "x != 8",
        calls: &[],
    },
    Row {
        name: "an own error function, letters beyond ASCII, an input that is dropped",
        source: "void reach_error(void); unsigned __VERIFIER_nondet_uint(void); void reach_error(void) { }
int main(void) {
  __VERIFIER_nondet_uint();
  const char *s = \"é@PROGRAM@\"; unsigned x = __VERIFIER_nondet_uint();
  [[check 1: x != 4294967295u || s[0] == 0]] if (x == 17) reach_error();
}
",
        check: 1,
        target: "4294967295u",
        calls: &[
            "__VERIFIER_nondet_uint()",
            "const char *s = \"é@PROGRAM@\"; unsigned x = __VERIFIER_nondet_uint()",
        ],
    },
    Row {
        name: "recursion and an input function through a pointer",
        source: "int __VERIFIER_nondet_int(void); _Bool __VERIFIER_nondet_bool(void);
static int depth(int n) {
  if (n < 3 && __VERIFIER_nondet_bool()) return depth(n + 1);
  return n;
}
int main(void) {
  int (*input)(void) = __VERIFIER_nondet_int;
  int n = depth(0), x = input();
  [[check 1: n < 3 || x != 0]] return 0;
}
",
        check: 1,
        target: "n < 3",
        calls: &[
            "if (n < 3 && __VERIFIER_nondet_bool()",
            "if (n < 3 && __VERIFIER_nondet_bool()",
            "if (n < 3 && __VERIFIER_nondet_bool()",
        ],
    },
];
