//! The knob `mode`: how solvers are driven.

use model::{Mode, Random};

/// The values of the knob.
pub const MODE_NAMES: &[&str] = &["mixed", "process", "reset", "push"];

/// The modes to draw from.
#[derive(Clone, Copy, Debug)]
pub enum ModeChoice {
    /// All modes, the cheap ones most often.
    Mixed,
    /// A single mode.
    Only(Mode),
}

impl ModeChoice {
    /// The choice with this name.
    pub fn named(name: &str) -> Option<ModeChoice> {
        match name {
            "mixed" => Some(ModeChoice::Mixed),
            "process" => Some(ModeChoice::Only(Mode::Process)),
            "reset" => Some(ModeChoice::Only(Mode::Reset)),
            "push" => Some(ModeChoice::Only(Mode::Push)),
            _ => None,
        }
    }

    /// Draws a mode, whether or not the solver supports it.
    pub fn draw(self, random: &mut Random) -> Mode {
        match self {
            ModeChoice::Only(mode) => mode,
            ModeChoice::Mixed => match random.below(100) {
                0..3 => Mode::Process,
                3..18 => Mode::Reset,
                _ => Mode::Push,
            },
        }
    }
}

/// Returns the wanted mode if the solver supports it, and otherwise the last mode that it supports.
pub fn fitting(wanted: Mode, modes: &[Mode]) -> Mode {
    if modes.contains(&wanted) { wanted } else { modes.last().copied().unwrap_or(Mode::Process) }
}
