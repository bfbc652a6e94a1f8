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

    crepe::crepe! {
        struct R_edge(i64, i64);
        struct R_label(i64, &'static str);
        struct R_count(i64);
        struct R_reach(i64, i64);
        @output struct R_unreach(i64, i64);
        @output struct R_lonely(&'static str);
        @output struct R_empty(i64);
        @output struct R_cyclic(i64);
        @output struct R_quiet(i64);
        struct R_nothing(i64);
        struct R_some_edge(i64);
        struct R_some_count(i64);
        R_edge(1i64, 2i64);
        R_edge(2i64, 3i64);
        R_edge(3i64, 1i64);
        R_edge(4i64, 5i64);
        R_label(1i64, "one");
        R_label(4i64, "with, space");
        R_count(x0) <- R_edge(x0, _), !R_nothing(x0);
        R_count(x0) <- R_edge(_, x0), !R_nothing(x0);
        R_reach(x0, x1) <- R_edge(x0, x1), !R_nothing(x0);
        R_reach(x0, x2) <- R_reach(x0, x1), R_edge(x1, x2), !R_nothing(x0);
        R_unreach(x0, x1) <- R_count(x0), R_count(x1), (x0 <= x1), (x1 != 5i64), !R_reach(x0, x1);
        R_lonely(x1) <- R_label(x0, x1), !R_some_edge(x0);
        R_empty(7i64) <- R_edge(x0, _), (x0 > 4i64), !R_some_count(0i64);
        R_cyclic(0i64) <- R_reach(x0, x1), (x1 == x0);
        R_quiet(0i64) <- R_reach(x0, 9i64), !R_cyclic(0i64);
        R_some_edge(x0) <- R_edge(_, x0);
        R_some_count(0i64) <- R_count(_);
    }

    pub fn run() {
        let results = Crepe::new().run();
        println!("begin R_unreach");
        for row in &results.0 {
            println!("R_unreach\t{}\t{}", Show::show(&row.0), Show::show(&row.1));
        }
        println!("end R_unreach");
        println!("begin R_lonely");
        for row in &results.1 {
            println!("R_lonely\t{}", Show::show(&row.0));
        }
        println!("end R_lonely");
        println!("begin R_empty");
        for row in &results.2 {
            println!("R_empty\t{}", Show::show(&row.0));
        }
        println!("end R_empty");
        println!("begin R_cyclic");
        for row in &results.3 {
            println!("R_cyclic\t{}", Show::show(&row.0));
        }
        println!("end R_cyclic");
        println!("begin R_quiet");
        for row in &results.4 {
            println!("R_quiet\t{}", Show::show(&row.0));
        }
        println!("end R_quiet");
        println!("done");
    }
}

fn main() {
    program::run();
}
