from egglog.bindings import EGraph

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

import re


def rows_of(name, text):
    rows = []
    lines = text.strip().split("\n")
    if lines[0].strip() != "(" or lines[-1].strip() != ")":
        raise ValueError("no rows: %r" % text)
    for line in lines[1:-1]:
        match = re.fullmatch(r'\s*\((\w+)((?: (?:-?\d+|"[^"]*"))*)\) -> .*', line)
        if match is None or match.group(1) != name:
            raise ValueError("no row: %r" % line)
        values = re.findall(r'-?\d+|"[^"]*"', match.group(2))
        rows.append([value[1:-1] if value[0] == '"' else int(value) for value in values])
    return rows


def rows_in(graph, name):
    outputs = graph.run_program(*graph.parse_program("(print-function %s 100000000)" % name))
    return rows_of(name, "".join(str(output) for output in outputs))


graph = EGraph()
graph.run_program(*graph.parse_program((
    "(relation r_edge (i64 i64))\n"
    "(relation r_label (i64 String))\n"
    "(relation r_count (i64))\n"
    "(relation r_reach (i64 i64))\n"
    "(relation r_unreach (i64 i64))\n"
    "(relation r_lonely (String))\n"
    "(relation r_empty (i64))\n"
    "(relation r_cyclic ())\n"
    "(relation r_quiet ())\n"
    "(relation r_nothing (i64))\n"
    "(r_edge 1 2)\n"
    "(r_edge 2 3)\n"
    "(r_edge 3 1)\n"
    "(r_edge 4 5)\n"
    "(r_label 1 \"one\")\n"
    "(r_label 4 \"with, space\")\n"
    "(rule ((r_edge x0 _)) ((r_count x0)))\n"
    "(rule ((r_edge _ x0)) ((r_count x0)))\n"
    "(rule ((r_edge x0 x1)) ((r_reach x0 x1)))\n"
    "(rule ((r_reach x0 x1) (r_edge x1 x2)) ((r_reach x0 x2)))\n"
    "(rule ((r_count x0) (r_count x1) (<= x0 x1) (!= x1 5)) ((r_unreach x0 x1)))\n"
    "(rule ((r_label x0 x1)) ((r_lonely x1)))\n"
    "(rule ((r_edge x0 _) (> x0 4)) ((r_empty 7)))\n"
    "(rule ((r_reach x0 x0)) ((r_cyclic)))\n"
    "(rule ((r_reach x0 9)) ((r_quiet)))\n"
    "(run-schedule (saturate (run)))\n"
)))
show_rows("r_unreach", rows_in(graph, "r_unreach"))
show_rows("r_lonely", rows_in(graph, "r_lonely"))
show_rows("r_empty", rows_in(graph, "r_empty"))
show_rows("r_cyclic", rows_in(graph, "r_cyclic"))
show_rows("r_quiet", rows_in(graph, "r_quiet"))
print("done")
