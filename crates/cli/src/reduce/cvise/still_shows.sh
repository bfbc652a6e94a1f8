#!/bin/sh
# C-Vise calls this in a directory with a candidate. It is confined, so it cannot ask an analyzer: it hands the candidate
# over to the juvenal outside that started C-Vise, and waits for the exit code.
set -e
mkdir asked
cp program.c asked/program.c
mkfifo asked/answer
# Open before it is asked, so that the answer never waits, and fails once this process is gone.
exec 3<>asked/answer
mv asked "${0%/*}/questions/${PWD##*/}.$$"
read -r answer <&3
exit "$answer"
