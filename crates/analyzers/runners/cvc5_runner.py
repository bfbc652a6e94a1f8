"""Drives the Python package of cvc5 like its command line: SMT-LIB on standard input, answers on standard output.

    cvc5_runner.py [--session] [--version] [--NAME=VALUE ...]

Without --session all of standard input is one script. With it, scripts come one after the other through a pipe
that stays open; every line `(echo "...")` ends a stretch of input, which is executed at once.
An error is printed as `(error "...")` and ends the process with exit code 1, as the cvc5 program does.
"""

import sys

import cvc5


def make_solver():
    """A solver and its symbols, with or without the term manager that came with version 1.2."""
    if hasattr(cvc5, "TermManager"):
        manager = cvc5.TermManager()
        return cvc5.Solver(manager), cvc5.SymbolManager(manager)
    solver = cvc5.Solver()
    return solver, cvc5.SymbolManager(solver)


def report(error):
    """Prints an error as SMT-LIB wants it, with doubled quotation marks."""
    text = str(error).replace('"', '""')
    sys.stdout.write('(error "' + text + '")\n')
    sys.stdout.flush()


class Driver:
    """One solver with the options of the command line; `(reset)` makes a new one."""

    def __init__(self, options):
        self.options = options
        self.start()

    def start(self):
        self.solver, self.symbols = make_solver()
        for name, value in self.options:
            self.solver.setOption(name, value)
        self.parser = cvc5.InputParser(self.solver, self.symbols)

    def execute(self, text):
        """Executes every command of the text; false if one of them was `(exit)`."""
        # The parser counts as done when it has read all it was given, so every text is announced anew.
        self.parser.setIncrementalStringInput(cvc5.InputLanguage.SMT_LIB_2_6, "<stdin>")
        self.parser.appendIncrementalStringInput(text)
        while True:
            command = self.parser.nextCommand()
            if command.isNull():
                return True
            name = command.getCommandName()
            if name == "exit":
                return False
            result = command.invoke(self.solver, self.symbols)
            if result:
                sys.stdout.write(result if result.endswith("\n") else result + "\n")
                sys.stdout.flush()
                # A question that cannot be answered changes nothing; any other failure may.
                if result.startswith("(error") and not name.startswith("get-"):
                    raise SystemExit(1)


def stretches(stream):
    """The input cut after each echo and before each reset, so that neither waits for what follows."""
    held = []
    for line in stream:
        if line.strip() == "(reset)":
            yield "".join(held), True
            held = []
            continue
        held.append(line)
        if line.startswith('(echo "'):
            yield "".join(held), False
            held = []
    yield "".join(held), False


def run(options, session):
    driver = Driver(options)
    if not session:
        driver.execute(sys.stdin.read())
        return
    for text, reset in stretches(sys.stdin):
        if not driver.execute(text):
            return
        if reset:
            driver.start()


def main(arguments):
    if "--version" in arguments:
        print("This is cvc5 version", cvc5.__version__)
        return 0
    options = []
    for argument in arguments:
        if argument != "--session":
            name, _, value = argument.lstrip("-").partition("=")
            options.append((name, value or "true"))
    try:
        run(options, "--session" in arguments)
    except (RuntimeError, ValueError, UnicodeDecodeError) as error:
        report(error)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
