//! Assembles statements to a program: decides which of them are modelled and which relations are opaque.
//!
//! The order is that of the printed program, so that a printed program is read back unchanged: opaque types, opaque
//! declarations, other opaque statements, and then everything that is modelled.

use super::error::Failure;
use super::expand::{inside_of, members_of, terms_of};
use super::facts::FactFile;
use super::lower::{Lowering, undeclared};
use super::syntax::{Clause, Declaration, Expression, Formula, Request, Requests, Statement, TypeDefinition};
use super::types::Types;
use crate::program::{Program, Relation, RelationId, Storage, Tuple, Type};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Assembles a program. `facts` returns the text of a fact file by its name.
pub(super) fn assemble(
    statements: &[Statement<'_>],
    facts: &dyn Fn(&str) -> Option<String>,
) -> Result<Program, Failure> {
    let definitions: Vec<&TypeDefinition<'_>> = statements.iter().filter_map(definition).collect();
    let types = Types::new(&definitions);
    let mut assembler = Assembler {
        has_include: statements.iter().any(|statement| matches!(statement, Statement::Include(_))),
        known: Vec::new(),
        places: BTreeMap::new(),
        opaque: Vec::new(),
        clauses: Vec::new(),
        rows: Vec::new(),
        facts,
    };
    for statement in statements {
        if let Statement::Declaration(declaration) = statement {
            assembler.declare(declaration, &types)?;
        }
    }
    for statement in statements {
        assembler.take(statement)?;
    }
    let opaque = assembler.all_opaque(&definitions, &types);
    assembler.finish(opaque)
}

fn definition<'s, 'a>(statement: &'s Statement<'a>) -> Option<&'s TypeDefinition<'a>> {
    match statement {
        Statement::Type(definition) => Some(definition),
        _ => None,
    }
}

/// A declared relation.
struct Known<'s, 'a> {
    name: &'a str,
    declaration: &'s Declaration<'a>,
    /// The types of the columns, if they are all primitive.
    columns: Option<Vec<Type>>,
    is_output: bool,
    is_opaque: bool,
}

struct Assembler<'s, 'a> {
    has_include: bool,
    known: Vec<Known<'s, 'a>>,
    /// The indices of relations in `known`, by name.
    places: BTreeMap<&'a str, usize>,
    /// Opaque statements other than types and declarations.
    opaque: Vec<Arc<str>>,
    clauses: Vec<&'s Clause<'a>>,
    /// Rows from files.
    rows: Vec<(usize, Vec<Tuple>)>,
    facts: &'s dyn Fn(&str) -> Option<String>,
}

impl<'s, 'a> Assembler<'s, 'a> {
    fn declare(&mut self, declaration: &'s Declaration<'a>, types: &Types<'_>) -> Result<(), Failure> {
        for (column, offset) in declaration.columns.iter().flatten() {
            if !types.is_known(column) && !self.has_include && !column.contains('.') {
                let message = format!("the type `{column}` is not defined; try `.type {column} <: symbol`");
                return Err(Failure::new(*offset, message));
            }
        }
        let plain =
            |columns: &Vec<(&str, usize)>| columns.iter().map(|(name, _)| types.plain(name)).collect();
        let columns: Option<Vec<Type>> = declaration.columns.as_ref().and_then(plain);
        for (name, offset) in &declaration.names {
            if self.places.insert(name, self.known.len()).is_some() {
                let message =
                    format!("the relation `{name}` is declared twice; try removing one declaration");
                return Err(Failure::new(*offset, message));
            }
            let is_special = declaration.qualifiers.iter().any(|it| matches!(*it, "eqrel" | "btree_delete"));
            self.known.push(Known {
                name,
                declaration,
                is_output: declaration.is_output,
                is_opaque: columns.is_none() || is_special || declaration.choice.is_some(),
                columns: columns.clone(),
            });
        }
        Ok(())
    }

    fn take(&mut self, statement: &'s Statement<'a>) -> Result<(), Failure> {
        match statement {
            Statement::Declaration(declaration) => self.take_qualifiers(declaration)?,
            Statement::Requests(requests) => {
                for (name, offset) in &requests.names {
                    self.take_request(requests, name, *offset)?;
                }
            }
            Statement::Clause { clause, text } => match self.is_usable(clause)? {
                true => self.clauses.push(clause),
                false => {
                    let heads: Vec<&str> = clause.heads.iter().map(|head| head.name).collect();
                    self.take_opaque_clause(&heads, text);
                }
            },
            Statement::OpaqueClause { heads, text } => self.take_opaque_clause(heads, text),
            Statement::Opaque(text) | Statement::Include(text) => self.opaque.push((*text).into()),
            Statement::Type(_) | Statement::Hint => {}
        }
        Ok(())
    }

    /// Handles the qualifiers for input and output after the columns.
    fn take_qualifiers(&mut self, declaration: &Declaration<'a>) -> Result<(), Failure> {
        let wanted = [(declaration.is_input, Request::Input), (declaration.is_output, Request::Output)];
        for (_, request) in wanted.into_iter().filter(|(is_wanted, _)| *is_wanted) {
            let requests =
                Requests { request, names: Vec::new(), parameters: Vec::new(), parameters_text: "" };
            for (name, offset) in &declaration.names {
                self.take_request(&requests, name, *offset)?;
            }
        }
        Ok(())
    }

    fn take_request(&mut self, requests: &Requests<'a>, name: &'a str, offset: usize) -> Result<(), Failure> {
        let place = self.places.get(name).copied();
        if place.is_none() && !self.has_include && !name.contains('.') {
            return Err(undeclared(name, offset));
        }
        let known = place.and_then(|place| self.known.get_mut(place));
        if let Some(known) = known
            && let Some(columns) = &known.columns
        {
            match requests.request {
                Request::Output | Request::PrintSize => {
                    // Printing the rows also shows their number.
                    known.is_output = true;
                    return Ok(());
                }
                Request::Input => {
                    let file = FactFile::new(name, &requests.parameters);
                    let text = file.as_ref().and_then(|file| Some((file, (self.facts)(&file.name)?)));
                    if let (Some((file, text)), Some(place)) = (text, place) {
                        let rows = file.rows(columns, &text);
                        self.rows.push((place, rows.map_err(|message| Failure::new(offset, message))?));
                        return Ok(());
                    }
                    known.is_opaque = true;
                }
                Request::LimitSize => known.is_opaque = true,
            }
        }
        let word = requests.request.word();
        self.opaque.push(format!("{word} {name}{}", requests.parameters_text).into());
        Ok(())
    }

    fn take_opaque_clause(&mut self, heads: &[&str], text: &str) {
        for head in heads {
            let known = self.places.get(head).and_then(|place| self.known.get_mut(*place));
            if let Some(known) = known {
                known.is_opaque = true;
            }
        }
        self.opaque.push(text.into());
    }

    /// Returns true if all relations of a clause have primitive columns. An undeclared relation is an error.
    fn is_usable(&self, clause: &Clause<'a>) -> Result<bool, Failure> {
        let mut is_usable = true;
        let mut visit = |name: &str, offset: usize| {
            let known = self.places.get(name).and_then(|place| self.known.get(*place));
            match known {
                Some(known) => is_usable &= known.columns.is_some(),
                None if self.has_include => is_usable = false,
                None => return Err(undeclared(name, offset)),
            }
            Ok(())
        };
        for head in &clause.heads {
            visit(head.name, head.offset)?;
            head.arguments.iter().try_for_each(|argument| visit_term(argument, &mut visit))?;
        }
        clause.body.iter().try_for_each(|body| visit_formula(body, &mut visit))?;
        Ok(is_usable)
    }

    /// Returns all opaque statements in order.
    fn all_opaque(&mut self, definitions: &[&TypeDefinition<'a>], types: &Types<'_>) -> Vec<Arc<str>> {
        let is_plain = definitions.iter().all(|definition| types.plain(definition.name).is_some());
        if is_plain && self.opaque.is_empty() && !self.known.iter().any(|known| known.is_opaque) {
            return Vec::new();
        }
        let mut all: Vec<Arc<str>> = Vec::new();
        for definition in definitions {
            all.push(match types.plain(definition.name) {
                // Modelled declarations use the primitive type, so this type must be equivalent to it.
                Some(r#type) => format!(".type {} = {}", definition.name, r#type).into(),
                None => definition.text.into(),
            });
        }
        let declared = self.known.iter().filter(|known| known.is_opaque).map(declaration_text);
        all.extend(declared);
        all.append(&mut self.opaque);
        all
    }

    fn finish(self, opaque: Vec<Arc<str>>) -> Result<Program, Failure> {
        let mut program = Program { opaque, ..Program::default() };
        let mut places = BTreeMap::new();
        // Opaque declarations come first in the printed program.
        for is_opaque in [true, false] {
            for known in self.known.iter().filter(|known| known.is_opaque == is_opaque) {
                if let Some(columns) = &known.columns {
                    places.insert(known.name, RelationId(program.relations.len() as u32));
                    program.relations.push(relation(known, columns.clone()));
                }
            }
        }
        let mut lowering = Lowering::new(program, places);
        for (place, rows) in self.rows {
            let name = self.known.get(place).map_or("", |known| known.name);
            if let Some(id) = lowering.places.get(name).copied() {
                rows.into_iter().for_each(|row| lowering.add_fact(id, row));
            }
        }
        self.clauses.into_iter().try_for_each(|clause| lowering.add_clause(clause))?;
        Ok(lowering.program)
    }
}

/// Prints the declaration of one relation without the qualifiers for input and output.
fn declaration_text(known: &Known<'_, '_>) -> Arc<str> {
    let declaration = known.declaration;
    let mut text = format!(".decl {}({})", known.name, declaration.columns_text);
    for word in declaration.qualifiers.iter().copied().chain(declaration.choice) {
        text.push(' ');
        text.push_str(word);
    }
    text.into()
}

fn relation(known: &Known<'_, '_>, columns: Vec<Type>) -> Relation {
    let has = |word: &str| known.declaration.qualifiers.contains(&word);
    Relation {
        is_output: known.is_output,
        is_inlined: has("inline"),
        storage: match (has("brie"), has("btree")) {
            (true, _) => Storage::Brie,
            (_, true) => Storage::Btree,
            _ => Storage::Any,
        },
        is_opaque: known.is_opaque,
        ..Relation::new(known.name, columns)
    }
}

/// Calls `visit` with the name and the offset of each atom.
fn visit_formula<'a>(
    formula: &Formula<'a>,
    visit: &mut dyn FnMut(&'a str, usize) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if let Formula::Atom(atom) = formula {
        visit(atom.name, atom.offset)?;
    }
    for term in terms_of(formula) {
        visit_term(term, visit)?;
    }
    members_of(formula).iter().chain(inside_of(formula)).try_for_each(|member| visit_formula(member, visit))
}

fn visit_term<'a>(
    term: &Expression<'a>,
    visit: &mut dyn FnMut(&'a str, usize) -> Result<(), Failure>,
) -> Result<(), Failure> {
    match term {
        Expression::Apply(_, operands) => operands.iter().try_for_each(|operand| visit_term(operand, visit)),
        Expression::Aggregate(aggregation) => {
            aggregation.term.iter().try_for_each(|term| visit_term(term, visit))?;
            visit_formula(&aggregation.body, visit)
        }
        Expression::Name(_) | Expression::Wildcard | Expression::Constant(_) => Ok(()),
    }
}
