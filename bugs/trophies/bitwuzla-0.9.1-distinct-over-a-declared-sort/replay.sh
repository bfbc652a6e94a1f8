#!/bin/sh
# Bitwuzla 0.9.1 (pip install bitwuzla==0.9.1) dies on reduced.smt2.
cd "$(dirname "$0")" || exit 2
python3 -c '
import bitwuzla
bitwuzla.Parser(bitwuzla.TermManager(), bitwuzla.Options()).parse("reduced.smt2")
'
