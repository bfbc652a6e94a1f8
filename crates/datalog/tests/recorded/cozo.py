from cozo_embedded import CozoDbPy

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


rules = (
    "r_edge[x0, x1] <- [[1, 2], [2, 3], [3, 1], [4, 5]]\n"
    "r_label[x0, x1] <- [[1, \"one\"], [4, \"with, space\"]]\n"
    "r_count[x0] := r_edge[x0, _], not r_nothing[x0]\n"
    "r_count[x0] := r_edge[_, x0], not r_nothing[x0]\n"
    "r_reach[x0, x1] := r_edge[x0, x1], not r_nothing[x0]\n"
    "r_reach[x0, x2] := r_reach[x0, x1], r_edge[x1, x2], not r_nothing[x0]\n"
    "r_unreach[x0, x1] := r_count[x0], r_count[x1], x0 <= x1, x1 != 5, not r_reach[x0, x1]\n"
    "r_lonely[x1] := r_label[x0, x1], not r_edge[_, x0]\n"
    "r_empty[x1] := r_edge[x0, _], x1 = 7, x0 > 4, not r_some_count[0]\n"
    "r_cyclic[x1] := r_reach[x0, x0], x1 = 0\n"
    "r_quiet[x1] := r_reach[x0, 9], x1 = 0, not r_cyclic[0]\n"
    "r_nothing[x0] <- []\n"
    "r_some_count[x0] := r_count[_], x0 = 0\n"
)
show_rows("r_unreach", CozoDbPy("mem", "", "{}").run_script(rules + "?[x0, x1] := r_unreach[x0, x1]\n", {}, True)["rows"])
show_rows("r_lonely", CozoDbPy("mem", "", "{}").run_script(rules + "?[x0] := r_lonely[x0]\n", {}, True)["rows"])
show_rows("r_empty", CozoDbPy("mem", "", "{}").run_script(rules + "?[x0] := r_empty[x0]\n", {}, True)["rows"])
show_rows("r_cyclic", CozoDbPy("mem", "", "{}").run_script(rules + "?[x0] := r_cyclic[x0]\n", {}, True)["rows"])
show_rows("r_quiet", CozoDbPy("mem", "", "{}").run_script(rules + "?[x0] := r_quiet[x0]\n", {}, True)["rows"])
print("done")
