//! Changes of a program's text that leave everything else byte for byte.

mod difference;
mod normal_form;
mod operand_text;
pub mod patch;

pub use difference::difference;
pub use normal_form::{NormalForm, braced, normal_form};
pub use operand_text::operand_text;
