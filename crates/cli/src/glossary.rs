//! The terms of juvenal, in one list: `juvenal explain` shows the pages, and the table in ARCHITECTURE.md is made of the
//! rows.

/// A term, or a few that are explained together.
pub struct Term {
    pub names: &'static [&'static str],
    /// What they mean, as a row of the table in ARCHITECTURE.md. Kinds, evidence and verdicts have no row of their own.
    row: Option<&'static str>,
    /// The pages of `juvenal explain`: one for each name, or one for all. Without any, the row is the page.
    pages: &'static [&'static str],
}

impl Term {
    /// The page of `juvenal explain NAME`: its title and its text.
    pub fn page(&self, name: &str) -> (String, &'static str) {
        let index = self.names.iter().position(|known| *known == name).unwrap_or(0);
        match self.pages {
            [] => (self.names.join(", "), self.row.unwrap_or_default()),
            [page] => (self.names.join(", "), page),
            pages => (name.to_owned(), pages.get(index).copied().unwrap_or_default()),
        }
    }
}

/// The term of this name.
pub fn find(name: &str) -> Option<&'static Term> {
    TERMS.iter().find(|term| term.names.contains(&name))
}

/// All terms; those with a row are in the order of the table. Kinds that no technique finds are left out.
pub const TERMS: &[Term] = &[
    row(
        &["analyzer"],
        "a program under test, at a version, with a configuration: `z3@4.8.12:smt.arith.solver=2`",
    ),
    row_and_pages(
        &["subject", "witness"],
        "an analyzer under test in a campaign; an analyzer that helps to judge",
        &[
            "An analyzer under test in a campaign: techniques ask it, and findings accuse it. `--analyzer` names the subjects.",
            "An analyzer that helps to judge a finding: it is asked about the input and about the answer that juvenal claims is right. Unless `--witness` names some, all other analyzers on the machine are witnesses.",
        ],
    ),
    row(
        &["role"],
        "one way to use an analyzer: `smt`; `reachability` (can this check fail?); `debug` (what is known at this check?); `warnings` (bug finders); `datalog`",
    ),
    row(
        &["input"],
        "plain data: an SMT-LIB script, a C program with checks and assumptions, or a Datalog program",
    ),
    row(&["check"], "one numbered condition in a C program whose status the analyzer must state"),
    row(&["query"], "one input for one analyzer, with a role, a mode and limits"),
    row(
        &["mode"],
        "how a solver is driven: a process for each script, `(reset)` between scripts, or `push` and `pop` around each",
    ),
    row_and_pages(
        &["request", "transcript"],
        "everything that an analyzer is given; what it printed and how it ended",
        &[
            "Everything that an analyzer is given for a query: the rendered input, every file next to it, the command lines, the environment and the limits. The hash of the request and of the program is the key under which the answer is recorded.",
            "What an analyzer printed for a request, and how it ended. It is recorded with the answer. If the description or the code that reads outputs changes, the transcript is read again, and the analyzer need not run again.",
        ],
    ),
    row_and_pages(
        &["answer", "verdict"],
        "the verdict with its cost; one of `Claim`, `Unknown`, `Limit`, `Crash`, `Rejected`, `Unreadable`",
        &[
            "The verdict of an analyzer on a query, with its cost in time and memory. Each answer is recorded before it is used, so a campaign that was interrupted continues without asking the same again.",
            "What the output of an analyzer means: claim, unknown, limit, crash, rejected or unreadable. Each has a page of its own.",
        ],
    ),
    row_and_pages(
        &["technique", "case"],
        "a way to produce exhibits; one walk of it on one seed",
        &[
            "A way to produce exhibits. A technique says what to ask next, judges the answers, and proposes smaller inputs; it runs nothing. `juvenal explain` without a name lists all techniques, each of which has a manual page.",
            "One walk of a technique on one seed: some hundreds of inputs for one analyzer. A campaign is a sequence of numbered cases; the same number with the same answers gives the same walk.",
        ],
    ),
    row_and_pages(
        &["exhibit"],
        "queries, and the relation between their answers that must hold and does not",
        &[
            "A few queries and a relation between their answers that must hold and does not. An exhibit that breaks its relation twice more in fresh processes becomes a finding.",
        ],
    ),
    row(&["evidence"], "the strength of the case: `proved`, `contradiction` or `suspicion`"),
    row_and_pages(
        &["finding", "bug"],
        "a confirmed exhibit with its evidence; a group of findings with one fingerprint",
        &[
            "A confirmed exhibit: its queries as they were and reduced, the answers, and the evidence. Each has a directory in `findings`; `juvenal findings DIR F1` shows the finding F1, and `juvenal replay DIR F1` asks its queries again.",
            "A group of findings with one fingerprint, which probably have one cause. `juvenal findings DIR B1` lists the findings of the bug B1, and the report shows the best of them.",
        ],
    ),
    row(&["campaign"], "numbered cases in one directory, with a plan and a store"),
    row_and_pages(
        &["job", "unit"],
        "a task such as a hunt or a comparison; one numbered, independent part of it",
        &[
            "A task that consists of numbered units: a hunt, a comparison, judging, generating, a round of `juvenal tune` or of `juvenal split`. All jobs share the workers, the budget and the progress.",
            "One numbered, independent piece of a job, such as a case of a hunt. Units run in any order on any worker, and their outcomes are recorded in the order of their numbers.",
        ],
    ),
    row_and_pages(
        &["tool", "part"],
        "a program that `juvenal split` runs on a project; files that one run of it analyzes",
        &[
            "A program that `juvenal split` runs on a project: a linter, a type checker or a static analyzer that reports results at places in files. `juvenal split --list` lists the tools that have a description.",
            "The files of a project that one run of a tool analyzes. A part owns some files, and results about these count; it may also have the files that these depend on. Each file is owned by one part.",
        ],
    ),
    page(
        &["soundness"],
        &[
            "Kind of a finding. The analyzer rules out something that can happen: a solver answers unsat on a script that has a model, a verifier reports a check as verified although an execution violates it. Users who rely on the answer have false assurance.",
        ],
    ),
    page(
        &["invalid-model"],
        &[
            "Kind of a finding. The solver answers sat, and the model that it prints makes an assertion false. Only complete models are judged: a symbol that the model omits may have any value.",
        ],
    ),
    page(
        &["precision"],
        &[
            "Kind of a finding. A verifier cannot prove a check that holds, although it proves it in a related program; the finding is proved if the program was run on every input. Or the engine of a static analyzer does not know, or denies, what follows from a condition that it has just assumed.",
        ],
    ),
    page(
        &["false-warning"],
        &[
            "Kind of a finding. A false positive: a bug finder warns of an error, but the only execution of the program follows the path of the warning and passes that point without the error.",
        ],
    ),
    page(
        &["missed"],
        &[
            "Kind of a finding. A false negative: the only execution of a program has an error, and a bug finder with a checker for it reports nothing. If its authors document that they miss such errors by design, the finding is a suspicion.",
        ],
    ),
    page(
        &["crash"],
        &[
            "Kind of a finding, and a verdict. The analyzer was killed by a signal or reported an internal failure. Crashes are distinguished by their signature, which omits addresses and numbers.",
        ],
    ),
    page(
        &["refusal"],
        &[
            "Kind of a finding. The analyzer refuses a valid input made of parts that it accepted before. Refusals that its description expects are counted, not reported.",
        ],
    ),
    page(
        &["proved"],
        &[
            "Evidence. Independent evidence that can be executed shows that the analyzer is wrong: for a solver's unsat, an assignment that makes every assertion true, checked by juvenal's evaluator and confirmed by a second judge; for a verified check of a C program, inputs with which the compiled program violates it.",
        ],
    ),
    page(
        &["contradiction"],
        &[
            "Evidence. The analyzer contradicts itself, or is contradicted only by juvenal's own evaluator; no second judge could decide.",
        ],
    ),
    page(&["suspicion"], &["Evidence. Other analyzers disagree, and nothing settles which is right."]),
    page(
        &["claim"],
        &[
            "Verdict. The analyzer gave a definite answer: sat or unsat for a solver, verified or violated for the checks of a C program. Answers after an error are not claims unless the description lists that error as harmless or as a failed check.",
        ],
    ),
    page(&["unknown"], &["Verdict. The analyzer reports that it does not know. Counted, never a finding."]),
    page(
        &["limit"],
        &[
            "Verdict. The run was ended by a limit on time, memory or output, juvenal's or the analyzer's own. Counted, never a finding.",
        ],
    ),
    page(&["rejected"], &["Verdict. The analyzer refused the input with an error message."]),
    page(
        &["unreadable"],
        &[
            "Verdict. The output matches no rule of the description: garbage around an answer, too few or too many answers, an exit code that contradicts the answer. Counted and shown, never taken as an answer.",
        ],
    ),
    page(
        &["seed"],
        &[
            "A file that cases start from: an SMT-LIB script (.smt2), from whose predicates and declarations new scripts are built, or a C program (.c, .i), which gets checks and assumptions between its statements. A task definition of SV-COMP (.yml) names a program with its data model, ILP32 or LP64; without one it is LP64. A C program is preprocessed with gcc, cc or clang if necessary, with its own directory searched for headers, and skipped if it does not compile. A Datalog program (.dl) is in Soufflé's language, with the files of facts that `.input` names in its own directory, or (.datalog) in that of bddbddb. Each technique takes the seeds of its language. `--seeds` names your own files; `--seed` is unrelated: it sets the number from which all random choices are derived.",
        ],
    ),
    page(
        &["fingerprint"],
        &[
            "What the reduced inputs of a bug have in common: the operators, the tactic, the mode, or where it crashed. Findings with the same fingerprint are one bug with several hits.",
        ],
    ),
    page(
        &["recipe", "ingredient"],
        &[
            "What `juvenal tune` tries. A recipe is one or several analyses that run in sequence; each of them is an ingredient, an analyzer with options. An ingredient may assume what the earlier ones have verified.",
        ],
    ),
    page(
        &["vacuity"],
        &[
            "How much of the work was wasted: the share of answers without a claim, and the share of inputs that repeat earlier ones. Both should be small; if they are not, the seeds or the description do not suit the analyzer.",
        ],
    ),
];

const fn row(names: &'static [&'static str], row: &'static str) -> Term {
    Term { names, row: Some(row), pages: &[] }
}

const fn page(names: &'static [&'static str], page: &'static [&'static str; 1]) -> Term {
    Term { names, row: None, pages: page }
}

const fn row_and_pages(
    names: &'static [&'static str],
    row: &'static str,
    pages: &'static [&'static str],
) -> Term {
    Term { names, row: Some(row), pages }
}

#[cfg(test)]
mod tests {
    use super::TERMS;
    use std::fmt::Write;
    use std::fs;

    const START: &str = "| term | meaning |\n|---|---|\n";

    #[test]
    fn the_table_in_the_architecture_is_this_list() {
        let path = test_support::repository().join("ARCHITECTURE.md");
        let stored = fs::read_to_string(&path).unwrap();
        let (before, after) = stored.split_once(START).unwrap();
        let rest = &after[after.find("\n\n").unwrap()..];
        let mut table = String::new();
        for term in TERMS {
            if let Some(row) = term.row {
                writeln!(table, "| {} | {row} |", term.names.join(", ")).unwrap();
            }
        }
        let expected = format!("{before}{START}{}{rest}", table.trim_end());
        if std::env::var_os("JUVENAL_UPDATE").is_some() {
            fs::write(&path, &expected).unwrap();
        }
        let is_same = fs::read_to_string(&path).unwrap() == expected;
        assert!(is_same, "the glossary has changed; run JUVENAL_UPDATE=1 cargo test -p juvenal glossary");
    }

    #[test]
    fn every_name_has_a_page() {
        for term in TERMS {
            assert!(term.pages.len() <= 1 || term.pages.len() == term.names.len(), "{:?}", term.names);
            for name in term.names {
                assert!(!term.page(name).1.is_empty(), "{name}");
            }
        }
        let page = |name: &str| super::find(name).unwrap().page(name);
        assert!(page("subject").1.contains("under test") && page("witness").1.contains("helps to judge"));
        assert_eq!(page("ingredient").0, "recipe, ingredient");
    }

    #[test]
    fn terms_are_listed_once() {
        let mut names: Vec<&str> = TERMS.iter().flat_map(|term| term.names).copied().collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
