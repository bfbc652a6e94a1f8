import a.b as c, d
from . import e
from ..f.g import (h, i as j)
if TYPE_CHECKING:
    import k

def f():
    import importlib
    return importlib.import_module("l.m")(1)(2)
