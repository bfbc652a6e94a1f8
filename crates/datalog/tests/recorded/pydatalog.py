from pyDatalog import pyDatalog

import sys

sys.stdout.reconfigure(encoding="utf-8", newline="\n")


def show_value(value):
    if type(value) is int:
        return str(value)
    if type(value) is str:
        return value.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n")
    raise ValueError("no value: %r" % (value,))


def show_rows(name, rows):
    print("begin " + name)
    for row in rows:
        print("\t".join([name] + [show_value(value) for value in row]))
    print("end " + name)


def answers(question):
    found = pyDatalog.ask(question)
    return [] if found is None else found.answers


pyDatalog.load((
    "+ r_nothing(0)\n"
    "- r_nothing(0)\n"
    "+ r_edge(1, 2)\n"
    "+ r_edge(2, 3)\n"
    "+ r_edge(3, 1)\n"
    "+ r_edge(4, 5)\n"
    "+ r_label(1, \"one\")\n"
    "+ r_label(4, \"with, space\")\n"
    "r_count(X0) <= r_edge(X0, X1) & ~r_nothing(X0)\n"
    "r_count(X0) <= r_edge(X1, X0) & ~r_nothing(X0)\n"
    "r_reach(X0, X1) <= r_edge(X0, X1) & ~r_nothing(X0)\n"
    "r_reach(X0, X2) <= r_reach(X0, X1) & r_edge(X1, X2) & ~r_nothing(X0)\n"
    "r_unreach(X0, X1) <= r_count(X0) & r_count(X1) & (X0 <= X1) & (X1 != 5) & ~r_reach(X0, X1)\n"
    "r_lonely(X1) <= r_label(X0, X1) & ~r_some_edge(X0)\n"
    "r_empty(7) <= r_edge(X0, X1) & (X0 > 4) & ~r_some_count(0)\n"
    "r_cyclic(0) <= r_reach(X0, X0)\n"
    "r_quiet(0) <= r_reach(X0, 9) & ~r_cyclic(0)\n"
    "r_some_edge(X0) <= r_edge(X1, X0)\n"
    "r_some_count(0) <= r_count(X0)\n"
))
show_rows("r_unreach", answers("r_unreach(X0, X1)"))
show_rows("r_lonely", answers("r_lonely(X0)"))
show_rows("r_empty", answers("r_empty(X0)"))
show_rows("r_cyclic", answers("r_cyclic(X0)"))
show_rows("r_quiet", answers("r_quiet(X0)"))
print("done")
