#!/bin/sh
# Prints what Eva says about every check, for the program in which it proves the check and the one in which it does not.
cd "$(dirname "$0")" || exit 2
table=$(mktemp) || exit 2
for program in first second; do
    frama-c -no-autoload-plugins -load-module eva,report -warn-special-float none -machdep gcc_x86_64 -eva-partition-history 2 \
        -eva $program.c -then -report-csv "$table" > /dev/null
    echo "$program.c:"
    grep "user check" "$table"
done
rm -f "$table"
