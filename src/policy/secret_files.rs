//! Files that keep secrets, as their names say: who reads one has a key to somewhere else.
//!
//! Names only, since the policy touches no disk. A secret under an ordinary name is not found
//! here; what a name gives away is asked about, and asking once too often costs a press.

use std::path::Path;

/// Whole names.
const NAMES: &[&str] = &[
    // Tokens and passwords of programs.
    ".netrc",
    "_netrc",
    ".pgpass",
    "pgpass.conf",
    ".my.cnf",
    ".mylogin.cnf",
    ".htpasswd",
    ".htdigest",
    ".git-credentials",
    ".npmrc",
    ".yarnrc.yml",
    ".pypirc",
    ".dockercfg",
    ".dockerconfigjson",
    ".s3cfg",
    ".boto",
    ".rclone.conf",
    "rclone.conf",
    ".vault-token",
    ".vault_pass",
    ".msmtprc",
    ".fetchmailrc",
    ".muttrc",
    "wp-config.php",
    "credentials",
    "credentials.json",
    "credentials.toml",
    "credentials.yml",
    "credentials.yaml",
    "credentials.xml",
    "credentials.yml.enc",
    "application_default_credentials.json",
    "client_secret.json",
    "secrets.json",
    "secrets.toml",
    "secrets.yml",
    "secrets.yaml",
    "secret.yml",
    "secret.yaml",
    "kubeconfig",
    // Keys.
    "secring.gpg",
    "pubring.kbx",
    "master.key",
    // Wallets.
    "wallet.dat",
    "wallet.json",
    // The system.
    "shadow",
    "shadow-",
    "gshadow",
    "gshadow-",
    "opasswd",
    "environ",
    // Ours.
    "sayso.toml",
    "sayso.db",
    "sayso.db-wal",
    "sayso.db-shm",
    // Browsers.
    "cookies",
    "cookies-journal",
    "cookies.sqlite",
    "cookies.sqlite-wal",
    "cookies.binarycookies",
    "cookies.txt",
    "login data",
    "logins.json",
    "key3.db",
    "key4.db",
    "signons.sqlite",
    // What was typed.
    ".history",
    ".histfile",
    ".zhistory",
    ".lesshst",
    "fish_history",
    "consolehost_history.txt",
];

/// Directories in which everything is taken for a secret.
const DIRECTORIES: &[&str] = &[
    ".ssh",
    ".aws",
    ".azure",
    ".gnupg",
    ".kube",
    ".docker",
    ".password-store",
    ".electrum",
    ".bitcoin",
    "keychains",
    "keyrings",
    "gcloud",
];

/// Endings, without the dot.
const ENDINGS: &[&str] = &[
    "pem",
    "key",
    "p8",
    "p12",
    "pfx",
    "ppk",
    "pkcs12",
    "jks",
    "jceks",
    "keystore",
    "bks",
    "keytab",
    "kdb",
    "kdbx",
    "agilekeychain",
    "opvault",
    "keychain",
    "keychain-db",
    "ovpn",
    "wallet",
    "tfstate",
    "tfvars",
    "env",
];

/// Beginnings of names: keys of SSH, and of an Ethereum wallet.
const BEGINNINGS: &[&str] = &[
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    "id_xmss",
    "ssh_host_",
    "service-account",
    "service_account",
    "utc--",
];

/// Endings that say that the file is for everybody to see: a public key, a form to fill in.
const PUBLIC_ENDINGS: &[&str] = &["pub", "example", "sample", "template", "dist"];

/// Endings of a copy, which keeps what its original keeps.
const COPY_ENDINGS: &[&str] = &[
    "bak", "backup", "old", "orig", "save", "copy", "tmp", "swp", "swo",
];

/// Returns whether a file keeps secrets, or a directory is full of them, as the path says.
///
/// Letters count the same in either case, as they do on some file systems.
pub fn is_secret_like(path: &Path) -> bool {
    let mut names = path
        .components()
        .map(|component| folded(&component.as_os_str().to_string_lossy()))
        .collect::<Vec<_>>();
    let Some(name) = names.pop() else {
        return false;
    };
    let original = without_copy_endings(&name);
    if PUBLIC_ENDINGS.contains(&ending(original)) {
        return false;
    }
    // An editor's copy of `server.key` is `.server.key.swp`.
    let visible = original.strip_prefix('.').unwrap_or(original);
    names.iter().any(|name| is_secret_directory(name))
        || is_secret_directory(original)
        || is_secret_name(original)
        || (original.len() < name.len() && is_secret_name(visible))
}

fn is_secret_directory(name: &str) -> bool {
    DIRECTORIES.contains(&name)
}

fn is_secret_name(name: &str) -> bool {
    NAMES.contains(&name)
        || ENDINGS.contains(&ending(name))
        || BEGINNINGS
            .iter()
            .any(|beginning| name.starts_with(beginning))
        || is_environment(name)
        || (name.starts_with('.') && name.ends_with("_history"))
}

/// Returns whether a name is `.env` or one of its kind: `.env.local`, `.env-production`, `.envrc`.
fn is_environment(name: &str) -> bool {
    name.strip_prefix(".env").is_some_and(|rest| {
        rest == "rc" || !rest.starts_with(|letter: char| letter.is_alphanumeric())
    })
}

fn without_copy_endings(name: &str) -> &str {
    let mut name = name.trim_end_matches('~');
    while let Some((original, last)) = name.rsplit_once('.')
        && COPY_ENDINGS.contains(&last)
        && !original.is_empty()
    {
        name = original.trim_end_matches('~');
    }
    name
}

fn ending(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(_, ending)| ending)
}

/// Returns a name in which letters of either case are equal, also those that have no small form of
/// their own (`ſ` is `s`).
fn folded(name: &str) -> String {
    name.to_uppercase().to_lowercase()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::is_secret_like;

    #[track_caller]
    fn check(paths: &[&str], expected: bool) {
        for path in paths {
            assert_eq!(is_secret_like(Path::new(path)), expected, "{path}");
        }
    }

    #[test]
    fn files_that_keep_secrets_are_known_by_name() {
        check(
            &[
                ".env",
                "a/.env.local",
                ".env-production",
                ".envrc",
                "deploy/prod.env",
                "server.key",
                "cert.pem",
                "/home/ann/.netrc",
                ".git-credentials",
                "vault.kdbx",
                "debug.keystore",
                "wallet.dat",
                "UTC--2024-01-01T00-00-00.0Z--00ff",
                "profile/Login Data",
                "profile/cookies.sqlite",
                "/etc/shadow",
                "/proc/1/environ",
                "sayso.toml",
                ".bash_history",
                ".python_history",
                "fish/fish_history",
                "id_ed25519",
                "id_rsa_work",
            ],
            true,
        );
    }

    #[test]
    fn a_directory_of_secrets_makes_all_in_it_secret() {
        check(
            &[
                ".ssh",
                ".ssh/config",
                "x/.aws/credentials",
                ".aws/config",
                ".kube/config",
                ".docker/config.json",
                ".gnupg/private-keys-v1.d/1.key",
            ],
            true,
        );
    }

    #[test]
    fn either_case_is_the_same_name() {
        check(
            &[
                "ID_RSA",
                ".ENV",
                "Server.KEY",
                ".Ssh/config",
                ".\u{17f}sh/x",
            ],
            true,
        );
    }

    #[test]
    fn a_copy_keeps_what_its_original_keeps() {
        check(
            &[
                ".env.bak",
                ".env~",
                "server.key.old",
                "id_rsa.orig",
                ".server.key.swp",
                ".env.local.bak~",
            ],
            true,
        );
        check(&[".env.example.bak", ".notes.md.swp", ".bak"], false);
    }

    #[test]
    fn what_is_for_everybody_to_see_is_no_secret() {
        check(
            &[
                ".env.example",
                ".env.sample",
                "id_rsa.pub",
                ".ssh/id_ed25519.pub",
                "server.key.template",
            ],
            false,
        );
    }

    #[test]
    fn ordinary_files_are_no_secret() {
        check(
            &[
                "",
                ".",
                "/",
                "README.md",
                "env",
                "env.rs",
                ".environment",
                "keys.rs",
                "keyboard",
                "monkey",
                "tokens.rs",
                "history.md",
                "shadow.css",
                "cookies.md",
                "src/credentials.rs",
                "docker/Dockerfile",
            ],
            false,
        );
    }
}
