//! Which file is read: the one that was named, or the first that exists.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::file_name::FILE_NAME;
use super::messages::{NamedBy, Reason};
use super::{ConfigError, Environment};

/// Returns the file to read: `--config`, then `SAYSO_CONFIG`, then `sayso.toml` in `directory`,
/// then `~/.config/sayso/sayso.toml`. `None` means that there is none, which is fine.
///
/// A file that was named must exist.
pub fn locate(
    named: Option<&Path>,
    directory: &Path,
    environment: &Environment,
) -> Result<Option<PathBuf>, ConfigError> {
    if let Some(path) = named {
        return must_exist(path, NamedBy::Option);
    }
    if let Some(path) = environment.get("SAYSO_CONFIG") {
        return must_exist(Path::new(path), NamedBy::Variable);
    }
    let here = directory.join(FILE_NAME);
    let at_home = environment
        .get("HOME")
        .map(|home| Path::new(home).join(".config/sayso").join(FILE_NAME));
    let mut found = [Some(here), at_home].into_iter().flatten();
    match found.find(|path| path.exists()) {
        Some(path) => must_exist(&path, NamedBy::Search),
        None => Ok(None),
    }
}

fn must_exist(path: &Path, named_by: NamedBy) -> Result<Option<PathBuf>, ConfigError> {
    let path = path.to_owned();
    match std::fs::metadata(&path) {
        Ok(metadata) if metadata.is_dir() => Err(ConfigError::Directory { path, named_by }),
        Ok(_) => Ok(Some(path)),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Err(ConfigError::NoFile { path, named_by })
        }
        Err(error) => Err(ConfigError::Unreadable {
            path,
            why: Reason::System {
                error: error.to_string(),
            },
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_file_comes_before_found_ones() {
        let places = tempfile::tempdir().unwrap();
        let place = |name: &str| {
            let path = places.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, "").unwrap();
            path
        };
        let directory = places.path().join("here");
        std::fs::create_dir(&directory).unwrap();
        let home = places.path().join("home");
        let at_home = || Environment::from_iter([("HOME", home.to_str().unwrap())]);

        let found = |named: Option<&Path>, environment: &Environment| {
            locate(named, &directory, environment).unwrap()
        };
        assert_eq!(found(None, &at_home()), None);
        let in_home = place("home/.config/sayso/sayso.toml");
        assert_eq!(found(None, &at_home()), Some(in_home));
        let here = place("here/sayso.toml");
        assert_eq!(found(None, &at_home()), Some(here));
        let by_variable = place("variable.toml");
        let environment = Environment::from_iter([("SAYSO_CONFIG", by_variable.to_str().unwrap())]);
        assert_eq!(found(None, &environment), Some(by_variable));
        let by_argument = place("argument.toml");
        assert_eq!(
            found(Some(&by_argument), &environment),
            Some(by_argument.clone())
        );
    }

    #[test]
    fn named_file_must_exist() {
        let environment = Environment::from_iter([("SAYSO_CONFIG", "/no/such.toml")]);
        let error = locate(None, Path::new("/"), &environment).unwrap_err();
        insta::assert_snapshot!(error, @"`/no/such.toml` does not exist (named by SAYSO_CONFIG)");
    }
}
