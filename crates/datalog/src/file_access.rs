//! Finds statements of a program that make an engine load code, or read or write files of the program's choice.
//!
//! Only Soufflé gets statements that juvenal does not model; everything else in a program is written by juvenal.

use crate::Program;

/// What loads code, includes files, changes how the engine is called, or names files, in statements without white space.
const WORDS: [&str; 6] = [".include", ".functor", ".pragma", "filename=", "dbname=", "-dir="];

/// The first statement that touches files, as a text to show.
pub fn file_access(program: &Program) -> Option<String> {
    program.opaque.iter().find(|statement| touches_file(statement)).map(|statement| {
        let line: String = statement.split_whitespace().collect::<Vec<_>>().join(" ");
        line.chars().take(80).collect()
    })
}

/// A plain `.input` reads `NAME.facts` of the directory of the run, where there is no such file.
fn touches_file(statement: &str) -> bool {
    // A comment may stand between any two tokens. What looks like one may be in a string, so both texts count.
    let dense = [statement, &without_comments(statement)]
        .map(|text| text.split_whitespace().collect::<String>().to_ascii_lowercase());
    // Soufflé calls a preprocessor, which obeys directives even within strings that span lines.
    let is_directive = |line: &str| line.trim_start().starts_with('#');
    WORDS.iter().any(|word| dense.iter().any(|text| text.contains(word)))
        || statement.lines().any(is_directive)
}

fn without_comments(statement: &str) -> String {
    let mut text = String::with_capacity(statement.len());
    let mut rest = statement;
    while let Some(start) = rest.find("/*").into_iter().chain(rest.find("//")).min() {
        text.push_str(&rest[..start]);
        let (end, length) = if rest[start..].starts_with("/*") { ("*/", 2) } else { ("\n", 1) };
        let inside = &rest[start + 2..];
        rest = inside.find(end).map_or("", |place| &inside[place + length..]);
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = ".decl a(x: number)\n.decl b(x: number)\nb(1).\n.output b\n";

    fn check(statement: &str, expected: bool) {
        let program = crate::parse("program", &format!("{HEAD}{statement}\n")).unwrap();
        assert_eq!(file_access(&program).is_some(), expected, "{statement}: {:?}", program.opaque);
    }

    #[test]
    fn statements_that_touch_files_are_found() {
        check(".include \"/tmp/x.dl\"", true);
        check(".functor f(x: number): number", true);
        check(".input a(IO=file, filename=\"/etc/passwd\")", true);
        check(".input a(IO=file, filename/**/ = \"/etc/passwd\")", true);
        check(".input a(IO=file, filename // the name\n = \"/etc/passwd\")", true);
        check(".input a(IO=file, delimiter=\"/*\", filename=\"/etc/passwd\", x=\"*/\")", true);
        check(".input a(IO=sqlite, dbname=\"/tmp/x\")", true);
        check(".comp C { .decl c(x: number)\n .output c(filename=\"/tmp/x\") }\n.init i = C", true);
    }

    #[test]
    fn other_statements_are_left_alone() {
        check("a(x) :- b(x).", false);
        check(".comp C { .decl c(x: number)\n .output c }\n.init i = C", false);
        check(".limitsize b(n=3)", false);
        check("a(filename) :- b(filename).", false);
        // Juvenal prints the modelled part itself, so neither of these reaches an engine.
        check(".pragma \"output-dir\" \"/tmp\"", false);
        check(".output a(IO=file, filename=\"/tmp/x\")", false);
    }
}
