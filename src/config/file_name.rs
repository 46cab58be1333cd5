//! The default name of the configuration file.

/// The default name of the configuration file.
pub const FILE_NAME: &str = "sayso.toml";
