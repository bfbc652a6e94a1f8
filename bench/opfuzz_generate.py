"""opfuzz's generator alone: mutates a seed and prints each mutant, as its own main loop does, with no solver.

Usage: python3 bench/opfuzz_generate.py SEED COUNT
Items are separated as those of `juvenal generate` are, so that one reader counts both.
"""

import pathlib
import sys
import types

import yinyang
from yinyang.src.mutators.TypeAwareOpMutation import TypeAwareOpMutation
from yinyang.src.parsing.Parse import parse_file


def main():
    seed, count = sys.argv[1], int(sys.argv[2])
    script, _ = parse_file(seed, silent=True)
    if not script:
        sys.exit(f"opfuzz cannot parse {seed}")
    config = pathlib.Path(yinyang.__file__).parent / "config" / "operator_mutations.txt"
    # 2 is what the command line of opfuzz sets when nothing is given.
    mutator = TypeAwareOpMutation(script, types.SimpleNamespace(modulo=2, config=str(config)))
    for number in range(1, count + 1):
        mutant, success, _ = mutator.mutate()
        if success:
            sys.stdout.write(f"; juvenal item {number}\n{mutant}\n")


main()
