//! Programs that the operator keeps in their home: what is on the search path may be read, and
//! what those programs are made of. Nothing else of the home is.

use std::path::{Path, PathBuf};

/// Directories of a home that hold more than programs: only the search path's own is read there.
const MORE_THAN_PROGRAMS: &[&str] = &["", ".cargo", ".local"];

/// What programs in a directory of a home are made of, both relative to the home.
const MADE_OF: &[(&str, &[&str])] = &[
    (".cargo/bin", &[".rustup"]),
    (
        ".local/bin",
        &[
            ".local/lib",
            ".local/pipx",
            ".local/share/pipx",
            ".local/share/uv",
        ],
    ),
];

/// Returns the places behind a search path, the home's with what belongs to them.
///
/// A directory called `bin` or `shims` is taken for a part of what its parent holds
/// (`.nvm/versions/node/v22/bin`, `miniconda3/bin`), except where the parent holds more than
/// programs, as `.cargo` does with its tokens.
pub(crate) fn toolchains(search_path: &[PathBuf], home: Option<&Path>) -> Vec<PathBuf> {
    let mut places = Vec::new();
    for directory in search_path
        .iter()
        .filter(|directory| directory.is_absolute())
    {
        places.push(directory.clone());
        let Some((home, inside)) =
            home.and_then(|home| Some((home, directory.strip_prefix(home).ok()?)))
        else {
            continue;
        };
        let companions = MADE_OF
            .iter()
            .filter(|(programs, _)| inside == Path::new(programs));
        places.extend(companions.flat_map(|(_, parts)| parts.iter().map(|part| home.join(part))));
        places.extend(installation(home, inside));
    }
    places
}

/// Returns the directory that programs were installed to, where it is nothing else.
fn installation(home: &Path, programs: &Path) -> Option<PathBuf> {
    let is_part = ["bin", "shims"].iter().any(|name| programs.ends_with(name));
    let parent = programs.parent().filter(|_| is_part)?;
    let holds_more = MORE_THAN_PROGRAMS
        .iter()
        .any(|more| parent == Path::new(more));
    (!holds_more).then(|| home.join(parent))
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::toolchains;

    fn places(search_path: &str) -> Vec<String> {
        let search_path: Vec<PathBuf> = std::env::split_paths(search_path).collect();
        let places = toolchains(&search_path, Some(Path::new("/home/ann")));
        places
            .iter()
            .map(|place| place.display().to_string())
            .collect()
    }

    #[test]
    fn programs_of_a_home_come_with_what_they_are_made_of() {
        assert_eq!(
            places("/home/ann/.nvm/versions/node/v22/bin"),
            [
                "/home/ann/.nvm/versions/node/v22/bin",
                "/home/ann/.nvm/versions/node/v22"
            ]
        );
        assert_eq!(
            places("/home/ann/.cargo/bin"),
            ["/home/ann/.cargo/bin", "/home/ann/.rustup"]
        );
    }

    #[test]
    fn a_home_is_never_readable_as_a_whole() {
        assert_eq!(places("/home/ann/bin"), ["/home/ann/bin"]);
        assert_eq!(places("/home/bob/x/bin:bin:."), ["/home/bob/x/bin"]);
        let local = places("/home/ann/.local/bin");
        assert!(!local.contains(&"/home/ann/.local".to_owned()), "{local:?}");
    }
}
