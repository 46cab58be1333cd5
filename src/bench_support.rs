//! What the benchmarks in `benches/` reach of the private rooms. It is no interface: nothing else
//! may use it, and it may change with any commit.

pub use crate::policy::commands::{CommandDecision, Places, judge as judge_command};
pub use crate::policy::injection::{Finding, Screening, Treatment, check_tool_result};
pub use crate::providers::replay_shown;
