//! `goto`, forwards past some statements and backwards with a counter.

use super::Generator;

impl Generator<'_> {
    pub(super) fn goto(&mut self, label: usize) {
        self.text.line();
        self.text.push("goto label_");
        self.text.number(label as u128);
        self.text.end_statement();
    }

    fn label(&mut self, label: usize) {
        self.text.push("label_");
        self.text.number(label as u128);
        self.text.push(":\n");
    }

    fn new_label(&mut self) -> usize {
        self.next_label += 1;
        self.next_label - 1
    }

    /// `goto` past some statements. None of them is a declaration, which the jump would bypass.
    pub(super) fn forward_goto(&mut self) -> bool {
        let label = self.new_label();
        self.text.line();
        self.text.push("if (");
        self.condition();
        self.text.push(")");
        self.text.open();
        self.goto(label);
        self.text.close_line();
        let may_declare = std::mem::replace(&mut self.flow.may_declare, false);
        self.pending_labels.push(label);
        let size = self.block_size();
        self.statements(size);
        self.pending_labels.pop();
        self.label(label);
        self.mix();
        self.flow.may_declare = may_declare;
        true
    }

    /// `goto` back, counted.
    pub(super) fn backward_goto(&mut self) -> bool {
        if !self.flow.may_declare {
            return false;
        }
        let Some(trips) = self.trips() else { return false };
        let index = self.declare_counter(i128::from(trips), 0);
        let label = self.new_label();
        self.label(label);
        self.step(index, false);
        let multiplier = self.flow.multiplier;
        self.flow.multiplier *= trips;
        self.flow.may_declare = false;
        let size = self.block_size();
        self.statements(size);
        self.flow.may_declare = true;
        self.flow.multiplier = multiplier;
        self.text.line();
        self.text.push("if (");
        self.name(index);
        self.text.push(" < ");
        self.text.number(u128::from(trips));
        self.also_condition();
        self.text.push(")");
        self.text.open();
        self.goto(label);
        self.text.close_line();
        true
    }
}
