"""Runs a script that uses a Python package, and tells the version of the package.

    script_runner.py --version PACKAGE
    script_runner.py FILE

The script runs as a program of its own would. An error that it does not catch is shown as Python shows it, with
exit code 1; so is a panic of a package that is written in Rust.
"""

import importlib.metadata
import runpy
import sys


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "--version":
        print("version " + importlib.metadata.version(arguments[1]))
        return
    (script,) = arguments
    sys.argv = [script]
    runpy.run_path(script, run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1:])
