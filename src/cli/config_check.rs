//! `sayso config check`: where the configuration comes from, and whether it can be used.

use std::io::Write;
use std::path::Path;

use super::exit::Exit;
use super::{language, messages};
use crate::config::{Config, ConfigError, Environment};

pub(super) fn check(
    loaded: Result<Config, ConfigError>,
    environment: &Environment,
    output: &mut impl Write,
) -> anyhow::Result<Exit> {
    let config = match loaded {
        Ok(config) => config,
        Err(error) => {
            writeln!(output, "{error}")?;
            return Ok(Exit::BadConfiguration);
        }
    };
    let language = language::of(Some(&config), environment);
    let source = match config.file.as_deref().map(Path::display) {
        Some(file) => messages::configuration_from_file(language, &file),
        None => messages::configuration_from_environment(language),
    };
    writeln!(output, "{source}")?;
    for warning in &config.warnings {
        writeln!(output, "{warning}")?;
    }
    writeln!(output, "ok")?;
    Ok(Exit::Fine)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(loaded: Result<Config, ConfigError>) -> (Exit, String) {
        let mut output = Vec::new();
        let exit = check(loaded, &Environment::default(), &mut output).unwrap();
        (exit, String::from_utf8(output).unwrap())
    }

    fn home() -> Environment {
        Environment::from_iter([("HOME", "/home/mia"), ("DISCORD_BOT_TOKEN", "hush")])
    }

    #[test]
    fn good_configuration_says_where_it_comes_from() {
        let (exit, output) = said(crate::config::load(None, &home()));
        assert_eq!(exit, Exit::Fine);
        insta::assert_snapshot!(output, @"");
    }

    #[test]
    fn bad_configuration_says_why() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("sayso.toml");
        std::fs::write(&path, "[agent]\nmax_steps = 31\n").unwrap();
        let (exit, output) = said(crate::config::load(Some(&path), &home()));
        assert_eq!(exit, Exit::BadConfiguration);
        let output = output.replace(place.path().to_str().unwrap(), "");
        insta::assert_snapshot!(output, @"");
    }
}
