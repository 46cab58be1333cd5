//! Counting what lies below a directory: files, directories, links.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns how many entries there are below a directory. Links are not followed; what cannot be
/// listed, such as a path that is too long, counts as empty.
pub(crate) fn count_entries(directory: &Path) -> u64 {
    let mut entries = 0;
    let mut directories = vec![PathBuf::from(directory)];
    while let Some(directory) = directories.pop() {
        let Ok(found) = fs::read_dir(&directory) else {
            continue;
        };
        for entry in found.flatten() {
            entries += 1;
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                directories.push(entry.path());
            }
        }
    }
    entries
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::count_entries;

    #[test]
    fn s8_everything_counts_and_links_are_not_followed() {
        let root = tempfile::tempdir().unwrap();
        assert_eq!(count_entries(root.path()), 0);
        fs::create_dir_all(root.path().join("a/b")).unwrap();
        fs::write(root.path().join("a/b/file"), "").unwrap();
        symlink(root.path(), root.path().join("a/loop")).unwrap();
        assert_eq!(count_entries(root.path()), 4);
        assert_eq!(count_entries(&root.path().join("nothing")), 0);
    }
}
