//! One turn: Phase 1 routes it, Phase 2 works on it until an outcome.

mod prompt;
mod route;
mod route_parse;
mod route_prompt;
mod self_info;

pub use prompt::{Environment, PromptParts, RoutedSkill, build_system_prompt};
pub use route::{RouteRequest, route};
pub use self_info::{Limits, SelfInfo, SelfInfoTool};
