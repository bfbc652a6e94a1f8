//! Interruptions by the user, which end running programs. They are no verdict of an analyzer and no failure of juvenal.

use process::RunError;

/// The error of own work that the user interrupted, or for which no time is left.
pub fn interruption() -> RunError {
    RunError::Interrupted { program: "juvenal".into() }
}

/// Returns whether a program did not run to its end because the user interrupted juvenal.
pub fn is_interruption(error: &anyhow::Error) -> bool {
    let is_it = |error: &RunError| matches!(error, RunError::Interrupted { .. });
    error.chain().filter_map(|cause| cause.downcast_ref::<RunError>()).any(is_it)
}
