//! C inputs in the words of the front end, which knows nothing of the model.

use crate::reduction;
use c::Program;
use model::{CInput, DataModel};

/// The program without its annotations; an error if it does not parse.
pub(crate) fn parse(name: &str, input: &CInput) -> Result<Program, c::SyntaxError> {
    let data_model = match input.data_model {
        DataModel::Lp64 => c::DataModel::Lp64,
        DataModel::Ilp32 => c::DataModel::Ilp32,
    };
    c::parse(name, input.base.as_bytes(), data_model)
}
