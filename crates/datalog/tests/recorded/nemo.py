import nmo_python

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


def plain(value):
    if type(value) is str:
        if len(value) < 2 or value[0] != '"' or value[-1] != '"':
            raise ValueError("no text: %r" % (value,))
        return value[1:-1]
    return value


engine = nmo_python.NemoEngine(nmo_python.load_string((
    "r_nothing(?x0) :- r_nothing(?x0).\n"
    "r_edge(1, 2).\n"
    "r_edge(2, 3).\n"
    "r_edge(3, 1).\n"
    "r_edge(4, 5).\n"
    "r_label(1, \"one\").\n"
    "r_label(4, \"with, space\").\n"
    "r_count(?x0) :- r_edge(?x0, _), ~r_nothing(?x0).\n"
    "r_count(?x0) :- r_edge(_, ?x0), ~r_nothing(?x0).\n"
    "r_reach(?x0, ?x1) :- r_edge(?x0, ?x1), ~r_nothing(?x0).\n"
    "r_reach(?x0, ?x2) :- r_reach(?x0, ?x1), r_edge(?x1, ?x2), ~r_nothing(?x0).\n"
    "r_unreach(?x0, ?x1) :- r_count(?x0), r_count(?x1), ?x0 <= ?x1, ?x1 != 5, ~r_reach(?x0, ?x1).\n"
    "r_lonely(?x1) :- r_label(?x0, ?x1), ~r_edge(_, ?x0).\n"
    "r_empty(7) :- r_edge(?x0, _), ?x0 > 4, ~r_some_count(0).\n"
    "r_cyclic(0) :- r_reach(?x0, ?x0).\n"
    "r_quiet(0) :- r_reach(?x0, 9), ~r_cyclic(0).\n"
    "r_some_count(0) :- r_count(_).\n"
    "@export r_unreach :- csv{}.\n"
    "@export r_lonely :- csv{}.\n"
    "@export r_empty :- csv{}.\n"
    "@export r_cyclic :- csv{}.\n"
    "@export r_quiet :- csv{}.\n"
)))
engine.reason()
show_rows("r_unreach", [[plain(value) for value in row] for row in engine.result("r_unreach")])
show_rows("r_lonely", [[plain(value) for value in row] for row in engine.result("r_lonely")])
show_rows("r_empty", [[plain(value) for value in row] for row in engine.result("r_empty")])
show_rows("r_cyclic", [[plain(value) for value in row] for row in engine.result("r_cyclic")])
show_rows("r_quiet", [[plain(value) for value in row] for row in engine.result("r_quiet")])
print("done")
