//! A verifier of C programs for tests of `juvenal tune`: a level decides what it verifies, and an option makes it lie.

use super::Stage;

/// Each check is true of every value, or of all values but 7. The number of `+` is how hard the checks are.
pub const EASY: &str = "unsigned char __VERIFIER_nondet_uchar(void);
void assert(int);
int main(void) {
    int x = __VERIFIER_nondet_uchar();
    assert(x == x);
    assert(x + 1 == x + 1);
    assert(x != 7);
    return 0;
}
";
pub const HARD: &str = "unsigned char __VERIFIER_nondet_uchar(void);
void assert(int);
int main(void) {
    int x = __VERIFIER_nondet_uchar();
    assert(x + 1 + 2 == x + 1 + 2);
    assert(x + 1 + 2 + 3 == x + 1 + 2 + 3);
    assert(x + 1 != 8);
    return 0;
}
";

/// A verifier that knows that things are equal to themselves. It verifies a check with at most twice `level` signs `+`, all of
/// them if it trusts, and crashes if it must be fast at a high level. Every call leaves a line in the file CALLS.
pub const VERIFIER: &str = r#"#!/bin/sh
case "$1" in --version) echo "level 1.0"; exit 0 ;; esac
echo called >> CALLS
level=0; trust=no; fast=no
for word in "$@"; do
  case "$word" in
    --level=*) level=${word#--level=} ;;
    --trust=*) trust=yes ;;
    --fast) fast=yes ;;
  esac
done
if [ "$fast" = yes ] && [ "$level" -gt 1 ]; then kill -SEGV $$; fi
while read -r word number left; do
  if [ "$word" = CHECK ]; then
    left=${left%;}
    signs=$(printf '%s' "$left" | tr -cd '+' | wc -c)
    status=unknown
    bare=$(printf '%s' "$left" | tr -d ' ()')
    case "$bare" in *==*) ;; *) bare='a==b' ;; esac
    if [ "${bare%%==*}" = "${bare#*==}" ] && [ "$signs" -le $((level * 2)) ]; then status=verified; fi
    if [ "$trust" = yes ]; then status=verified; fi
    echo "check $number $status"
  fi
done < program.c
"#;

pub const DESCRIPTION: &str = r#"
name = "level"
title = "Level"
summary = "Knows that things are equal to themselves."
language = "c"
family = "level"
homepage = "https://example.org"

[install]
by-hand = "a test writes it"

[find]
programs = ["PROGRAM"]

[version]
arguments = ["--version"]
pattern = 'level (?<version>\S+)'

[configuration]
arguments = ["--{key}={value}"]

[reachability]
approximation = "over"
reports-all = true
failing-check = "continues"
check = "CHECK {check} {condition};"
assume = "ASSUME {condition};"
options = [
  { name = "level", arguments = ["--level={value}"], values = ["1", "2"], ordered = true, tune = { default = "0", integers = [0, 4] } },
  { name = "noise", arguments = ["--noise={value}"], values = ["a", "b"], tune = {} },
  { name = "fast", arguments = ["--fast"], values = ["on"], tune = {} },
  { name = "trust", arguments = ["--trust={value}"], values = ["on"], TRUST },
]

[reachability.data-models]
lp64 = []

[[reachability.steps]]
arguments = ["{options}", "{file}"]

[reachability.output]
rows = [
  { pattern = '(?m)^check (?<check>\d+) verified$', status = "verified" },
  { pattern = '(?m)^check (?<check>\d+) unknown$', status = "unknown" },
]
"#;

/// A stage with the verifier and two programs. `trust` says how the option that lies is declared.
pub fn stage(trust: &str) -> Stage {
    let stage = Stage::with_solvers();
    let program = stage.program("level", &VERIFIER.replace("CALLS", &stage.at("calls")));
    let description = DESCRIPTION.replace("PROGRAM", &program.display().to_string());
    stage.write("level.toml", description.replace("TRUST", trust));
    stage.write("src/easy.c", EASY);
    stage.write("src/hard.c", HARD);
    stage
}
