//! The tools that come and go while Sayso runs: those of MCP servers.

use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, PoisonError, RwLock};

use super::Tool;

/// Each host's tools, by its name.
type ByHost = BTreeMap<String, Vec<Arc<dyn Tool>>>;
/// The names of the tools that each host has and that are not let in.
type LeftOut = BTreeMap<String, Vec<String>>;

/// The tools that are there at present, by the host that brought them. Clones share them: hosts
/// write, the toolbox reads. No lock is held longer than it takes to copy a handle.
#[derive(Clone, Default)]
pub struct DynamicTools {
    by_host: Arc<RwLock<ByHost>>,
    left_out: Arc<RwLock<LeftOut>>,
}

impl DynamicTools {
    /// Lets a host's tools in, in the place of those that it brought before. Of several with one name
    /// the first counts, and what another host brought before.
    pub fn come(&self, host: &str, mut tools: Vec<Arc<dyn Tool>>) {
        let mut hosts = self.by_host.write().unwrap_or_else(PoisonError::into_inner);
        hosts.remove(host);
        let there = hosts.values().flatten();
        let mut names: HashSet<String> = there.map(|tool| tool.spec().name.clone()).collect();
        tools.retain(|tool| {
            let is_new = names.insert(tool.spec().name.clone());
            if !is_new {
                tracing::error!(tool = %tool.spec().name, host, "duplicate tool name; second tool skipped");
            }
            is_new
        });
        hosts.insert(host.to_owned(), tools);
    }

    /// Notes which tools of a host are not let in, in the place of those that were noted before.
    pub fn leave_out(&self, host: &str, names: Vec<String>) {
        let mut left_out = self
            .left_out
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        left_out.insert(host.to_owned(), names);
    }

    /// Returns the tools that are not let in, each as `host: tool`.
    pub fn left_out(&self) -> Vec<String> {
        let left_out = self.left_out.read().unwrap_or_else(PoisonError::into_inner);
        let named = left_out.iter().flat_map(|(host, names)| {
            let named = names.iter();
            named.map(move |name| format!("{host}: {name}"))
        });
        named.collect()
    }

    /// Returns the tool of this name.
    pub fn get(&self, name: &str) -> Option<Arc<dyn Tool>> {
        self.all().into_iter().find(|tool| tool.spec().name == name)
    }

    /// Returns all of them, host by host.
    pub fn all(&self) -> Vec<Arc<dyn Tool>> {
        let hosts = self.by_host.read().unwrap_or_else(PoisonError::into_inner);
        hosts.values().flatten().cloned().collect()
    }
}
