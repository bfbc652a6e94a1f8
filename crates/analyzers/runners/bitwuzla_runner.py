"""Drives the Python package of Bitwuzla like its command line: SMT-LIB on standard input, answers on standard output.

    bitwuzla_runner.py [--session] [--version] [--NAME=VALUE ...]

Without --session all of standard input is one script. With it, scripts come one after the other through a pipe
that stays open; a line `(echo "...")` ends a script, and every script gets a solver of its own, so a line
`(reset)` has nothing to do. An error is printed as `(error "...")`; a session then goes on with the next script.
"""

import ctypes
import sys

import bitwuzla


def report(error):
    """Prints an error as SMT-LIB wants it, with doubled quotation marks."""
    text = str(error).replace('"', '""')
    sys.stdout.write('(error "' + text + '")\n')
    sys.stdout.flush()


def flush_native():
    """Flushes what the library printed itself, behind the back of Python's own buffer."""
    try:
        ctypes.CDLL(None).fflush(None)
    except (OSError, AttributeError):
        pass


def execute(text, options):
    """Runs one script on a solver of its own; false if there was an error."""
    chosen = bitwuzla.Options()
    try:
        for name, value in options:
            chosen.set(name, value)
        # The term manager must outlive the parser, so it is held by a name.
        manager = bitwuzla.TermManager()
        bitwuzla.Parser(manager, chosen).parse(text, parse_only=False, parse_file=False)
    except (bitwuzla.BitwuzlaException, ValueError, TypeError) as error:
        flush_native()
        report(error)
        return False
    flush_native()
    return True


def scripts(stream):
    """The scripts of a session, each with the text of the echo that ended it."""
    held = []
    for line in stream:
        if line.startswith('(echo "'):
            yield "".join(held), line.split('"')[1]
            held = []
        elif line.strip() != "(reset)":
            held.append(line)


def run_session(options):
    for text, marker in scripts(sys.stdin):
        execute(text, options)
        sys.stdout.write('"' + marker + '"\n')
        sys.stdout.flush()
    return 0


def option_value(text):
    """The value as the library wants it: a number where it is one."""
    if text in ("", "true"):
        return 1
    if text == "false":
        return 0
    return int(text) if text.isdigit() else text


def main(arguments):
    if "--version" in arguments:
        print(bitwuzla.version())
        return 0
    options = []
    for argument in arguments:
        if argument != "--session":
            name, _, value = argument.lstrip("-").partition("=")
            options.append((name, option_value(value)))
    if "--session" in arguments:
        return run_session(options)
    return 0 if execute(sys.stdin.read(), options) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
