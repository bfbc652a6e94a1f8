#!/usr/bin/env python3
"""Writes programs with many rows into a directory: closures of graphs, the same generation, a join, and a seed with
enlarged facts. `large.py DIRECTORY SEEDS` needs nothing but Python; every run writes the same programs."""

import pathlib
import random
import sys

CLOSURE = """.decl edge(x:number, y:number)
.decl path(x:number, y:number)
.output path
path(x, y) :- edge(x, y).
path(x, z) :- path(x, y), edge(y, z).
"""
SAME_GENERATION = """.decl parent(x:number, y:number)
.decl same(x:number, y:number)
.output same
same(x, y) :- parent(x, p), parent(y, p).
same(x, y) :- parent(x, p), same(p, q), parent(y, q).
"""
JOIN = """.decl a(x:number, y:number)
.decl b(x:number, y:number)
.decl c(x:number, y:number)
.decl triangle(x:number, y:number, z:number)
.output triangle
triangle(x, y, z) :- a(x, y), b(y, z), c(z, x).
"""


def facts(name, rows):
    return "".join(f"{name}({', '.join(map(str, row))}).\n" for row in rows)


def graph(draw, nodes, edges):
    return sorted({(draw.randrange(nodes), draw.randrange(nodes)) for _ in range(edges)})


def grid(side):
    right = [(x + y * side, x + 1 + y * side) for x in range(side - 1) for y in range(side)]
    down = [(x + y * side, x + (y + 1) * side) for x in range(side) for y in range(side - 1)]
    return right + down


def enlarged(seed, draw, rows):
    """A seed whose rows of numbers are joined by random ones."""
    text = seed.read_text()
    return text + facts("edge", graph(draw, rows // 4, rows))


def main():
    directory, seeds = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    draw = random.Random(1)
    programs = {
        "closure-chain-300": CLOSURE + facts("edge", [(node, node + 1) for node in range(300)]),
        "closure-grid-20x20": CLOSURE + facts("edge", grid(20)),
        "closure-random-300": CLOSURE + facts("edge", graph(draw, 300, 900)),
        "closure-random-500": CLOSURE + facts("edge", graph(draw, 500, 700)),
        "same-generation-400": SAME_GENERATION
        + facts("parent", [(node, (node - 1) // 3) for node in range(1, 400)]),
        "join-3": JOIN + "".join(facts(name, graph(draw, 150, 3000)) for name in "abc"),
        "seed-storage-enlarged": enlarged(seeds / "storage-and-inlining.dl", draw, 1200),
    }
    for name, text in programs.items():
        (directory / f"{name}.dl").write_text(text)


main()
