#!/usr/bin/env python3
"""Searches of other tools on recorded grids. `others.py SEARCH GRID RUNS SECONDS` prints what the example `replay` of
`crates/tuning` prints: a line for each run. Needs `pip install optuna smac`.

optuna-median     TPE, with a pruner that drops what is worse than the median of earlier trials on the same programs
optuna-halving    TPE, with successive halving over the programs
smac              SMAC's facade for algorithm configuration, with the programs as instances, and with the time, what is left
                  open and the share of both of the default as their features

Each begins with the default on every program, as juvenal does, and pays the same recorded CPU time. A configuration that was
asked on a program before is answered without payment.
"""

import pathlib
import sys
import tempfile
import warnings

from grid import Grid, Spent

# A search that proposes only what is known spends nothing; after so many proposals for each configuration it ends.
PROPOSALS = 4


def optuna_run(grid, seed, seconds, pruner):
    import optuna
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    spent, order = Spent(grid), grid.order()
    sampler = optuna.samplers.TPESampler(seed=seed, multivariate=True)
    study = optuna.create_study(sampler=sampler, pruner=pruner(optuna))
    choices = list(grid.choices())
    study.enqueue_trial({name: default for name, _, default in choices})

    def objective(trial):
        options = grid.options({name: trial.suggest_categorical(name, values) for name, values, _ in choices})
        losses = []
        for step, program in enumerate(order):
            losses.append(spent.ask(options, program))
            trial.report(sum(losses) / len(losses), step)
            if trial.should_prune():
                raise optuna.TrialPruned()
        return sum(losses) / len(losses)

    for _ in range(PROPOSALS * len(grid.outcomes)):
        if spent.seconds >= seconds:
            break
        study.optimize(objective, n_trials=1)
    return spent


def no_target(config, instance, seed=0):
    raise AssertionError("it is only asked and told")


def smac_run(grid, seed, seconds):
    from ConfigSpace import Categorical, ConfigurationSpace
    from smac import AlgorithmConfigurationFacade, Scenario
    from smac.runhistory.dataclasses import TrialValue
    spent = Spent(grid)
    space = ConfigurationSpace(seed=seed)
    # ConfigSpace has no empty values.
    for name, values, default in grid.choices():
        space.add(Categorical(name, [value or "-" for value in values], default=default or "-"))
    order = [str(program) for program in grid.order()]
    features = {}
    for program in order:
        it = grid.default[int(program)]
        features[program] = [it["cpu_microseconds"] / 1e6, it["unresolved"], it["unresolved"] / max(it["total"], 1)]
    limit = PROPOSALS * len(grid.outcomes) * len(order)
    with tempfile.TemporaryDirectory() as directory:
        scenario = Scenario(space, deterministic=True, instances=order, instance_features=features, seed=seed,
                            n_trials=limit, use_default_config=True, output_directory=pathlib.Path(directory))
        smac = AlgorithmConfigurationFacade(scenario, no_target, logging_level=False, overwrite=True)
        for _ in range(limit):
            if spent.seconds >= seconds:
                break
            try:
                info = smac.ask()
            except StopIteration:
                break
            options = grid.options({name: "" if value == "-" else value for name, value in dict(info.config).items()})
            program = int(info.instance)
            loss = spent.ask(options, program)
            smac.tell(info, TrialValue(cost=loss, time=grid.cost(options, program)), save=False)
    return spent


SEARCHES = {
    "optuna-median": lambda *it: optuna_run(*it, lambda optuna: optuna.pruners.MedianPruner(n_startup_trials=4)),
    "optuna-halving": lambda *it: optuna_run(*it, lambda optuna: optuna.pruners.SuccessiveHalvingPruner(min_resource=1, reduction_factor=2)),
    "smac": smac_run,
}


def main():
    warnings.filterwarnings("ignore")
    search, path, runs, seconds = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
    grid = Grid(path)
    for seed in range(runs):
        shares = SEARCHES[search](grid, seed, seconds).shares()
        reached = next((f"{at:.2f}" for at, share in shares if share >= 0.9), "")
        print(f"{search},{seed},{reached}," + " ".join(f"{at:.3f}:{share:.4f}" for at, share in shares), flush=True)


if __name__ == "__main__":
    main()
