//! What the product itself says to a customer: acknowledgements of control commands. Must never stand in the order of
//! replies.

use replygate_gate::control::Control;

/// The acknowledgement of a control command.
#[must_use]
pub fn acknowledgement(control: Control) -> &'static str {
    match control {
        Control::Stop => "Stopped. What was not sent yet will not be sent.",
        Control::Reset => "Starting over. Earlier messages are set aside.",
    }
}
