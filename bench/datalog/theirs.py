#!/usr/bin/env python3
"""Programs per CPU second of queryFuzz and DLSmith, in one process and without their files and engines.

`theirs.py queryfuzz CHECKOUT COUNT` or `theirs.py dlsmith CHECKOUT COUNT` prints four numbers: programs, and
transformed programs, per CPU second, then the mean size of a program in bytes and its mean number of rules.
What both tools print in colour, and what they write to disk, is left out: only generation counts.
"""

import contextlib
import io
import json
import os
import pathlib
import random
import sys
import tempfile
import time
import types


# More programs than this are not transformed: DLSmith takes long.
TRANSFORMED = 200


def stand_in(name, **members):
    """A module that is installed with the tools and that only decorates their output."""
    module = types.ModuleType(name)
    vars(module).update(members)
    sys.modules[name] = module


def count_rules(text):
    return sum(1 for line in text.splitlines() if ":-" in line)


class Queryfuzz:
    def __init__(self, checkout):
        from queryfuzz.engines.souffle.souffle import SouffleProgram
        from queryfuzz.transformations.manager import TransformationManager
        from queryfuzz.utils.randomness import Randomness

        self.program_class, self.manager_class = SouffleProgram, TransformationManager
        self.params = json.loads((checkout / "queryfuzz" / "default_params.json").read_text())
        # Facts are part of the program, as in ours.
        self.params["in_file_facts"] = True
        self.randomness = Randomness(1)

    def program(self, number):
        program = self.program_class(
            params=self.params,
            verbose=False,
            randomness=self.randomness,
            program_number=number,
            seed_program=None,
        )
        program.enrich_program()
        program.create_program_string()
        return program

    def transformed(self, program):
        manager = self.manager_class(
            randomness=self.randomness, program=program, params=self.params, verbose=False, engine="souffle"
        )
        changed = manager.generate_transformation()
        changed.add_transformation_information(oracle=manager.get_chosen_transformation_type())
        changed.create_program_string()
        return changed

    def text(self, program):
        return program.program_string


class Dlsmith:
    def __init__(self, checkout):
        stand_in("dlsmith.home", get_home=lambda: str(checkout))
        from dlsmith.dataDependencyGraph.dependencyGraph import DataDependencyGraph
        from dlsmith.dataDependencyGraph.parsedGraph import ParsedGraph
        from dlsmith.engines.Souffle.souffle_program import SouffleProgram
        from dlsmith.runTimeInformation.souffle_run_time import SouffleRunTime
        from dlsmith.transformations.manager import TransformationManager
        from dlsmith.utils.logging import Logging
        from dlsmith.utils.randomness import Randomness
        from dlsmith.utils.stats import Stats

        self.graph_class, self.parsed_class = DataDependencyGraph, ParsedGraph
        self.program_class, self.time_class = SouffleProgram, SouffleRunTime
        self.manager_class, self.logging_class = TransformationManager, Logging
        self.params = json.loads((checkout / "dlsmith" / "default_params.json").read_text())
        self.randomness = Randomness(1)
        # Without seeds: theirs are read again for every program, which would not be a measure of generation.
        self.home = tempfile.mkdtemp()
        os.makedirs(os.path.join(self.home, "seeds", self.params["souffle_seeds_dir"], "none"))
        self.stats = Stats(self.home)

    def written(self, graph, logging, parsed):
        program = self.program_class(
            dependencyGraph=graph,
            params=self.params,
            randomness=self.randomness,
            logging=logging,
            parsedProgramText=parsed.get_parsed_program_text(),
        )
        program.generate_program_string()
        return program

    def program(self, number):
        logging = self.logging_class()
        logging.set_log_file_path(self.home)
        parsed = self.parsed_class(
            randomness=self.randomness,
            engine="souffle",
            path_to_home=self.home,
            logger=logging,
            params=self.params,
            debug=False,
        )
        graph = self.graph_class(self.params, self.randomness, logging, parsed, False)
        graph.generateACyclicGraph()
        program = self.written(graph, logging, parsed)
        program.kept = (graph, logging, parsed)
        return program

    def transformed(self, program):
        graph, logging, parsed = program.kept
        manager = self.manager_class(
            randomness=self.randomness,
            dependencyGraph=graph,
            params=self.params,
            runTimeInformation=self.time_class(dependencyGraph=graph, logger=logging),
            engine="souffle",
            full_logs=False,
            stats=self.stats,
        )
        changed = manager.generate_a_new_transformation(logging=logging)
        return self.written(changed, logging, parsed)

    def text(self, program):
        return program.get_program_string()


@contextlib.contextmanager
def failures_said():
    """Both tools fail on some of their own programs; those do not count."""
    try:
        yield
    except Exception as problem:
        print(f"not counted: {type(problem).__name__}: {problem}", file=sys.stderr)


def measure(tool, count):
    """Programs and transformed programs per CPU second, and what the programs are like."""
    start = time.process_time()
    programs = []
    for number in range(count):
        with failures_said():
            programs.append(tool.program(number))
    made = time.process_time() - start
    start = time.process_time()
    changed = 0
    for program in programs[:TRANSFORMED]:
        with failures_said():
            tool.transformed(program)
            changed += 1
    rewritten = time.process_time() - start
    texts = [tool.text(program) for program in programs]
    total = max(len(texts), 1)
    return (
        len(programs) / made,
        changed / rewritten,
        sum(map(len, texts)) / total,
        sum(map(count_rules, texts)) / total,
    )


def main():
    name, checkout, count = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), int(sys.argv[3])
    sys.path.insert(0, str(checkout))
    sys.dont_write_bytecode = True
    random.seed(1)
    stand_in("termcolor", colored=lambda text, *_, **__: text)
    stand_in("pyfiglet", figlet_format=lambda text, **_: text)
    with contextlib.redirect_stdout(io.StringIO()):
        tool = {"queryfuzz": Queryfuzz, "dlsmith": Dlsmith}[name](checkout)
        figures = measure(tool, count)
    print("{:.0f} {:.0f} {:.0f} {:.1f}".format(*figures))


main()
