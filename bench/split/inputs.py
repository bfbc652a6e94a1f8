"""Writes a C project with planted flaws that cross files.

Each flaw is a chain of functions in files of their own: the first allocates, the last dereferences a pointer that may be null or
that was freed, `distance` calls away. Names of files and functions are hashes, so that a cut by names cannot profit from them.
Every flaw has a twin without the flaw. Half of the functions include a header that is shared.
"""

import hashlib
import pathlib
import random

DISTANCES = [0, 1, 2, 3, 4]


def hashed(*words):
    return "f" + hashlib.sha256(" ".join(map(str, words)).encode()).hexdigest()[:12]


def chain(number, distance, is_flawed):
    """The files of a chain: from the function that makes the pointer to the one that uses it."""
    names = [hashed(number, distance, is_flawed, step) for step in range(distance + 1)]
    uses = "return *p;" if is_flawed else "return p ? *p : 0;"
    files = {}
    for step, name in enumerate(names):
        is_last = step == distance
        declared = "" if is_last else f"int {names[step + 1]}(int *p, int n);\n"
        then = uses if is_last else f"return {names[step + 1]}(p, n + {step});"
        if step == 0:
            body = (f"int {name}(int n)\n{{\n    int *p = malloc(sizeof *p);\n    int result;\n    if (p)\n        *p = n;\n"
                    + (f"    result = {names[1]}(p, n);\n" if not is_last else f"    result = {'*p' if is_flawed else 'p ? *p : 0'};\n")
                    + "    free(p);\n    return result;\n}\n")
        else:
            body = f"int {name}(int *p, int n)\n{{\n    if (n > {number})\n        n--;\n    {then}\n}}\n"
        files[f"{name}.c"] = f"#include \"shared.h\"\n#include <stdlib.h>\n{declared}\n{body}"
    return files


def write(directory, per_distance=24, seed=1):
    """Writes the project; returns the number of files."""
    directory = pathlib.Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    files = {"shared.h": "#define LIMIT 100\n"}
    for distance in DISTANCES:
        for number in range(per_distance):
            files |= chain(number, distance, True)
            files |= chain(number, distance, False)
    for name in random.Random(seed).sample(sorted(files), len(files)):
        (directory / name).write_text(files[name])
    return len(files)
