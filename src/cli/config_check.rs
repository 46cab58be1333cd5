//! `sayso config check`: where the configuration comes from, and whether it can be used.

use std::io::Write;
use std::path::Path;

use super::exit::Exit;
use super::{language, messages};
use crate::config::{Config, Environment};

/// Says where a configuration that can be used comes from.
pub(super) fn check(
    config: &Config,
    environment: &Environment,
    output: &mut impl Write,
) -> anyhow::Result<Exit> {
    let language = language::of(Some(config), environment);
    let source = match config.file.as_deref().map(Path::display) {
        Some(file) => messages::configuration_from_file(language, &file),
        None => messages::configuration_from_environment(language),
    };
    writeln!(output, "{source}")?;
    writeln!(output, "ok")?;
    Ok(Exit::Fine)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good_configuration_says_where_it_comes_from() {
        let environment = Environment::from_iter([("HOME", "/home/mia")]);
        let config = crate::config::load(None, &environment).unwrap();
        let mut output = Vec::new();
        let exit = check(&config, &environment, &mut output).unwrap();
        assert_eq!(exit, Exit::Fine);
        insta::assert_snapshot!(String::from_utf8(output).unwrap(), @r"
        configuration: no file, only the environment and the defaults
        ok
        ");
    }
}
