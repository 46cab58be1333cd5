//! How each tool of a server was described when it was first seen, kept over restarts: a server
//! does not get away with another description by waiting for the next start.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::time::sleep;

use super::private_file::write_whole;

/// How many tools are remembered of one server, over all of its lists.
const MAX_SEEN: usize = 1024;
/// How often it is looked whether an operator took the tools as they are.
const LOOK: Duration = Duration::from_secs(1);

/// What was seen of one server.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// Where it is kept; `None` keeps it for as long as this lives.
    file: Option<PathBuf>,
    kept: SeenTools,
    has_new: bool,
    /// Whether the file was there when it was last read or written: only then was it removed since.
    was_there: bool,
    /// Whether the write failure was reported.
    is_told: bool,
}

/// The same, in the form in which it is stored.
#[derive(Debug, Default, Serialize, Deserialize)]
struct SeenTools {
    /// A digest of what the operator configured: another program or address is another server.
    server: String,
    /// A digest of each description, by the name of the tool.
    tools: BTreeMap<String, String>,
}

impl Seen {
    /// Loads what is stored for the server with this configuration. A file that cannot be read is
    /// reported, and then the tools count as never seen.
    pub(super) fn at(file: &Path, server: String) -> Self {
        let kept = match read(file) {
            Ok(kept) => kept.filter(|kept| kept.server == server),
            Err(error) => {
                let file = file.display();
                tracing::error!(%error, %file, "cannot read the recorded tool list of an MCP server");
                None
            }
        };
        Self {
            file: Some(file.to_owned()),
            was_there: kept.is_some(),
            is_told: false,
            kept: kept.unwrap_or_else(|| SeenTools {
                server,
                tools: BTreeMap::new(),
            }),
            has_new: false,
        }
    }

    /// Returns whether a tool is described as it was when it was first seen, which may be now.
    pub(super) fn is_as_before(&mut self, tool: &str, digest: String) -> bool {
        let is_full = self.kept.tools.len() >= MAX_SEEN;
        match self.kept.tools.entry(tool.to_owned()) {
            Entry::Occupied(seen) => *seen.get() == digest,
            Entry::Vacant(_) if is_full => false,
            Entry::Vacant(unknown) => {
                unknown.insert(digest);
                self.has_new = true;
                true
            }
        }
    }

    /// Stores what is new. If that fails, it is reported once and retried while [`Self::forgotten`]
    /// waits.
    pub(super) fn keep(&mut self) {
        let Some(file) = self.file.as_ref().filter(|_| self.has_new) else {
            return;
        };
        let written = serde_json::to_string_pretty(&self.kept).map_err(io::Error::from);
        match written.and_then(|text| write_whole(file, &text)) {
            Ok(()) => {
                self.has_new = false;
                self.was_there = true;
                self.is_told = false;
            }
            Err(error) if self.is_told => {
                tracing::debug!(%error, "still cannot record the tool list of an MCP server");
            }
            Err(error) => {
                self.is_told = true;
                let file = file.display();
                tracing::error!(%error, %file, "cannot record the tool list of an MCP server");
            }
        }
    }

    /// Waits until somebody has removed the stored descriptions, and forgets them as well: the next
    /// descriptions are accepted as new, once.
    pub(super) async fn forgotten(&mut self) {
        while !self.was_removed() {
            sleep(LOOK).await;
            self.keep();
        }
        self.was_there = false;
        self.kept.tools.clear();
    }

    fn was_removed(&self) -> bool {
        let is_gone = |file: &PathBuf| !file.exists();
        self.was_there && !self.has_new && self.file.as_ref().is_some_and(is_gone)
    }
}

/// Removes what is kept, so that the tools are taken as they are next described. Returns whether
/// there was anything.
pub fn forget(file: &Path) -> io::Result<bool> {
    match fs::remove_file(file) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

fn read(file: &Path) -> io::Result<Option<SeenTools>> {
    match fs::read_to_string(file) {
        Ok(text) => Ok(Some(serde_json::from_str(&text)?)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_seen_is_seen_after_a_restart_and_another_server_is_another() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("mcp-tools/a.json");
        let as_before = |server: &str, digest: &str| {
            let mut seen = Seen::at(&file, server.to_owned());
            let is_as_before = seen.is_as_before("send", digest.to_owned());
            seen.keep();
            is_as_before
        };
        assert!(as_before("one", "first"));
        assert!(!as_before("one", "second"));
        assert!(as_before("one", "first"));
        assert!(as_before("other", "second"));
        assert!(!as_before("other", "first"));
        assert!(forget(&file).unwrap() && !forget(&file).unwrap());
        assert!(as_before("other", "first"));
    }

    #[tokio::test]
    async fn what_the_disk_did_not_take_is_kept_as_soon_as_it_does() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("mcp-tools/a.json");
        fs::write(home.path().join("mcp-tools"), "in the way").unwrap();
        let mut seen = Seen::at(&file, "one".to_owned());
        assert!(seen.is_as_before("send", "first".to_owned()));
        seen.keep();
        fs::remove_file(home.path().join("mcp-tools")).unwrap();
        let waiting = async {
            while !file.exists() {
                sleep(LOOK / 10).await;
            }
        };
        tokio::select! {
            () = seen.forgotten() => panic!("it was not removed"),
            () = waiting => {}
        }
        assert!(!Seen::at(&file, "one".to_owned()).is_as_before("send", "second".to_owned()));
    }
}
