
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

from logica.common import sqlite3_logica
from logica.compiler import universe
from logica.parser_py import parse


def rows_of(rules, name):
    program = universe.LogicaProgram(parse.ParseFile(rules)["rule"])
    program.FormattedPredicateSql(name)
    cursor = sqlite3_logica.SqliteConnect().cursor()
    for statements in [program.execution.preamble] + program.execution.defines_and_exports:
        cursor.executescript(statements)
    cursor.execute(program.execution.main_predicate_sql)
    return cursor.fetchall()


rules = (
    "@Engine(\"sqlite\");\n"
    "R_nothing(x0) distinct :- x0 == 0, 1 == 0;\n"
    "R_edge(1, 2) distinct;\n"
    "R_edge(2, 3) distinct;\n"
    "R_edge(3, 1) distinct;\n"
    "R_edge(4, 5) distinct;\n"
    "R_label(1, \"one\") distinct;\n"
    "R_label(4, \"with, space\") distinct;\n"
    "R_count(x0) distinct :- R_edge(x0, x1), ~R_nothing(x0);\n"
    "R_count(x0) distinct :- R_edge(x1, x0), ~R_nothing(x0);\n"
    "R_reach(x0, x1) distinct :- R_edge(x0, x1), ~R_nothing(x0);\n"
    "R_reach(x0, x2) distinct :- R_edge(x0, x1), R_edge(x1, x2), ~R_nothing(x0);\n"
    "R_unreach(x0, x1) distinct :- R_count(x0), R_count(x1), x0 <= x1, x1 != 5, ~R_reach(x0, x1);\n"
    "R_lonely(x1) distinct :- R_label(x0, x1), ~R_some_edge(x0);\n"
    "R_empty(7) distinct :- R_edge(x0, x1), x0 > 4, ~R_some_count(0);\n"
    "R_cyclic(0) distinct :- R_reach(x0, x0);\n"
    "R_quiet(0) distinct :- R_reach(x0, 9), ~R_cyclic(0);\n"
    "R_some_edge(x0) distinct :- R_edge(x1, x0);\n"
    "R_some_count(0) distinct :- R_count(x0);\n"
)
show_rows("R_unreach", rows_of(rules, "R_unreach"))
show_rows("R_lonely", rows_of(rules, "R_lonely"))
show_rows("R_empty", rows_of(rules, "R_empty"))
show_rows("R_cyclic", rows_of(rules, "R_cyclic"))
show_rows("R_quiet", rows_of(rules, "R_quiet"))
print("done")
