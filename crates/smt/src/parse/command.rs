//! Reading commands.

use crate::parse::lexer::{ErrorAt, Token, TokenKind};
use crate::parse::parser::{Parser, SortMeaning};
use crate::print;
use crate::script::Command;
use crate::term::TermId;
use crate::term::function::{Definition, FunctionInfo, FunctionKind};
use crate::term::sort::{Sort, SortId};
use crate::term::symbol::SymbolId;

/// Commands of solvers and of extensions of the standard, which are kept as written.
pub(crate) const EXTENSIONS: &[&str] = &[
    "add_rule",
    "apply",
    "assert-not",
    "assert-rewrite",
    "assert-soft",
    "block-model",
    "block-model-values",
    "check-synth",
    "check-synth-next",
    "constraint",
    "declare-heap",
    "declare-map",
    "declare-oracle-fun",
    "declare-pool",
    "declare-rel",
    "declare-tactic",
    "declare-var",
    "display",
    "display-dimacs",
    "eval",
    "find-synth",
    "find-synth-next",
    "fixedpoint-pop",
    "fixedpoint-push",
    "get-abduct",
    "get-abduct-next",
    "get-consequences",
    "get-difficulty",
    "get-info-all",
    "get-interpolant",
    "get-interpolant-next",
    "get-learned-literals",
    "get-objectives",
    "get-model-domain-elements",
    "get-proof-graph",
    "get-qe",
    "get-qe-disjunct",
    "get-timeout-core",
    "get-timeout-core-assuming",
    "get-unsat-core-lemmas",
    "get-user-tactics",
    "help",
    "help-tactic",
    "include",
    "inv-constraint",
    "labels",
    "maximize",
    "minimize",
    "model-add",
    "model-del",
    "model-eval",
    "query",
    "rule",
    "set-feature",
    "set-simplifier",
    "simplify",
    "synth-fun",
    "synth-inv",
];

impl<'a> Parser<'a> {
    /// Reads a command whose opening parenthesis, at `start`, has been read.
    pub(crate) fn command(&mut self, start: usize) -> Result<Command, ErrorAt> {
        let name = self.expect_name("the name of a command")?;
        let command = match name.text {
            "set-logic" => self.set_logic()?,
            "set-option" => self.set_option()?,
            "set-info" => {
                let (keyword, value) = self.attribute()?;
                Command::SetInfo { keyword, value }
            }
            "declare-sort" => self.declare_sort()?,
            "define-sort" => self.define_sort()?,
            "declare-datatype" | "declare-codatatype" => return self.declare_datatype(start),
            "declare-datatypes" | "declare-codatatypes" => return self.declare_datatypes(start),
            "declare-fun" => self.declare_fun()?,
            "declare-const" => self.declare_const()?,
            "define-fun" => self.define_fun(false)?,
            "define-fun-rec" => self.define_fun(true)?,
            "define-const" => self.define_const()?,
            "define-funs-rec" => self.define_funs_rec()?,
            "assert" => self.assert()?,
            "check-sat-assuming" => {
                let open = self.expect_open("`(` before the assumptions")?;
                let assumptions = self.terms_to_close()?;
                for assumption in &assumptions {
                    self.check_sort(*assumption, SortId::BOOL, "the sort of an assumption", open.start)?;
                }
                Command::CheckSatAssuming(assumptions)
            }
            "get-value" => {
                self.expect_open("`(` before the terms")?;
                Command::GetValue(self.terms_to_close()?)
            }
            "check-sat-using" => Command::CheckSatUsing(self.rest_of_command()?),
            "push" => {
                let count = self.level_count()?;
                self.push_levels(count);
                Command::Push(count)
            }
            "pop" => {
                let count = self.level_count()?;
                self.pop_levels(count, start)?;
                Command::Pop(count)
            }
            "echo" => Command::Echo(self.expect(TokenKind::String, "a string")?.text.to_owned()),
            "get-info" => Command::GetInfo(self.expect(TokenKind::Keyword, "a keyword")?.text.to_owned()),
            "get-option" => Command::GetOption(self.expect(TokenKind::Keyword, "a keyword")?.text.to_owned()),
            "reset" => {
                self.reset();
                Command::Reset
            }
            "reset-assertions" => {
                self.reset_assertions();
                Command::ResetAssertions
            }
            text => match simple_command(text) {
                Some(command) => command,
                None => return self.extension(name, start),
            },
        };
        self.expect_close("`)` at the end of the command")?;
        Ok(command)
    }

    fn extension(&mut self, name: Token<'a>, start: usize) -> Result<Command, ErrorAt> {
        let is_known =
            EXTENSIONS.contains(&name.text) || name.text.starts_with("dbg-") || name.text.contains('/');
        if !is_known {
            let message = format!("expected a command, found `{}`, which no known solver has", name.text);
            return Err(ErrorAt::new(name.start, message));
        }
        if matches!(name.text, "declare-var" | "declare-rel") {
            self.declare_fixedpoint_symbol(name.text == "declare-rel")?;
        }
        let end = self.lexer.skip_to_close(start)?;
        Ok(Command::Other(self.lexer.slice(start, end).to_owned()))
    }

    /// The symbol that `declare-var` or `declare-rel` declares; the text of the command is kept elsewhere.
    fn declare_fixedpoint_symbol(&mut self, is_relation: bool) -> Result<(), ErrorAt> {
        let name = self.expect_name("the name of a symbol")?;
        let (parameters, result) = match is_relation {
            true => (self.sort_list()?, SortId::BOOL),
            false => (Vec::new(), self.sort()?),
        };
        self.declare(name, function_info(&parameters, result, FunctionKind::Declared, false))?;
        Ok(())
    }

    fn set_logic(&mut self) -> Result<Command, ErrorAt> {
        let name = self.expect_name("the name of a logic")?;
        self.numerals_are_real = ["LRA", "NRA", "NRAT", "RDL"].iter().any(|end| name.text.ends_with(end));
        self.is_higher_order = name.text.starts_with("HO_");
        Ok(Command::SetLogic(self.terms.intern_symbol(name.text)))
    }

    fn set_option(&mut self) -> Result<Command, ErrorAt> {
        let (keyword, value) = self.attribute()?;
        if keyword == ":global-declarations" {
            self.global_declarations = value == "true";
        }
        Ok(Command::SetOption { keyword, value })
    }

    /// A keyword and the text of what follows up to the closing parenthesis.
    fn attribute(&mut self) -> Result<(String, String), ErrorAt> {
        let keyword = self.expect(TokenKind::Keyword, "a keyword")?.text.to_owned();
        Ok((keyword, self.rest_of_command()?))
    }

    /// The text up to the parenthesis that closes the command, which is not consumed.
    fn rest_of_command(&mut self) -> Result<String, ErrorAt> {
        let start = self.lexer.peek()?.start;
        let mut end = start;
        loop {
            let token = self.lexer.peek()?;
            match token.kind {
                TokenKind::Close | TokenKind::End => return Ok(self.lexer.slice(start, end).to_owned()),
                _ => {
                    self.lexer.skip_expression()?;
                    end = self.lexer.position();
                }
            }
        }
    }

    fn level_count(&mut self) -> Result<u32, ErrorAt> {
        if self.lexer.peek()?.kind == TokenKind::Close {
            return Ok(1);
        }
        let position = self.lexer.peek()?.start;
        let count = self.expect_number("a number of levels")?;
        if count > 1_000_000 {
            return Err(ErrorAt::new(position, format!("expected at most 1000000 levels, found `{count}`")));
        }
        Ok(count)
    }

    // Sorts.

    fn declare_sort(&mut self) -> Result<Command, ErrorAt> {
        let token = self.expect_name("the name of a sort")?;
        let arity = match self.lexer.peek()?.kind {
            // z3 takes a missing arity for 0.
            TokenKind::Close => 0,
            _ => self.expect_number("the number of arguments of the sort")?,
        };
        let base = self.terms.intern_symbol(token.text);
        let symbol = self.terms.new_sort_symbol(base);
        self.sorts.add(base, SortMeaning::Declared { symbol, arity });
        Ok(Command::DeclareSort { name: symbol, arity })
    }

    fn define_sort(&mut self) -> Result<Command, ErrorAt> {
        let token = self.expect_name("the name of a sort")?;
        self.expect_open("`(` before the sort parameters")?;
        let mark = self.sorts.mark();
        let (mut names, mut placeholders) = (Vec::new(), Vec::new());
        while !self.accept(TokenKind::Close)? {
            let name = self.expect_name("a sort parameter")?;
            let name = self.terms.intern_symbol(name.text);
            let placeholder = self.terms.new_sort_symbol(name);
            let placeholder = self.terms.intern_sort(Sort::Opaque(placeholder));
            self.sorts.add(name, SortMeaning::Parameter(placeholder));
            names.push(name);
            placeholders.push(placeholder);
        }
        self.opaque_parameter = false;
        let start = self.lexer.peek()?.start;
        let body = self.sort()?;
        let text = self.lexer.slice(start, self.lexer.position()).to_owned();
        self.sorts.cut(mark);
        let name = self.terms.intern_symbol(token.text);
        let keeps_name = self.opaque_parameter;
        self.sorts.add(name, SortMeaning::Defined { parameters: placeholders, body, keeps_name });
        Ok(Command::DefineSort { name, parameters: names, body: text })
    }

    fn sort_list(&mut self) -> Result<Vec<SortId>, ErrorAt> {
        self.expect_open("`(` before the sorts of the parameters")?;
        let mut sorts = Vec::new();
        while !self.accept(TokenKind::Close)? {
            sorts.push(self.sort()?);
        }
        Ok(sorts)
    }

    // Functions.

    fn declare_fun(&mut self) -> Result<Command, ErrorAt> {
        let name = self.expect_name("the name of a function")?;
        let parameters = self.sort_list()?;
        let result = self.sort()?;
        let info = function_info(&parameters, result, FunctionKind::Declared, false);
        Ok(Command::DeclareFun(self.declare(name, info)?))
    }

    fn declare_const(&mut self) -> Result<Command, ErrorAt> {
        let name = self.expect_name("the name of a constant")?;
        let result = self.sort()?;
        let info = function_info(&[], result, FunctionKind::Declared, false);
        Ok(Command::DeclareConst(self.declare(name, info)?))
    }

    fn define_const(&mut self) -> Result<Command, ErrorAt> {
        let name = self.expect_name("the name of a constant")?;
        let result = self.sort()?;
        let body = self.body_of_sort(result)?;
        let mut info = function_info(&[], result, FunctionKind::Defined, false);
        info.definition = Some(Definition { variables: Box::new([]), body });
        Ok(Command::DefineConst(self.declare(name, info)?))
    }

    fn define_fun(&mut self, recursive: bool) -> Result<Command, ErrorAt> {
        let Signature { name, named, mut info } = self.signature(recursive)?;
        if recursive {
            let symbol = self.declare(name, info)?;
            let result = self.terms.function(symbol).map_or(SortId::UNKNOWN, |info| info.result);
            let definition = self.definition(&named, result)?;
            self.terms.define_function(symbol, definition);
            return Ok(Command::DefineFunRec(symbol));
        }
        // The name is not in scope in its own body, so it is declared after it.
        info.definition = Some(self.definition(&named, info.result)?);
        Ok(Command::DefineFun(self.declare(name, info)?))
    }

    fn define_funs_rec(&mut self) -> Result<Command, ErrorAt> {
        self.expect_open("`(` before the signatures")?;
        let mut declared = Vec::new();
        while !self.accept(TokenKind::Close)? {
            self.expect_open("`(` before a signature")?;
            let Signature { name, named, info } = self.signature(true)?;
            self.expect_close("`)` after a signature")?;
            let result = info.result;
            declared.push((self.declare(name, info)?, named, result));
        }
        self.expect_open("`(` before the bodies")?;
        for (symbol, named, result) in &declared {
            let definition = self.definition(named, *result)?;
            self.terms.define_function(*symbol, definition);
        }
        self.expect_close("`)` after as many bodies as there are signatures")?;
        Ok(Command::DefineFunsRec(declared.into_iter().map(|(symbol, ..)| symbol).collect()))
    }

    /// Reads `f ((x S) ...) R`.
    fn signature(&mut self, recursive: bool) -> Result<Signature<'a>, ErrorAt> {
        let name = self.expect_name("the name of a function")?;
        self.expect_open("`(` before the parameters")?;
        let named = self.sorted_names()?;
        let result = self.sort()?;
        let parameters: Vec<SortId> = named.iter().map(|(_, sort)| *sort).collect();
        let info = function_info(&parameters, result, FunctionKind::Defined, recursive);
        Ok(Signature { name, named, info })
    }

    /// Reads a body in which the parameters are bound.
    fn definition(&mut self, named: &[(SymbolId, SortId)], result: SortId) -> Result<Definition, ErrorAt> {
        let first_shadowed = self.shadowed.len();
        let variables = self.bind_variables(named)?;
        let body = self.body_of_sort(result)?;
        self.unbind_locals(first_shadowed);
        self.release_variables(&variables);
        Ok(Definition { variables: variables.into(), body })
    }

    fn body_of_sort(&mut self, expected: SortId) -> Result<TermId, ErrorAt> {
        let position = self.lexer.peek()?.start;
        let body = self.term()?;
        self.check_sort(body, expected, "the sort of the body", position)?;
        Ok(body)
    }

    fn assert(&mut self) -> Result<Command, ErrorAt> {
        let position = self.lexer.peek()?.start;
        let term = self.term()?;
        self.check_sort(term, SortId::BOOL, "the sort of an assertion", position)?;
        Ok(Command::Assert(term))
    }

    fn check_sort(&self, term: TermId, expected: SortId, what: &str, position: usize) -> Result<(), ErrorAt> {
        let found = self.terms.sort(term);
        if self.terms.compatible(expected, found) {
            return Ok(());
        }
        let (expected, found) = (print::sort(&self.terms, expected), print::sort(&self.terms, found));
        Err(ErrorAt::new(position, format!("expected {expected} as {what}, found {found}")))
    }
}

/// The part of a definition before its body.
struct Signature<'a> {
    name: Token<'a>,
    named: Vec<(SymbolId, SortId)>,
    info: FunctionInfo,
}

fn function_info(parameters: &[SortId], result: SortId, kind: FunctionKind, recursive: bool) -> FunctionInfo {
    FunctionInfo {
        parameters: parameters.into(),
        result,
        kind,
        definition: None,
        recursive,
        name_reused: false,
    }
}

/// Commands without arguments.
fn simple_command(name: &str) -> Option<Command> {
    Some(match name {
        "check-sat" => Command::CheckSat,
        "get-assertions" => Command::GetAssertions,
        "get-assignment" => Command::GetAssignment,
        "get-model" => Command::GetModel,
        "get-proof" => Command::GetProof,
        "get-unsat-assumptions" => Command::GetUnsatAssumptions,
        "get-unsat-core" => Command::GetUnsatCore,
        "exit" => Command::Exit,
        _ => return None,
    })
}
