//! Leaving places out of readable directories. Landlock can only allow, so a directory that holds
//! something private is replaced by what else is in it.

use std::fs;
use std::path::{Path, PathBuf};

/// The most entries of one directory that are named one by one; what is over that is left out.
const MAX_ENTRIES: usize = 1024;
/// How deep something private may lie in a readable directory. Deeper, the rest is left out too.
const MAX_DEPTH: usize = 32;

/// Returns what is left of a readable place without what is private. The private places are
/// canonical.
pub(crate) fn without(place: &Path, private: &[PathBuf]) -> Vec<PathBuf> {
    let mut left = Vec::new();
    carve(place, private, MAX_DEPTH, &mut left);
    left
}

fn carve(place: &Path, private: &[PathBuf], depth: usize, left: &mut Vec<PathBuf>) {
    // What does not exist gives nothing away.
    let Ok(resolved) = place.canonicalize() else {
        return;
    };
    if private.iter().any(|secret| resolved.starts_with(secret)) {
        return;
    }
    if !private.iter().any(|secret| secret.starts_with(&resolved)) {
        left.push(place.to_path_buf());
        return;
    }
    if depth == 0 {
        return;
    }
    let entries = fs::read_dir(&resolved).into_iter().flatten().flatten();
    for entry in entries.take(MAX_ENTRIES) {
        carve(&entry.path(), private, depth - 1, left);
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::PathBuf;

    use super::without;

    /// What is left of `opt` without these, relative to it.
    fn left(private: &[&str]) -> Vec<String> {
        let root = tempfile::tempdir().unwrap();
        let opt = root.path().canonicalize().unwrap().join("opt");
        fs::create_dir_all(opt.join("app/data/users")).unwrap();
        fs::create_dir_all(opt.join("tool/bin")).unwrap();
        fs::write(opt.join("app/run"), "").unwrap();
        symlink(opt.join("app/data"), opt.join("shortcut")).unwrap();
        fs::create_dir(root.path().join("elsewhere")).unwrap();
        let private: Vec<PathBuf> = private
            .iter()
            .map(|path| opt.join(path).canonicalize().unwrap())
            .collect();
        let mut left: Vec<_> = without(&opt, &private)
            .iter()
            .map(|path| path.strip_prefix(&opt).unwrap().display().to_string())
            .collect();
        left.sort();
        left
    }

    #[test]
    fn a_place_without_secrets_stays_whole() {
        assert_eq!(left(&[]), [""]);
        assert_eq!(left(&["../elsewhere"]), [""]);
    }

    #[test]
    fn around_a_secret_everything_else_stays() {
        assert_eq!(left(&["app/data"]), ["app/run", "tool"]);
        assert_eq!(left(&["app/data/users"]), ["app/run", "tool"]);
    }

    #[test]
    fn of_a_private_place_nothing_stays() {
        assert!(left(&[""]).is_empty());
        assert!(left(&[".."]).is_empty());
    }
}
