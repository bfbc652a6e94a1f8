//! Small projects in each language, and which of their files depend on which.

use splitting::languages::{Dependencies, References, is_configuration, language_of, references, resolve};

/// Reads and resolves a project that consists of these files.
fn dependencies(files: &[(&str, &str)]) -> (Vec<String>, Dependencies) {
    let mut files = files.to_vec();
    files.sort_unstable();
    let names: Vec<String> = files.iter().map(|(name, _)| (*name).to_owned()).collect();
    let found: Vec<References> = files.iter().map(|(name, text)| references(name, text.as_bytes())).collect();
    let configured = files.iter().filter(|(name, _)| is_configuration(name));
    let configuration: Vec<(String, String)> =
        configured.map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    let dependencies = resolve(&names, &found, &configuration);
    (names, dependencies)
}

/// What is expected of a project: lines `a -> b c` for what files need, `a => b` for what they use, `a:1 x` for what is not
/// resolved, `outside a b`, and `unread a`.
fn shown(names: &[String], dependencies: &Dependencies) -> Vec<String> {
    let mut lines = Vec::new();
    for (graph, arrow) in [(&dependencies.needs, "->"), (&dependencies.uses, "=>")] {
        for (file, name) in (0..).zip(names) {
            let targets: Vec<&str> =
                graph.targets(file).iter().map(|&to| names[to as usize].as_str()).collect();
            if !targets.is_empty() {
                lines.push(format!("{name} {arrow} {}", targets.join(" ")));
            }
        }
    }
    for unresolved in &dependencies.unresolved {
        lines.push(format!("{}:{} {}", names[unresolved.file as usize], unresolved.line, unresolved.target));
    }
    let outside: Vec<&str> = dependencies.outside.keys().map(String::as_str).collect();
    if !outside.is_empty() {
        lines.push(format!("outside {}", outside.join(" ")));
    }
    lines.extend(dependencies.unread.iter().map(|(file, _)| format!("unread {}", names[*file as usize])));
    lines.extend(dependencies.unread_configuration.iter().map(|(name, _)| format!("unread {name}")));
    lines
}

#[track_caller]
fn check(what: &str, files: &[(&str, &str)], expected: &[&str]) {
    let (names, dependencies) = dependencies(files);
    assert_eq!(shown(&names, &dependencies), expected, "{what}");
}

#[test]
fn python() {
    check(
        "imports, from packages and of names in modules",
        &[
            ("p/__init__.py", "from .a import f\n"),
            ("p/a.py", "import os, p.q.b as c\nfrom . import d, nothing\n"),
            ("p/d.py", "def f():\n    from .q.b import *\n    from .missing import x\n    import p.gone\n"),
            ("p/q/__init__.py", ""),
            (
                "p/q/b.py",
                "from .. import a\nfrom ..a import f as g\nfrom .... import far\nimport numpy.linalg\n",
            ),
        ],
        &[
            "p/__init__.py -> p/a.py",
            "p/a.py -> p/__init__.py p/d.py p/q/__init__.py p/q/b.py",
            "p/d.py -> p/__init__.py p/q/__init__.py p/q/b.py",
            "p/q/b.py -> p/__init__.py p/a.py",
            "p/d.py:3 .missing",
            "p/d.py:4 p.gone",
            "p/q/b.py:3 ....",
            "outside numpy os",
        ],
    );
    check(
        "imports that are calls, and only for types",
        &[
            (
                "a.py",
                "import importlib\nx = importlib.import_module('b')\ny = __import__(\"c\")\nz = __import__(n)\n",
            ),
            (
                "b.py",
                "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from c import (  # why\n        D,\n    )\n",
            ),
            (
                "c.py",
                "import importlib\nimportlib.import_module(f'{b}')\nimportlib.import_module('.b', __package__)\n",
            ),
        ],
        &["a.py -> b.py c.py", "b.py -> c.py", "c.py -> b.py", "outside importlib typing"],
    );
    check(
        "several source roots",
        &[
            ("docs/conf.py", "import p\n"),
            ("src/p/__init__.py", "import q.m\n"),
            ("src/q/__init__.py", ""),
            ("src/q/m.py", ""),
            ("tests/logging.py", ""),
            ("tests/test_p.py", "import p.x, logging\nfrom q import m\nimport tool\n"),
            ("tests/tool.py", "import logging\n"),
            ("tools/x.py", "import logging\n"),
        ],
        &[
            "docs/conf.py -> src/p/__init__.py",
            "src/p/__init__.py -> src/q/__init__.py src/q/m.py",
            "tests/test_p.py -> src/q/__init__.py src/q/m.py tests/logging.py tests/tool.py",
            "tests/tool.py -> tests/logging.py",
            "tests/test_p.py:1 p.x",
            "outside logging",
        ],
    );
    check(
        "packages without __init__.py, in several roots, and stubs",
        &[
            ("one/src/ns/a/__init__.py", "from ns.b import f\nfrom ns import b\n"),
            ("one/src/ns/a/x.py", "from . import y\n"),
            ("one/src/ns/a/y.pyi", ""),
            ("two/src/ns/b/__init__.py", "import ns.a.x\nimport ns.c\n"),
            ("plain/u.py", "from . import v, w\n"),
            ("plain/v.py", ""),
        ],
        &[
            "one/src/ns/a/__init__.py -> two/src/ns/b/__init__.py",
            "one/src/ns/a/x.py -> one/src/ns/a/__init__.py one/src/ns/a/y.pyi",
            "plain/u.py -> plain/v.py",
            "two/src/ns/b/__init__.py -> one/src/ns/a/__init__.py one/src/ns/a/x.py",
            "plain/u.py:1 .w",
            "outside ns",
        ],
    );
    check(
        "a file with errors, cycles, and odd names",
        &[
            ("é ü/ñ.py", "from . import ж\n"),
            ("é ü/ж.py", "import ñ\nclass (:\n  def\nprint 'x'\n"),
            ("a b.py", "import a\nimport b\n"),
            ("b.py", ")))\nimport c\n"),
            ("c.py", "import b\n"),
        ],
        &[
            "a b.py -> b.py",
            "b.py -> c.py",
            "c.py -> b.py",
            "é ü/ñ.py -> é ü/ж.py",
            "é ü/ж.py -> é ü/ñ.py",
            "outside a",
        ],
    );
}

#[test]
fn javascript() {
    check(
        "all ways to import, and endings",
        &[
            (
                "a.js",
                "import x from './b';\nexport * from './c.js'\nimport('./d').then(f);\nimport fs from 'node:fs';",
            ),
            (
                "b.ts",
                "import d = require('./d');\nimport type {T} from './e.js';\n/// <reference path=\"g.d.ts\" />\n",
            ),
            (
                "c.js",
                "const a = require('./a'), r = require.resolve('./x/y');\nrequire(`./b`); require(v); require(`./${v}`)",
            ),
            ("d/index.tsx", "export const a = <B c={import('../missing')} />;\n"),
            ("e.tsx", "import '.'; import './data'; import './data.json'; import 'react/jsx';"),
            ("g.d.ts", "declare module './b' {}\nlet x: typeof import('./e');"),
            ("index.mjs", "export {a} from '@s/p/q';"),
            ("x/y.cjs", ""),
            ("data.json", "{}"),
        ],
        &[
            "a.js -> b.ts c.js d/index.tsx",
            "b.ts -> d/index.tsx e.tsx g.d.ts",
            "c.js -> a.js b.ts x/y.cjs",
            "e.tsx -> data.json index.mjs",
            "g.d.ts -> b.ts e.tsx",
            "d/index.tsx:1 ../missing",
            "outside @s/p node:fs react",
        ],
    );
    check(
        "packages of the tree",
        &[
            ("package.json", r#"{"name": "root", "workspaces": ["packages/*"]}"#),
            (
                "packages/a/package.json",
                r##"{"name": "@s/a", "main": "./dist/main.js", "imports": {"#in/*": "./src/in/*.ts"}}"##,
            ),
            (
                "packages/a/src/main.ts",
                "import '#in/x'; import '#in/y'; import '@s/b/sub/deep'; import '@s/b'",
            ),
            ("packages/a/src/in/x.ts", "import '@s/a'"),
            (
                "packages/b/package.json",
                r#"{"name": "@s/b", "exports": {".": {"import": "./lib/index.mjs", "default": "./src/index.js"}, "./sub/*": "./src/*.js"}}"#,
            ),
            ("packages/b/src/index.js", "require('left'); require('@s/b/none')"),
            ("packages/b/src/deep.js", ""),
            ("node_modules/left/package.json", r#"{"name": "left2", "main": "x"}"#),
            ("node_modules/left/x.js", "require('./package.json')"),
        ],
        &[
            "node_modules/left/x.js -> node_modules/left/package.json",
            "packages/a/src/in/x.ts -> packages/a/src/main.ts",
            "packages/a/src/main.ts -> packages/a/src/in/x.ts packages/b/src/deep.js packages/b/src/index.js",
            "packages/b/src/index.js -> node_modules/left/x.js",
            "packages/a/src/main.ts:1 #in/y",
            "packages/b/src/index.js:1 @s/b/none",
        ],
    );
    check(
        "tsconfig.json",
        &[
            (
                "tsconfig.base.json",
                "{ // base\n \"compilerOptions\": {\"paths\": {\"@/*\": [\"./gen/*\", \"./src/*\"], \"@/exact\": [\"../exact\"],},},\n}",
            ),
            (
                "app/tsconfig.json",
                "{/* a */ \"extends\": \"../tsconfig.base\", \"compilerOptions\": {\"baseUrl\": \".\"}}",
            ),
            ("app/src/a.ts", "import '@/b'; import '@/exact'; import 'src/c'; import '@/nothing'"),
            ("app/src/b.ts", ""),
            ("app/src/c.ts", ""),
            ("exact.ts", ""),
            ("web/tsconfig.json", "{\"references\": [{\"path\": \"./tsconfig.app.json\"}]}"),
            (
                "web/tsconfig.app.json",
                "{\"extends\": \"./tsconfig.json\", \"compilerOptions\": {\"paths\": {\"~/*\": [\"./*\"]}}}",
            ),
            ("web/x.tsx", "import '~/y'"),
            ("web/y.tsx", ""),
            ("bad/tsconfig.json", "{\"extends\": }"),
        ],
        &[
            "app/src/a.ts -> app/src/b.ts app/src/c.ts exact.ts",
            "web/x.tsx -> web/y.tsx",
            "outside @/nothing",
            "unread bad/tsconfig.json",
        ],
    );
    check(
        "a file with errors",
        &[
            ("a.ts", "import './b'\nimport './c'\nfunction ( {{{ \n"),
            ("b.ts", "import '../../x'"),
            ("c.ts", ""),
        ],
        &["a.ts -> b.ts c.ts", "b.ts:1 ../../x"],
    );
}

#[test]
fn java() {
    check(
        "imports, packages and names",
        &[
            (
                "src/main/java/a/A.java",
                "package a;\nimport b.B; import static b.C.x; import b.Missing; import java.util.*; import b.B.Inner;\n\
                 class A<T> extends Same { B own; T t; Map.Entry e; @Note void f() { b.c.Deep.g(); Lone.h(); var v = Ref::new; } }\n",
            ),
            (
                "src/main/java/a/Same.java",
                "package a;\nimport c.*;\nclass Same { OnDemand o; Outer.In p; Outer<A>.Entry q; }\n",
            ),
            (
                "src/main/java/a/Lone.java",
                "package a; class Lone { int Ref; void f(int Same) { Ref.x(); Same.y(); } }",
            ),
            ("src/main/java/a/Ref.java", "package a; class Ref { class Two { } Two two; }"),
            ("src/main/java/a/Note.java", "package a; @interface Note { }"),
            ("src/main/java/a/Entry.java", "package a; class Entry { }"),
            ("src/main/java/b/B.java", "package b; public class B { public static class Inner { } }"),
            (
                "src/main/java/b/C.java",
                "package b; import static a.A.*; public class C { public static int x; }",
            ),
            ("src/main/java/b/c/Deep.java", "package b.c; public class Deep { }"),
            ("src/main/java/c/OnDemand.java", "package c; public enum OnDemand { }"),
            ("src/main/java/c/Outer.java", "package c; public record Outer() { }"),
            ("src/test/java/a/ATest.java", "package a; class ATest { A a; Two two; }"),
        ],
        &[
            "src/main/java/a/A.java -> src/main/java/a/Lone.java src/main/java/a/Note.java src/main/java/a/Ref.java \
             src/main/java/a/Same.java src/main/java/b/B.java src/main/java/b/C.java src/main/java/b/c/Deep.java",
            "src/main/java/a/Same.java -> src/main/java/a/A.java src/main/java/c/OnDemand.java src/main/java/c/Outer.java",
            "src/main/java/b/C.java -> src/main/java/a/A.java",
            "src/test/java/a/ATest.java -> src/main/java/a/A.java",
            "src/main/java/a/A.java:2 b.Missing",
            "outside java.util",
        ],
    );
    check(
        "types of one name, without a package, and in a file with errors",
        &[
            ("m1/X.java", "class X { }"),
            ("m1/Y.java", "class Y { X x; void ( }"),
            ("m2/X.java", "class X { }"),
            ("m2/Y.java", "class Y { void f() { new X(); } "),
        ],
        &["m1/Y.java -> m1/X.java", "m2/Y.java -> m2/X.java"],
    );
}

#[test]
fn includes_in_c() {
    check(
        "beside, anywhere, and outside",
        &[
            ("inc/p/a.h", "#include \"b.h\"\n#include <stdio.h>\n"),
            ("inc/p/b.h", "#include <p/a.h>\n#include_next <b.h>\n"),
            (
                "src/x.c",
                "#include \"p/a.h\"\n# include /* c */ <p/b.h> // d\n#include \"none.h\"\n#include <zlib.h>\n",
            ),
            (
                "src/y.c",
                "const char *s = \"\\\n#include \\\"p/a.h\\\"\";\n/*\n#include \"p/a.h\" */\nint t[] = {\n#include \"t.def\"\n};\n#include MACRO\n",
            ),
            ("src/t.def", ""),
            ("one/stdio.h", ""),
            ("one/c.h", ""),
            ("two/c.h", ""),
            ("two/sub/z.c", "#include \"c.h\"\n"),
            (
                "w.cpp",
                "#include \"c.h\"\nauto s = R\"x(\n#include \"t.def\"\n)\")x\"; auto n = 1'000;\n#include \"src/t.def\"\n",
            ),
        ],
        &[
            "inc/p/a.h -> inc/p/b.h",
            "inc/p/b.h -> inc/p/a.h",
            "src/x.c -> inc/p/a.h inc/p/b.h",
            "src/y.c -> src/t.def",
            "two/sub/z.c -> two/c.h",
            "w.cpp -> src/t.def",
            "src/x.c:3 none.h",
            "src/y.c:8 MACRO",
            "w.cpp:1 c.h",
            "outside b.h stdio.h zlib.h",
        ],
    );
    let commands = r#"[
        {"directory": "/w/p/build", "file": "../src/x.c", "command": "cc -I ../one -I'../two' -isystem/usr/x -include pre.h -c ../src/x.c"},
        {"directory": "/w/p/build", "file": "/w/p/src/y.c", "arguments": ["cc", "-iquote", "/w/p/two", "-I/w/p/one", "-c", "y.c"]},
        {"directory": "/w/p", "file": "gone.c", "command": "cc"}
    ]"#;
    check(
        "where compile_commands.json says",
        &[
            ("build/compile_commands.json", commands),
            ("build/pre.h", ""),
            ("one/c.h", "#include_next <c.h>\n#include <stdio.h>\n"),
            ("one/stdio.h", ""),
            ("two/c.h", ""),
            ("src/x.c", "#include <c.h>\n"),
            ("src/y.c", "#include \"c.h\"\n#include <c.h>\n"),
            ("compile_commands.json", "[{]"),
        ],
        &[
            "one/c.h -> one/stdio.h two/c.h",
            "src/x.c -> build/pre.h one/c.h",
            "src/y.c -> one/c.h two/c.h",
            "unread compile_commands.json",
        ],
    );
}

#[test]
fn definitions_in_c() {
    check(
        "functions and variables with external linkage",
        &[
            (
                "a.c",
                "extern int v; int g(int), local; int main(void) { int h; h = g(v); return h + s() + M(1); }\n",
            ),
            (
                "b.c",
                "int v = 1, *w; static int s(void) { return 0; } int g(int x) { return s() + x; }\nint (*hook)(int);\n",
            ),
            ("c.c", "int h(void) { return 0; } int s2; inline int i(void) { return 1; }\n"),
            ("d.c", "#define M(x) m(x)\nint m(int q) { int s2 = q; return s2 ? hook(q) : i(); }\n"),
            ("m.h", "#define N(x) \\\n  (h(x))\nextern int s2;\nint g(int);\n"),
            (
                "old.c",
                "int old(a, b) int a; char *b; { return *w + a; }\nstruct t { int g; };\nint u(struct t *p) { return p->g; }\n",
            ),
            (
                "use.c",
                "int (*table[])(int) = { old, u };\n#ifdef h\n#endif\nint x(int (*g)(int)) { return g(1); }\n",
            ),
        ],
        &["a.c => b.c", "d.c => b.c", "m.h => c.c", "old.c => b.c", "use.c => old.c"],
    );
    check(
        "the nearest definition, if there is only one",
        &[
            ("a/f.c", "int f(void) { return 0; }"),
            ("a/x.c", "int g(void) { return f(); }"),
            ("b/f.c", "int f(void) { return 0; }"),
            ("c/x.c", "int k(void) { return f(); }"),
        ],
        &["a/x.c => a/f.c"],
    );
    check(
        "members of classes and namespaces",
        &[
            (
                "a.cpp",
                "#include \"a.h\"\nint A::f() { return 0; }\nconst int c = 1;\nnamespace { int hidden() { return 0; } }\n",
            ),
            (
                "a.h",
                "class A { public: int f(); int g() { return free_one(); } };\ntemplate <class T> T t() { return T(); }\n",
            ),
            (
                "b.cpp",
                "#include \"a.h\"\nint use(A &a) { return a.f() + c + hidden(); }\nnamespace n { int free_one() { return 1; } }\n",
            ),
            ("c.cc", "extern \"C\" int use_c() { return n::free_one() + t<int>(); }\n"),
        ],
        &["a.cpp -> a.h", "b.cpp -> a.h", "a.h => a.cpp b.cpp", "b.cpp => a.cpp", "c.cc => b.cpp"],
    );
}

#[test]
fn go() {
    check(
        "modules, packages and tests",
        &[
            (
                "go.mod",
                "// m\nmodule example.org/m // c\n\ngo 1.22\nreplace (\n\texample.org/r v1 => ./rep\n\tx => example.org/y v2\n)\n",
            ),
            (
                "main.go",
                "package main\nimport (\n\t\"fmt\"\n\t. \"example.org/m/p\"\n\tr `example.org/r/s`\n)\nimport \"example.org/m/none\"\n",
            ),
            ("p/a.go", "package p\nimport _ \"example.org/n/q\"\nfunc ("),
            ("p/b.go", "package p\nimport \"lib.org/v\"\n"),
            ("p/gen.go", "//go:build ignore\npackage main\n"),
            ("p/a_test.go", "package p_test\nimport \"example.org/m/p\"\n"),
            ("rep/s/s.go", "package s\n"),
            ("n/go.mod", "module \"example.org/n\"\n"),
            ("n/q/q.go", "package q\nimport \"example.org/m/only_tests\"\nimport \"C\"\n"),
            ("only_tests/x_test.go", "package x\n"),
            ("vendor/lib.org/v/v.go", "package v\n"),
        ],
        &[
            "main.go -> p/a.go p/b.go rep/s/s.go",
            "p/a.go -> n/q/q.go p/b.go",
            "p/a_test.go -> p/a.go p/b.go p/gen.go",
            "p/b.go -> p/a.go vendor/lib.org/v/v.go",
            "main.go:7 example.org/m/none",
            "n/q/q.go:2 example.org/m/only_tests",
            "outside C fmt",
        ],
    );
    let names: Vec<String> = (0..300).map(|number| format!("p/f{number:03}.go")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "package p")).collect();
    let (_, dependencies) = dependencies(&files);
    assert_eq!(
        (dependencies.needs.edge_count(), dependencies.needs.targets(7)),
        (598, &[0][..]),
        "a large package"
    );
}

#[test]
fn languages_together() {
    check(
        "each language resolves its own files only",
        &[
            ("a.py", "import b"),
            ("b.js", "import './a'; import './b.py'"),
            ("b.py", ""),
            ("a.c", "#include \"b.py\""),
            ("Makefile", "import b"),
        ],
        &["a.c -> b.py", "a.py -> b.py", "b.js -> b.py", "b.js:1 ./a"],
    );
    assert!(
        language_of(".py").is_none()
            && language_of("a/b.d.ts").is_some_and(|found| found.name == "javascript")
    );
    assert!(is_configuration("x/tsconfig.lib.json") && !is_configuration("x/tsconfig.js"));
}

#[test]
fn references_survive_being_stored() {
    let found = references("a.c", b"#include <x.h>\nint f(void) { return g(); }");
    let stored = serde_json::to_string(&found).unwrap();
    assert_eq!(serde_json::from_str::<References>(&stored).unwrap(), found);
    assert_eq!(found.definitions, ["f".into()]);
}

/// Texts that break parsers: nesting, one huge line, bytes that are no text, and endings in the middle.
#[test]
fn hostile_texts() {
    let deep = |open: &str, middle: &str, close: &str| {
        [open.repeat(3_000).as_str(), middle, &close.repeat(3_000)].concat()
    };
    let texts = [
        deep("(", "x", ")"),
        deep("{", "", "}"),
        deep("[", "", ""),
        deep("a.", "b", ""),
        deep("f(", "1", ")"),
        deep("class A { ", "B b;", "}"),
        deep("namespace a {", "", "}"),
        deep("if (x) ", "y;", ""),
        deep("*", "p", ""),
        deep("A<", "B", ">"),
        deep("x = ", "y", ""),
        // The parser takes time that grows with the square of the number of quotes until it is stopped.
        ["\"".repeat(500), "'".repeat(500)].concat(),
        "/*".repeat(200),
        "#if 1\n".repeat(200),
        "import ".repeat(200),
        "\u{0}\u{1}ELF".repeat(1000),
        "R\"(".repeat(1000),
        "#include \"".to_owned(),
        "#include".to_owned(),
        "#".to_owned(),
        "\\".to_owned(),
        "'\\".to_owned(),
        format!("x = \"{}\"", "y".repeat(50_000)),
        ["import a", &", a".repeat(3_000)].concat(),
        "\u{feff}import a\r\nimport b\r".to_owned(),
        String::new(),
    ];
    for (number, text) in texts.iter().enumerate() {
        for name in ["a.py", "a.js", "a.ts", "a.tsx", "A.java", "a.c", "a.h", "a.cpp", "a.go"] {
            let found = references(name, text.as_bytes());
            let (_, dependencies) =
                dependencies(&[(name, text), ("b.py", "import a"), ("tsconfig.json", text)]);
            assert_eq!(dependencies.needs.file_count(), 3, "text {number} as {name}");
            assert!(found.mentions.len() <= text.len(), "text {number} as {name}");
        }
    }
    let bytes: Vec<u8> = (1..=255).cycle().take(5_000).collect();
    for name in ["a.py", "a.js", "a.ts", "A.java", "a.c", "a.cpp", "a.go"] {
        assert_eq!(references(name, &bytes).definitions.len(), 0, "{name}");
        assert!(
            references(name, b"\x00").unread.is_some_and(|reason| reason.contains("zero bytes")),
            "{name}"
        );
    }
    assert!(references("a.py", &vec![b' '; 17 << 20]).unread.is_some_and(|reason| reason.contains("16 MiB")));
}
