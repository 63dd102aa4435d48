//! What is reported when a message loses something on its way between two revisions.

use std::fmt;

use mcprism_types::ProtocolVersion;
use mcprism_types::bridge::{Loss, Part};

/// Who is told of losses.
pub(crate) type LossHook = Box<dyn Fn(&LossReport) + Send + Sync>;

/// What one message lost between two revisions.
#[derive(Clone, Debug, PartialEq)]
pub struct LossReport {
    /// The method of the message.
    pub method: String,
    /// Which part of it.
    pub part: Part,
    /// The revision that it was in.
    pub from: ProtocolVersion,
    /// The revision that it is in now.
    pub to: ProtocolVersion,
    /// What was lost.
    pub losses: Vec<Loss>,
}

impl fmt::Display for LossReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = match self.part {
            Part::Params => "params of ",
            Part::Result => "result of ",
            Part::Notification => "",
        };
        write!(f, "{part}{} from {} to {}", self.method, self.from, self.to)?;
        for (at, loss) in self.losses.iter().enumerate() {
            write!(f, "{} {loss}", if at == 0 { ":" } else { ";" })?;
        }
        Ok(())
    }
}
