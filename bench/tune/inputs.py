#!/usr/bin/env python3
"""Writes the inputs of the grids: `inputs.py DIRECTORY` makes scripts/z3, scripts/cvc5 and rows; every run writes the same."""

import pathlib
import random
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
# Those that take each solver 0.02 to 2 CPU seconds.
FOR = {
    "z3": ["factor-14", "factor-16", "pigeonhole-7", "pigeonhole-8", "prime-13", "knapsack-10", "swap-8", "swap-10"],
    "cvc5": ["factor-14", "factor-16", "pigeonhole-8", "knapsack-9", "knapsack-10", "knapsack-14", "swap-8", "diamonds-300"],
}
ROWS = ["closure-chain-300", "closure-grid-20x20", "same-generation-400", "seed-storage-enlarged"]


def pigeonhole(holes):
    n = holes + 1
    out = ["(set-logic QF_UF)"]
    out += [f"(declare-fun p{i}_{j} () Bool)" for i in range(n) for j in range(holes)]
    out += ["(assert (or " + " ".join(f"p{i}_{j}" for j in range(holes)) + "))" for i in range(n)]
    out += [f"(assert (or (not p{i}_{j}) (not p{k}_{j})))" for j in range(holes) for i in range(n) for k in range(i)]
    return out
def factor(bits, product):
    return ["(set-logic QF_BV)", f"(declare-fun a () (_ BitVec {bits}))", f"(declare-fun b () (_ BitVec {bits}))",
            f"(define-fun wide ((x (_ BitVec {bits}))) (_ BitVec {2*bits}) ((_ zero_extend {bits}) x))",
            f"(assert (= (bvmul (wide a) (wide b)) (_ bv{product} {2*bits})))",
            f"(assert (bvugt a (_ bv1 {bits})))", f"(assert (bvugt b (_ bv1 {bits})))", "(assert (bvule a b))"]
def scheduling(draw, jobs, machines, slack):
    out = ["(set-logic QF_IDL)"]
    order = [draw.sample(range(machines), machines) for _ in range(jobs)]
    time = [[draw.randrange(1, 10) for _ in range(machines)] for _ in range(jobs)]
    out += [f"(declare-fun s{j}_{m} () Int)" for j in range(jobs) for m in range(machines)]
    out.append("(declare-fun start () Int)")
    bound = max(max(map(sum, time)), max(sum(time[j][m] for j in range(jobs)) for m in range(machines))) * slack // 100
    for j in range(jobs):
        out.append(f"(assert (>= (- s{j}_{order[j][0]} start) 0))")
        for a, b in zip(order[j], order[j][1:]):
            out.append(f"(assert (>= (- s{j}_{b} s{j}_{a}) {time[j][a]}))")
        last = order[j][-1]
        out.append(f"(assert (<= (- s{j}_{last} start) {bound - time[j][last]}))")
        for k in range(j):
            for m in range(machines):
                out.append(f"(assert (or (>= (- s{j}_{m} s{k}_{m}) {time[k][m]}) (>= (- s{k}_{m} s{j}_{m}) {time[j][m]})))")
    return out
def knapsack(draw, items):
    weight = [draw.randrange(20, 60) for _ in range(items)]
    out = ["(set-logic QF_LIA)"] + [f"(declare-fun x{i} () Int)" for i in range(items)]
    out += [f"(assert (and (>= x{i} 0) (<= x{i} 3)))" for i in range(items)]
    out.append("(assert (= (+ " + " ".join(f"(* {w} x{i})" for i, w in enumerate(weight)) + f") {sum(weight) + 7}))")
    weight = [draw.randrange(10, 50) for _ in range(items)]
    out.append("(assert (= (+ " + " ".join(f"(* {w} x{i})" for i, w in enumerate(weight)) + f") {sum(weight) + 3}))")
    return out
def swaps(draw, length, swaps_):
    # after the same swaps in two ways the arrays are equal
    out = ["(set-logic QF_AUFLIA)", "(declare-fun a () (Array Int Int))"]
    out += [f"(declare-fun i{k} () Int)" for k in range(length)]
    def swap(a, i, j): return f"(store (store {a} {i} (select {a} {j})) {j} (select {a} {i}))"
    names = [(f"i{draw.randrange(length)}", f"i{draw.randrange(length)}") for _ in range(swaps_)]
    one = two = "a"
    for n, (i, j) in enumerate(names):
        out.append(f"(define-fun l{n} () (Array Int Int) {swap(one, i, j)})"); one = f"l{n}"
        out.append(f"(define-fun r{n} () (Array Int Int) {swap(two, j, i)})"); two = f"r{n}"
    return out + [f"(assert (not (= {one} {two})))"]
def diamonds(count):
    out = ["(set-logic QF_UF)", "(declare-sort U 0)"]
    for n in range(count + 1): out.append(f"(declare-fun x{n} () U)")
    for n in range(count):
        out += [f"(declare-fun y{n} () U)", f"(declare-fun z{n} () U)",
          f"(assert (or (and (= x{n} y{n}) (= y{n} x{n+1})) (and (= x{n} z{n}) (= z{n} x{n+1}))))"]
    return out + [f"(assert (not (= x0 x{count})))"]


def main():
    directory = pathlib.Path(sys.argv[1])
    draw = random.Random(1)
    scripts = {
        "pigeonhole-7": pigeonhole(7), "pigeonhole-8": pigeonhole(8), "factor-14": factor(14, 9973 * 9241),
        "factor-16": factor(16, 50021 * 45007), "prime-13": factor(13, 8191 * 8179 + 2),
        "schedule-8": scheduling(draw, 8, 8, 100), "schedule-10": scheduling(draw, 10, 10, 102),
        "knapsack-9": knapsack(draw, 9), "knapsack-10": knapsack(draw, 10), "knapsack-14": knapsack(draw, 14),
        "swap-10": swaps(draw, 10, 12), "swap-8": swaps(draw, 6, 16), "diamonds-300": diamonds(300),
    }
    for solver, names in FOR.items():
        (directory / "scripts" / solver).mkdir(parents=True, exist_ok=True)
        for name in names:
            text = "\n".join([*scripts[name], "(check-sat)", ""])
            (directory / "scripts" / solver / f"{name}.smt2").write_text(text)
    rows = directory / "rows"
    rows.mkdir(parents=True, exist_ok=True)
    large = HERE.parent / "datalog/large.py"
    subprocess.run([sys.executable, large, rows, HERE.parent.parent / "seeds/datalog"], check=True)
    for path in rows.glob("*.dl"):
        if path.stem not in ROWS:
            path.unlink()


if __name__ == "__main__":
    main()
