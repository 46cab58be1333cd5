//! The names that are known: of files, of directories, of endings. A leading dot or underscore is left
//! out of file names, since it is lost on some ways (`.npmrc`, `npmrc`).

/// Whole names of files.
pub(crate) const NAMES: &[&str] = &[
    // Tokens and passwords of programs.
    "netrc",
    "authinfo",
    "pgpass",
    "pgpass.conf",
    "my.cnf",
    "mylogin.cnf",
    "htpasswd",
    "htdigest",
    "git-credentials",
    "npmrc",
    "yarnrc",
    "yarnrc.yml",
    "pypirc",
    "gemrc",
    "dockercfg",
    "dockerconfigjson",
    "s3cfg",
    "boto",
    "rclone.conf",
    "msmtprc",
    "mbsyncrc",
    "offlineimaprc",
    "fetchmailrc",
    "muttrc",
    "sentryclirc",
    "databrickscfg",
    "terraformrc",
    "terraform.rc",
    "smbcredentials",
    "ngrok.yml",
    "kaggle.json",
    "wp-config.php",
    "local.settings.json",
    "serviceaccountkey.json",
    "settings-security.xml",
    "sitemanager.xml",
    "recentservers.xml",
    "datasources.local.xml",
    "dbeaver-data-sources.xml",
    "auth.json",
    "auth.toml",
    "auth.yml",
    "auth.yaml",
    "oauth.json",
    "mcp.json",
    "claude.json",
    "claude_desktop_config.json",
    "dev.vars",
    "flaskenv",
    "erlang.cookie",
    "xauthority",
    "iceauthority",
    "rails_key",
    "vault_pass",
    "secrets.h",
    "arduino_secrets.h",
    // Keys.
    "key.txt",
    "keys.txt",
    "rootkey.csv",
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
    // Browsers.
    "cookies",
    "cookies-journal",
    "cookies.sqlite",
    "cookies.sqlite-wal",
    "cookies.binarycookies",
    "cookies.txt",
    "login_data",
    "logins.json",
    "key3.db",
    "key4.db",
    "signons.sqlite",
    // What was typed.
    "histfile",
    "zhistory",
    "lesshst",
    "consolehost_history.txt",
];

/// Directories in which everything is taken for a secret.
pub(crate) const DIRECTORIES: &[&str] = &[
    ".ssh",
    ".aws",
    ".azure",
    ".gnupg",
    ".kube",
    ".docker",
    ".password-store",
    ".electrum",
    ".bitcoin",
    ".codex",
    ".claude",
    ".gemini",
    ".composer",
    ".terraform.d",
    ".cloudflared",
    ".oci",
    ".aliyun",
    ".snowsql",
    ".filezilla",
    "keychains",
    "keyrings",
    "gcloud",
];

/// Directories of programs that keep tokens, below the directory of settings.
pub(crate) const SETTINGS: &[&str] = &[
    "gh",
    "hub",
    "glab-cli",
    "op",
    "doctl",
    "heroku",
    "stripe",
    "ngrok",
    "rclone",
    "containers",
    "github-copilot",
    "configstore",
    "sops",
];
/// What the directory of settings is called (XDG Base Directory Specification).
pub(crate) const SETTINGS_OF_ALL: &str = ".config";

/// Files that keep secrets in one directory only.
pub(crate) const PLACED: &[(&str, &str)] = &[
    (".m2", "settings.xml"),
    (".gradle", "gradle.properties"),
    ("gh", "hosts.yml"),
    (".vnc", "passwd"),
    (".nuget", "nuget.config"),
    (".dbt", "profiles.yml"),
    (".wrangler", "default.toml"),
    (".fly", "config.yml"),
    (".netlify", "config.json"),
    (".purple", "accounts.xml"),
    (".weechat", "sec.conf"),
    ("huggingface", "token"),
];

/// Endings, without the dot.
pub(crate) const ENDINGS: &[&str] = &[
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

/// Beginnings of names: keys of SSH, an Ethereum wallet, accounts of Google, our database.
pub(crate) const BEGINNINGS: &[&str] = &[
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    "id_xmss",
    "ssh_host_",
    "service-account",
    "service_account",
    "utc--",
    "krb5cc_",
    "sayso.db",
];

/// Endings that say that the file is for everybody to see: a public key, a form to fill in.
pub(crate) const PUBLIC_ENDINGS: &[&str] = &["pub", "example", "sample", "template", "dist"];

/// Endings of a copy, which keeps what its original keeps.
pub(crate) const COPY_ENDINGS: &[&str] = &[
    "bak", "backup", "old", "orig", "save", "copy", "tmp", "swp", "swo",
];

/// What follows `env` in the name of a file with the settings of one place of use.
pub(crate) const STAGES: &[&str] = &[
    "local",
    "prod",
    "production",
    "dev",
    "development",
    "staging",
    "stage",
    "test",
    "testing",
    "qa",
    "uat",
    "ci",
    "preprod",
    "preview",
    "live",
    "private",
    "docker",
];

/// Programs that keep what was typed, in `NAME_history`.
pub(crate) const TYPED_INTO: &[&str] = &[
    "bash",
    "zsh",
    "sh",
    "ksh",
    "fish",
    "python",
    "node_repl",
    "irb",
    "psql",
    "mysql",
    "mariadb",
    "sqlite",
    "rediscli",
    "mongo",
];
