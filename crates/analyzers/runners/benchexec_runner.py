"""Answers questions about one tool through its BenchExec tool-info module. It never runs an analysis.

    benchexec_runner.py --version | --session

With --session every line of standard input is a request in JSON, and gets one line of JSON and a line `end`:

    {"ask": "tool", "module": M, "directory": D or null}     what the tool is and where; this comes first
    {"ask": "cmdline", "directory": D, "file": F, "property": P, "options": [...], "data_model": "LP64",
     "seconds": N, "memory": BYTES}                          the command for a program in the directory D
    {"ask": "result", "directory": D, "command": [...], "code": N or null, "signal": N or null, "output": F}
                                                             the result in what the command printed

A request that fails gets {"error": {"kind": K, "message": M, "known": [...]}}.
"""

import importlib
import json
import os
import pkgutil
import sys

import benchexec
import benchexec.tools
from benchexec import tooladapter, util
from benchexec.tools.template import BaseTool2, ToolNotFoundException, UnsupportedFeatureException


class Failure(Exception):
    """The reply where there is no answer."""

    def __init__(self, kind, message, known=()):
        super().__init__(message)
        self.reply = {"kind": kind, "message": message, "known": list(known)}


class Worker:
    """One tool-info object; BenchExec uses one for all runs, and so do we."""

    def __init__(self):
        self.tool = None
        self.executable = None

    def answer(self, request):
        return {"tool": self.open, "cmdline": self.cmdline, "result": self.result}[request["ask"]](request)

    def open(self, request):
        module = load(request["module"])
        self.tool = tooladapter.adapt_to_current_version(module.Tool())
        try:
            found = self.tool.executable(self.locator(request["directory"]))
        except ToolNotFoundException as error:
            raise Failure("no-tool", first_sentence(error)) from error
        # Runs happen elsewhere, so a relative path would point elsewhere.
        self.executable = os.path.abspath(found)
        return {
            "name": self.tool.name(),
            "version": self.tool.version(self.executable) or "",
            "homepage": self.tool.project_url() or "",
            "executable": self.executable,
            "files": self.files(),
            "source": os.path.abspath(module.__file__),
        }

    def files(self):
        """What the tool consists of; modules that do not say it correctly can still be run."""
        try:
            return [os.path.abspath(path) for path in self.tool.program_files(self.executable)]
        except Exception:
            return []

    def locator(self, directory):
        if directory is None:
            return BaseTool2.ToolLocator(use_path=True, use_current=True)
        if not isinstance(self.tool, tooladapter.Tool1To2):
            return BaseTool2.ToolLocator(tool_directory=directory)
        # Modules of the old kind know no such directory. They look at the search path and at where they are.
        path = [directory, os.path.join(directory, "bin"), os.environ.get("PATH", os.defpath)]
        os.environ["PATH"] = os.pathsep.join(path)
        os.chdir(directory)
        return BaseTool2.ToolLocator(use_path=True, use_current=True)

    def cmdline(self, request):
        directory = request["directory"]
        os.chdir(directory)
        home = self.tool.working_directory(self.executable)
        is_own = os.path.abspath(home) != os.path.abspath(directory)
        placed = (lambda name: os.path.join(directory, name)) if is_own else (lambda name: name)
        task = BaseTool2.Task.with_files(
            [placed(request["file"])],
            property_file=placed(request["property"]),
            options={"language": "C", "data_model": request["data_model"]},
        )
        seconds = request["seconds"]
        limits = BaseTool2.ResourceLimits(
            cputime=seconds, cputime_hard=seconds, walltime=seconds, memory=request["memory"]
        )
        try:
            words = self.tool.cmdline(self.executable, list(request["options"]), task, limits)
        except UnsupportedFeatureException as error:
            raise Failure("refused", first_sentence(error)) from error
        environment = self.tool.environment(self.executable)
        return {
            "command": [str(word) for word in words],
            "directory": os.path.abspath(home) if is_own else None,
            "kept": sorted(environment.get("keepEnv", {})),
            "set": strings(environment.get("newEnv", {})),
            "appended": strings(environment.get("additionalEnv", {})),
        }

    def result(self, request):
        os.chdir(request["directory"])
        with open(request["output"], encoding="utf-8", errors="replace") as file:
            lines = file.readlines()
        run = BaseTool2.Run(
            cmdline=request["command"],
            exit_code=util.ProcessExitCode.create(value=request["code"], signal=request["signal"]),
            output=BaseTool2.RunOutput(lines),
            termination_reason=None,
        )
        return {"result": " ".join(str(self.tool.determine_result(run)).split())}


def load(name):
    """The module of this name: one of BenchExec's own, or any other if it is named with its package."""
    full = name if "." in name else "benchexec.tools." + name
    try:
        module = importlib.import_module(full)
    except ModuleNotFoundError as error:
        # A module that is here and misses another one is no misspelling.
        if error.name != full and not full.startswith(str(error.name) + "."):
            raise
        known = [it.name for it in pkgutil.iter_modules(benchexec.tools.__path__)]
        raise Failure("no-module", str(error), known) from error
    if not hasattr(module, "Tool"):
        raise Failure("failed", "the module " + full + " has no class Tool")
    return module


def strings(table):
    return [[str(key), str(value)] for key, value in sorted(table.items())]


def first_sentence(error):
    lines = str(error).partition(" The searched directories were")[0].splitlines()
    return lines[0].rstrip(".") if lines else type(error).__name__


def reply_to(worker, line):
    try:
        return worker.answer(json.loads(line))
    except Failure as failure:
        return {"error": failure.reply}
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        # Modules are strangers' code, and some of them call sys.exit.
        message = type(error).__name__ + ": " + first_sentence(error)
        return {"error": {"kind": "failed", "message": message, "known": []}}


def run_session():
    requests = os.fdopen(os.dup(0), "r", encoding="utf-8")
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    # What a module or a program that it calls reads or prints must not mix with ours.
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    worker = Worker()
    for line in requests:
        replies.write(json.dumps(reply_to(worker, line)) + "\nend\n")
        replies.flush()
    return 0


def main(arguments):
    if arguments == ["--version"]:
        print(benchexec.__version__)
        return 0
    return run_session()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
