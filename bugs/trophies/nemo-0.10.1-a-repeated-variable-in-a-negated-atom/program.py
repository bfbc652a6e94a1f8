import nmo_python

engine = nmo_python.NemoEngine(nmo_python.load_string("""
a(2).
b(1).
c(5, 5).
r(?z) :- a(?x), b(?y), ~c(?y, ?y), ?z = ?x + 3 .
@export r :- csv{}.
"""))
engine.reason()
print(list(engine.result("r")))
