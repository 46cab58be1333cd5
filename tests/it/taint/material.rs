//! The attacks of the injection set, where it is there.

use std::path::PathBuf;

use serde_json::Value;

/// Returns the attacks; none where there is no set.
pub fn attacks() -> Vec<String> {
    let folder = std::env::var_os("SAYSO_MATERIAL").map_or_else(
        || concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/material").into(),
        PathBuf::from,
    );
    let set = std::fs::read_to_string(folder.join("injection/set.jsonl")).unwrap_or_default();
    set.lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|row| row["label"] == 1)
        .filter_map(|row| row["text"].as_str().map(str::to_owned))
        .collect()
}
