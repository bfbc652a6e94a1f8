#!/bin/sh
# Shows that Clang takes a conjunction of floating-point comparisons to be false. CLANG names the compiler.
cd "$(dirname "$0")" || exit 2
clang=${CLANG:-clang}
echo "what the engine knows where the condition holds:"
"$clang" -cc1 -analyze -analyzer-checker=core,debug.ExprInspection -analyzer-config eagerly-assume=false evaluated.c
echo "what is reported:"
"$clang" --analyze -Xclang -analyzer-output=text program.c -o /dev/null
echo "what happens:"
"$clang" -w -O0 -g -fsanitize=undefined -fno-sanitize-recover=all program.c -o "${TMPDIR:-/tmp}/juvenal-trophy" && "${TMPDIR:-/tmp}/juvenal-trophy"
rm -f "${TMPDIR:-/tmp}/juvenal-trophy"
