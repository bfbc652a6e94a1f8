//! Parses the language of bddbddb as z3 reads it: domains with sizes, relations over them, facts and rules.
//!
//! Domains become signed numbers. Their values are small and never negative, so every number type orders them in the same
//! way. Signed numbers are the type that all engines have and that counts return.

use super::clause;
use super::cursor::Cursor;
use super::error::{Failure, StatementError, invalid};
use super::expand::is_modelled;
use super::lexer::{Dialect, Kind, Source};
use super::lower::Lowering;
use super::syntax::Clause;
use crate::program::{Program, Relation, RelationId, Type};
use model::SyntaxError;
use std::collections::{BTreeMap, BTreeSet};

/// Parses a program. `name` appears in messages.
pub fn parse(name: &str, text: &str) -> Result<Program, SyntaxError> {
    read(text).map_err(|failure| failure.locate(name, text))
}

fn read(text: &str) -> Result<Program, Failure> {
    let source = Source::new(text, Dialect::Bddbddb)?;
    let mut reader = Reader {
        cursor: Cursor::new(&source, 0, source.count()),
        domains: BTreeSet::new(),
        program: Program::default(),
        places: BTreeMap::new(),
        clauses: Vec::new(),
    };
    while !reader.cursor.is_done() {
        reader.statement().map_err(|trouble| match trouble {
            StatementError::Invalid(failure) => failure,
            StatementError::Unsupported => {
                let message = "expected a term over domains; only Soufflé has functions and records";
                Failure::new(reader.cursor.offset(), message)
            }
        })?;
    }
    let mut lowering = Lowering::new(reader.program, reader.places);
    reader.clauses.iter().try_for_each(|clause| lowering.add_clause(clause))?;
    Ok(lowering.program)
}

struct Reader<'s, 'a> {
    cursor: Cursor<'s, 'a>,
    domains: BTreeSet<&'a str>,
    program: Program,
    places: BTreeMap<&'a str, RelationId>,
    clauses: Vec<Clause<'a>>,
}

impl Reader<'_, '_> {
    fn statement(&mut self) -> Result<(), StatementError> {
        let mut ahead = self.cursor;
        ahead.name("a domain, a relation or a rule")?;
        let is_domain = ahead.token().kind == Kind::Integer && !ahead.token().starts_line;
        let is_declaration = ahead.is_mark("(") && (ahead.is_mark_ahead(2, ":") || self.is_flag(ahead));
        match (is_domain, is_declaration) {
            (true, _) => self.domain(),
            (_, true) => self.declaration(),
            _ => self.clause(),
        }
    }

    /// Returns true for the declaration of a nullary relation, which is followed by nothing but words on its line.
    fn is_flag(&self, ahead: Cursor<'_, '_>) -> bool {
        let after = Cursor { place: ahead.place + 2, ..ahead };
        ahead.is_mark_ahead(1, ")") && (after.token().kind == Kind::Name || after.token().starts_line)
    }

    /// Reads the name of a domain and skips its size and the file with its element names.
    fn domain(&mut self) -> Result<(), StatementError> {
        let name = self.cursor.name("a domain")?;
        self.domains.insert(name);
        self.skip_line();
        Ok(())
    }

    fn skip_line(&mut self) {
        while !self.cursor.is_done() && !self.cursor.token().starts_line {
            self.cursor.place += 1;
        }
    }

    fn declaration(&mut self) -> Result<(), StatementError> {
        let offset = self.cursor.offset();
        let name = self.cursor.name("a relation")?;
        let mut relation = Relation::new(name, self.columns()?);
        while self.cursor.token().kind == Kind::Name && !self.cursor.token().starts_line {
            match self.cursor.text() {
                "output" | "outputtuples" | "printtuples" | "printsize" => relation.is_output = true,
                "input" | "inputtuples" => {}
                _ => {
                    return self.cursor.unexpected("`input`, `output`, `printtuples` or the end of the line");
                }
            }
            self.cursor.place += 1;
        }
        let id = RelationId(self.program.relations.len() as u32);
        if self.places.insert(name, id).is_some() {
            let message = format!("the relation `{name}` is declared twice; try removing one declaration");
            return Err(Failure::new(offset, message).into());
        }
        self.program.relations.push(relation);
        Ok(())
    }

    fn columns(&mut self) -> Result<Vec<Type>, StatementError> {
        let mut columns = Vec::new();
        self.cursor.expect("(")?;
        while !self.cursor.take(")") {
            if !columns.is_empty() {
                self.cursor.expect(",")?;
            }
            self.cursor.name("the name of a column")?;
            self.cursor.expect(":")?;
            let offset = self.cursor.offset();
            let domain = self.cursor.name("a domain")?;
            // A number after a domain selects one of its copies.
            let is_known = [domain, domain.trim_end_matches(|letter: char| letter.is_ascii_digit())]
                .iter()
                .any(|domain| self.domains.contains(domain));
            if !is_known {
                let message =
                    format!("the domain `{domain}` is not declared; try a line `{domain} 16` before");
                return Err(Failure::new(offset, message).into());
            }
            columns.push(Type::Signed);
        }
        Ok(columns)
    }

    fn clause(&mut self) -> Result<(), StatementError> {
        let first = self.cursor.place;
        let end = self.clause_end(first)?;
        let is_query = self.cursor.source.is_mark(end, "?");
        let clause = clause::clause(&mut Cursor { end, ..self.cursor })?;
        if !is_modelled(&clause) {
            let message = "expected aggregates without alternatives and other aggregates; try moving them into \
                           a relation of their own";
            return invalid(self.cursor.source.token(first).start(), message);
        }
        self.cursor.place = end + 1;
        // Queries do not change the program.
        self.clauses.extend((!is_query).then_some(clause));
        Ok(())
    }

    fn clause_end(&self, first: usize) -> Result<usize, Failure> {
        let source = self.cursor.source;
        let is_end = |place: &usize| source.is_mark(*place, ".") || source.is_mark(*place, "?");
        (first..self.cursor.end).find(is_end).ok_or_else(|| {
            let message = "the clause is not terminated; try adding `.` at its end";
            Failure::new(source.token(first).start(), message)
        })
    }
}
