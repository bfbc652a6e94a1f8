"""Grids that `juvenal tune --search exhaustive` has recorded: the losses of `crates/tuning/src/objective.rs` and the choice of the
best configuration of `crates/tuning/src/history.rs`, again, so that other searches are measured by the same figures."""

import json
import pathlib

WORST = 2.0


class Grid:
    def __init__(self, path):
        grid = json.loads(pathlib.Path(path).read_text())["grid"]
        self.objective, self.caps = grid["objective"], grid["caps"]
        self.programs = range(len(grid["programs"]))
        [space] = grid["spaces"]
        self.parameters = space["parameters"]
        self.outcomes = {}
        for trial in grid["trials"]:
            [ingredient] = trial["recipe"]
            found = [trial["outcomes"].get(str(program)) for program in self.programs]
            if None not in found:
                self.outcomes[key(ingredient["options"])] = found
        self.default = self.outcomes[()]
        whole = Spent(self)
        for options in self.outcomes:
            for program in self.programs:
                whole.ask(options, program)
        self.seconds, self.least, self.default_loss = whole.seconds, whole.loss(), self.loss_of(())

    def cost(self, options, program):
        return self.outcomes[options][program]["cpu_microseconds"] / 1e6

    def parts(self, options, program):
        """The loss of a program: what is left open, and the share of the time that it takes."""
        it, default = self.outcomes[options][program], self.default[program]
        if it["state"] != "finished":
            return WORST, 0.0
        share = min(it["cpu_microseconds"] / max(self.caps["cpu_microseconds"], 1), 1.0)
        total = max(default["total"], 1)
        if self.objective == "unresolved":
            return min(it["unresolved"] / total, WORST - 0.5), share / total
        if default["state"] == "finished" and it["unresolved"] > default["unresolved"]:
            return WORST, 0.0
        assert self.objective == "time", self.objective
        return 0.0, share

    def mean_parts(self, options):
        parts = [self.parts(options, program) for program in self.programs]
        return tuple(sum(it[place] for it in parts) / len(parts) for place in (0, 1))

    def loss_of(self, options):
        return sum(self.mean_parts(options))

    def is_refuted(self, options):
        return any(isinstance(it["state"], dict) and "refuted" in it["state"] for it in self.outcomes[options])

    def order(self):
        """The programs on which the default leaves something open first, cheap ones before expensive ones."""
        def place(program):
            it = self.default[program]
            return it["state"] == "finished" and it["unresolved"] == 0, it["cpu_microseconds"], program
        return sorted(self.programs, key=place)

    def choices(self):
        """For each choice its name, its values, and the value of the default; a set is one choice for each of its words."""
        for it in self.parameters:
            if it["scale"] == "set":
                for word in it["values"]:
                    yield f"{it['name']}/{word}", ["", word], ""
            else:
                default = it["default"] or ""
                values = it["values"] if default in it["values"] else [default, *it["values"]]
                yield it["name"], values, default

    def options(self, chosen):
        """The configuration with these choices, without those that have no effect."""
        options = {}
        for it in self.parameters:
            name = it["name"]
            if it["scale"] == "set":
                value = ",".join(word for word in it["values"] if chosen[f"{name}/{word}"])
            else:
                value = chosen[name]
            if value and value != it["default"]:
                options[name] = value
        for it in self.parameters:
            if it["name"] in options:
                for other in it["excludes"]:
                    options.pop(other, None)
        for it in self.parameters:
            needs = it["needs"]
            if it["name"] in options and needs:
                of_default = next((other["default"] for other in self.parameters if other["name"] == needs["option"]), None)
                given = (options.get(needs["option"]) or of_default or "").split(",")
                if not set(given) & set(needs["values"]):
                    del options[it["name"]]
        return key(options)


def key(options):
    return tuple(sorted(options.items()))


class Spent:
    """What a search has asked: a program is paid for once. It begins with the default on every program."""

    def __init__(self, grid):
        self.grid, self.seconds, self.known, self.curve = grid, 0.0, {}, []
        # Every configuration that was asked on all programs and is not refuted.
        self.standings = []
        for program in grid.programs:
            self.ask((), program)

    def ask(self, options, program):
        """The loss of a configuration on a program."""
        known = self.known.setdefault(options, set())
        if program not in known:
            known.add(program)
            self.seconds += self.grid.cost(options, program)
            if len(known) == len(self.grid.programs) and not self.grid.is_refuted(options):
                self.standings.append((*self.grid.mean_parts(options), options))
                self.curve.append((self.seconds, self.loss()))
        return sum(self.grid.parts(options, program))

    def loss(self):
        """The loss of the best: of those that are as good as the best, the one with the fewest changes."""
        least = min(self.standings)
        def is_as_good(it):
            return it[0] <= least[0] + 1e-9 and it[1] <= least[1] * 1.05 + 5e-4
        best = min((it for it in self.standings if is_as_good(it)), key=lambda it: (len(it[2]), it[2]))
        return best[0] + best[1]

    def shares(self):
        """The curve as pairs of CPU seconds and the share of the best possible gain."""
        possible = self.grid.default_loss - self.grid.least
        return [(seconds, min(max((self.grid.default_loss - loss) / possible, 0.0), 1.0)) for seconds, loss in self.curve]
