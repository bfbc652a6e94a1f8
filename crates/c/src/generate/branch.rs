//! Branches: `if`, tests of pointers, and `switch`.

use super::Generator;
use super::feature::Feature;
use super::flow::Breakable;
use super::interval::Interval;
use super::types::Scalar;

impl Generator<'_> {
    pub(super) fn branch(&mut self) {
        self.text.line();
        self.text.push("if (");
        let test = self.condition();
        self.text.push(")");
        self.text.open();
        let size = self.block_size();
        self.body_with(test.and_then(|test| Some((test.variable, test.when_true?))), size);
        self.text.close();
        // The second condition must not undo the first one, so the fact holds from here.
        let opposite = test.and_then(|test| Some((test.variable, test.when_false?)));
        let saved = opposite.map(|(variable, knowledge)| self.assume(variable, knowledge));
        if self.random.percent(15) {
            self.text.push(" else if (");
            let own = self.condition();
            self.text.push(")");
            self.text.open();
            let size = self.block_size();
            self.body_with(own.and_then(|test| Some((test.variable, test.when_true?))), size);
            self.text.close();
        }
        if self.random.percent(45) {
            self.text.push(" else");
            self.text.open();
            let size = self.block_size();
            self.body(size);
            self.text.close();
        }
        if let Some(saved) = saved {
            self.forget(saved);
        }
        self.text.push("\n");
    }

    /// Tests a pointer and uses it.
    pub(super) fn null_guard(&mut self) -> bool {
        let Some(index) = self.pick_nullable() else { return false };
        self.begin_pure_expression();
        self.text.line();
        self.text.push("if (");
        let test = self.null_test(index);
        self.text.push(")");
        self.text.open();
        self.guarded_body(index, test.when_true);
        self.text.close();
        if test.when_false.is_some() || self.random.percent(20) {
            self.text.push(" else");
            self.text.open();
            self.guarded_body(index, test.when_false);
            self.text.close();
        }
        self.text.push("\n");
        true
    }

    fn guarded_body(&mut self, index: usize, knowledge: Option<super::flow::Knowledge>) {
        let Some(knowledge) = knowledge else {
            self.body(1);
            return;
        };
        let saved = self.assume(index, knowledge);
        let outside = self.enter();
        if self.random.percent(70) {
            self.write_through(index);
        }
        let size = self.block_size();
        self.statements(size);
        self.leave(outside);
        self.forget(saved);
    }

    pub(super) fn switch(&mut self) -> bool {
        let wants_call = self.random.percent(20);
        self.begin_expression(wants_call);
        self.text.line();
        self.text.push("switch (");
        let value = self.varying(1);
        let cases = 1 + self.random.below(5) as i128;
        let value = if self.random.percent(60) && !value.range.is_inside(Interval::new(0, 7)) {
            self.fit(value, Scalar::LongLong, Interval::new(0, 7))
        } else {
            value
        };
        self.text.push(")");
        self.text.open();
        let outside = self.flow.breakable;
        self.flow.breakable = Breakable::Switch;
        self.text.indent -= 1;
        let gap = 1 + self.random.below(2) as i128;
        let has_default = self.random.percent(70);
        let default_place = self.random.below(cases as usize) as i128;
        for number in 0..cases {
            if has_default && number == default_place && self.random.percent(30) {
                self.case(None);
                self.cases_after_default(number, cases, gap, value.scalar);
                self.end_switch(outside);
                return true;
            }
            self.case(Some((number * gap, value.scalar)));
        }
        if has_default {
            self.case(None);
        }
        self.end_switch(outside);
        true
    }

    fn cases_after_default(&mut self, from: i128, cases: i128, gap: i128, scalar: Scalar) {
        for number in from..cases {
            self.case(Some((number * gap, scalar)));
        }
    }

    fn end_switch(&mut self, outside: Breakable) {
        self.flow.breakable = outside;
        self.text.whole_line("}");
    }

    /// One case, or the default without a label.
    fn case(&mut self, label: Option<(i128, Scalar)>) {
        self.text.line();
        match label {
            Some((number, scalar)) => {
                self.text.push("case ");
                self.text.literal(number, scalar);
            }
            None => self.text.push("default"),
        }
        self.text.push(":");
        self.text.open();
        let size = self.block_size().min(3);
        self.body(size);
        if !self.has(Feature::FallThrough) || self.random.percent(70) {
            self.text.whole_line("break;");
        }
        self.text.close_line();
    }
}
