"""Runs clingo's Python package as the program clingo.

    clingo_runner.py --version
    clingo_runner.py FILE 0 -V0

The arguments, what is printed and the exit code are those of clingo, but for exit code 0 in the place of 30.
"""

import runpy
import sys

if __name__ == "__main__":
    sys.argv[0] = "clingo"
    runpy.run_module("clingo", run_name="__main__", alter_sys=True)
