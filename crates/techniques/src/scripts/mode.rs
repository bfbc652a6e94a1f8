//! How solvers are driven: the knob `mode`.

use model::{Mode, Random};

/// The values of the knob.
pub const MODE_NAMES: &[&str] = &["mixed", "process", "reset", "push"];

/// Which modes are drawn.
#[derive(Clone, Copy, Debug)]
pub enum ModeChoice {
    /// All of them, the cheap ones most often.
    Mixed,
    /// One.
    Only(Mode),
}

impl ModeChoice {
    /// The choice with this name.
    pub fn named(name: &str) -> ModeChoice {
        match name {
            "process" => ModeChoice::Only(Mode::Process),
            "reset" => ModeChoice::Only(Mode::Reset),
            "push" => ModeChoice::Only(Mode::Push),
            _ => ModeChoice::Mixed,
        }
    }

    /// Draws a mode, whether a solver has it or not.
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

/// The mode that is wanted if it is among those that a solver has, else the last of these.
pub fn fitting(wanted: Mode, modes: &[Mode]) -> Mode {
    if modes.contains(&wanted) { wanted } else { modes.last().copied().unwrap_or(Mode::Process) }
}
