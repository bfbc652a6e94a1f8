#!/bin/sh
# Shows that Clang's analyzer dies on the program with the constraint solver z3. CLANG names the compiler.
cd "$(dirname "$0")" || exit 2
"${CLANG:-clang-19}" -cc1 -analyze -analyzer-checker=core -analyzer-config eagerly-assume=false -analyzer-constraints=z3 program.c
echo "exit code $?"
