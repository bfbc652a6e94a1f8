#![allow(warnings)]

trait Show {
    fn show(&self) -> String;
}

impl Show for i64 {
    fn show(&self) -> String {
        self.to_string()
    }
}

impl Show for u64 {
    fn show(&self) -> String {
        self.to_string()
    }
}

impl Show for &'static str {
    fn show(&self) -> String {
        self.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n")
    }
}

mod program {
    use super::Show;

    ascent::ascent! {
        pub struct Rows;
        relation r_edge(i64, i64);
        relation r_label(i64, &'static str);
        relation r_count(i64);
        relation r_reach(i64, i64);
        relation r_unreach(i64, i64);
        relation r_lonely(&'static str);
        relation r_empty(i64);
        relation r_cyclic();
        relation r_quiet();
        relation r_nothing(i64);
        relation r_some_edge(i64);
        relation r_some_count();
        r_count(x0) <-- r_edge(x0, _), !r_nothing(x0);
        r_count(x0) <-- r_edge(_, x0), !r_nothing(x0);
        r_reach(x0, x1) <-- r_edge(x0, x1), !r_nothing(x0);
        r_reach(x0, x2) <-- r_reach(x0, x1), r_edge(x1, x2), !r_nothing(x0);
        r_unreach(x0, x1) <-- r_count(x0), r_count(x1), if (*x0) <= (*x1), if (*x1) != 5i64, !r_reach(x0, x1);
        r_lonely(x1) <-- r_label(x0, x1), !r_some_edge(x0);
        r_empty(7i64) <-- r_edge(x0, _), if (*x0) > 4i64, !r_some_count();
        r_cyclic() <-- r_reach(x0, x1), if (*x1) == (*x0);
        r_quiet() <-- r_reach(x0, 9i64), !r_cyclic();
        r_some_edge(x0) <-- r_edge(_, x0);
        r_some_count() <-- r_count(_);
    }

    pub fn run() {
        let mut program = Rows::default();
        program.r_edge = vec![(1i64, 2i64,), (2i64, 3i64,), (3i64, 1i64,), (4i64, 5i64,)];
        program.r_label = vec![(1i64, "one",), (4i64, "with, space",)];
        program.r_count = vec![];
        program.r_reach = vec![];
        program.r_unreach = vec![];
        program.r_lonely = vec![];
        program.r_empty = vec![];
        program.r_cyclic = vec![];
        program.r_quiet = vec![];
        program.r_nothing = vec![];
        program.r_some_edge = vec![];
        program.r_some_count = vec![];
        program.run();
        println!("begin r_unreach");
        for row in &program.r_unreach {
            println!("r_unreach\t{}\t{}", Show::show(&row.0), Show::show(&row.1));
        }
        println!("end r_unreach");
        println!("begin r_lonely");
        for row in &program.r_lonely {
            println!("r_lonely\t{}", Show::show(&row.0));
        }
        println!("end r_lonely");
        println!("begin r_empty");
        for row in &program.r_empty {
            println!("r_empty\t{}", Show::show(&row.0));
        }
        println!("end r_empty");
        println!("begin r_cyclic");
        for row in &program.r_cyclic {
            println!("r_cyclic");
        }
        println!("end r_cyclic");
        println!("begin r_quiet");
        for row in &program.r_quiet {
            println!("r_quiet");
        }
        println!("end r_quiet");
        println!("done");
    }
}

fn main() {
    program::run();
}
