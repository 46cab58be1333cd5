//! Repositories of others, fetched to be read over and never to be worked in.
//!
//! git connects to one server, at addresses that were checked before, and fetches the files of one
//! commit. Nothing in a repository is run: nothing is checked out, so there are no filters, links
//! or submodules; there are no hooks; only our configuration applies; and the files are packed into
//! an archive, which its reader treats as untrusted.

use std::fmt;
use std::io::{self, Read as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sayso_core::visible::visible_line;
use sayso_fetch::{BadUrl, Names, NoAddress, Target};
use sayso_policy::{Access, Confinement, HostRules, Standing, WorkspaceUse};
use sayso_sandbox::helper::End;
use secrecy::SecretString;
use thiserror::Error;

use super::command::quoted;
use super::harmless;
use crate::shell::{Apart, Over, Runner};

/// How long a repository may take to come.
const WITHIN: Duration = Duration::from_mins(1);
/// The longest file that git may write, as `ulimit -f` counts it: 32 MiB, or 64 where `sh` counts
/// larger blocks.
const FILE_BLOCKS: u32 = 65_536;
/// The most of a list of files that is read, in bytes.
const MAX_LIST_BYTES: u64 = 8 * 1024 * 1024;
/// The longest error message of git that is reported, in characters.
const MAX_COMPLAINT_CHARS: usize = 300;
/// The directory of the repository, and the files beside it that git writes.
const REPOSITORY: &str = "repository";
const COMMIT: &str = "commit";
const FILES: &str = "files";
const COMPLAINTS: &str = "complaints";
const ARCHIVE: &str = "files.tar";
/// The branch that the commit is kept as.
const TAKEN: &str = "refs/heads/taken";

/// Settings in addition to those for every repository: one server, no redirects, no proxy, no
/// password prompt, few files, and a timeout for a server that stops sending.
const FIXED: [(&str, &str); 9] = [
    ("http.followRedirects", "false"),
    ("http.proxy", ""),
    ("http.cookieFile", ""),
    ("http.lowSpeedLimit", "1000"),
    ("http.lowSpeedTime", "20"),
    ("transfer.bundleURI", "false"),
    ("fetch.unpackLimit", "1"),
    ("fetch.writeCommitGraph", "false"),
    ("init.defaultBranch", "taken"),
];

/// What fetches repositories.
#[derive(Clone)]
pub struct Remotes {
    runner: Runner,
    rules: HostRules,
    confinement: Confinement,
    certificates: Option<PathBuf>,
}

/// Where a repository is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remote {
    /// On a server, spoken to over HTTPS.
    Web(Target),
    /// On this machine, where an operator says so.
    Here(PathBuf),
}

/// A repository that was fetched.
#[derive(Debug)]
pub struct Fetched {
    /// The commit, in hexadecimal.
    pub commit: String,
    /// Its files.
    pub files: Vec<RemoteFile>,
}

/// A file of a repository that was fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteFile {
    /// Its path, with `/` between its parts.
    pub path: String,
    /// How many bytes it has.
    pub bytes: u64,
}

/// Why a repository was not fetched.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NotFetched {
    /// It is no address that is fetched from.
    #[error(transparent)]
    Address(#[from] BadUrl),
    /// It is an address of something else than HTTPS.
    #[error("only `https` is fetched")]
    NotHttps,
    /// The operator's rules say no to its server.
    #[error("`policy` says no to {0}")]
    Denied(String),
    /// Its server is not known.
    #[error("the name `{0}` is not known")]
    Unknown(String),
    /// Its server is at an address that is not public.
    #[error("`{0}` is at a {1} address")]
    NotPublic(String, &'static str),
    /// git would not be confined as the configuration demands.
    #[error("`policy.sandbox` is `require`, and this machine cannot confine git")]
    NotConfined,
    /// It did not come in time.
    #[error("it did not come within {} s", WITHIN.as_secs())]
    TooSlow,
    /// git says why, in words of its own or of the server.
    #[error("git says: {0}")]
    Failed(String),
}

impl Remote {
    /// Reads an address on the web.
    pub fn on_web(written: &str, rules: &HostRules) -> Result<Self, NotFetched> {
        let target = Target::parse(written, rules)?;
        let server = target.server();
        if target.url().scheme() != "https" {
            return Err(NotFetched::NotHttps);
        }
        if rules.standing(server) == Standing::Denied || !rules.opens_port(server) {
            return Err(NotFetched::Denied(server.to_string()));
        }
        Ok(Self::Web(target))
    }

    fn written(&self) -> String {
        match self {
            Self::Web(target) => target.url().to_string(),
            Self::Here(path) => format!("file://{}", path.display()),
        }
    }

    fn protocol(&self) -> &'static str {
        match self {
            Self::Web(_) => "https",
            Self::Here(_) => "file",
        }
    }
}

impl fmt::Debug for Remotes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Remotes").finish_non_exhaustive()
    }
}

impl Remotes {
    /// Makes what fetches by these rules, and runs git as commands of the shell run. `certificates`
    /// is a file with the authorities that servers are believed by, in place of the system's.
    pub fn new(
        runner: Runner,
        rules: HostRules,
        confinement: Confinement,
        certificates: Option<PathBuf>,
    ) -> Self {
        Self {
            runner,
            rules,
            confinement,
            certificates,
        }
    }

    /// Returns the rules by which addresses are read.
    pub fn rules(&self) -> &HostRules {
        &self.rules
    }

    /// Fetches the newest commit into an empty directory.
    pub async fn fetch(&self, remote: &Remote, into: &Path) -> Result<Fetched, NotFetched> {
        if self.confinement.must_not_run() {
            return Err(NotFetched::NotConfined);
        }
        let mut settings = FIXED
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .to_vec();
        let mut readable = Vec::new();
        match remote {
            Remote::Web(target) => settings.push(self.addresses(target).await?),
            Remote::Here(path) => readable.push(path.clone()),
        }
        if let Some(certificates) = &self.certificates {
            let path = certificates.display().to_string();
            settings.push(("http.sslCAInfo".to_owned(), path));
            readable.push(certificates.clone());
        }
        let mut variables = harmless::variables(into, &settings);
        // Of two with one name the later counts.
        let only = SecretString::from(remote.protocol());
        variables.push(("GIT_ALLOW_PROTOCOL".to_owned(), only));
        let git = format!("git --git-dir={REPOSITORY}");
        let line = format!(
            "git init --quiet --bare --template= {REPOSITORY} && \
             {git} fetch --quiet --depth=1 --no-tags --no-recurse-submodules \
             --no-auto-maintenance -- {} +HEAD:{TAKEN} && \
             {git} rev-parse --verify --quiet '{TAKEN}^{{commit}}' >{COMMIT} && \
             {git} ls-tree -r -z --long {TAKEN} >{FILES}",
            quoted(&remote.written()),
        );
        let apart = Apart {
            access: Access::Network,
            readable,
            ..alone(&line, variables)
        };
        self.run(apart, into).await?;
        let commit = read(into, COMMIT, 256).map_err(|error| failed(&error))?;
        let files = read(into, FILES, MAX_LIST_BYTES).map_err(|error| failed(&error))?;
        Ok(Fetched {
            commit: commit.trim().to_owned(),
            files: files.split('\0').filter_map(listed).collect(),
        })
    }

    /// Makes an archive (`.tar`) of a folder of what was fetched into a directory; `""` is the
    /// whole.
    pub async fn archive(&self, folder: &str, within: &Path) -> Result<PathBuf, NotFetched> {
        let line = format!(
            "git --git-dir={REPOSITORY} archive --format=tar --output={ARCHIVE} {}",
            quoted(&format!("{TAKEN}:{folder}")),
        );
        let variables = harmless::variables(within, &[]);
        self.run(alone(&line, variables), within).await?;
        Ok(within.join(ARCHIVE))
    }

    /// Returns the setting that binds git to addresses that may be connected to, so that a later
    /// answer to the same question cannot change where it goes.
    async fn addresses(&self, target: &Target) -> Result<(String, String), NotFetched> {
        let server = target.server();
        let host = || server.host().to_owned();
        let addresses = match Names::System.checked(target, &self.rules).await {
            Ok(addresses) => addresses,
            Err(NoAddress::Unknown(_)) => return Err(NotFetched::Unknown(host())),
            Err(NoAddress::NotPublic(special)) => {
                return Err(NotFetched::NotPublic(host(), special.as_str()));
            }
        };
        let written = |address: &SocketAddr| match address {
            SocketAddr::V4(address) => address.ip().to_string(),
            SocketAddr::V6(address) => format!("[{}]", address.ip()),
        };
        let addresses: Vec<String> = addresses.iter().map(written).collect();
        let bound = format!("{server}:{}", addresses.join(","));
        Ok(("http.curloptResolve".to_owned(), bound))
    }

    async fn run(&self, apart: Apart, within: &Path) -> Result<(), NotFetched> {
        match self
            .runner
            .run_apart(apart, within)
            .await
            .map_err(|error| failed(&error))?
        {
            Over::Ended(End::Exited { code: 0 }) => Ok(()),
            Over::TimedOut => Err(NotFetched::TooSlow),
            Over::Ended(_) | Over::Stopped | Over::HelperLost => {
                let complaints = read(within, COMPLAINTS, 64 * 1024).unwrap_or_default();
                Err(NotFetched::Failed(complaint(&complaints)))
            }
        }
    }
}

/// Returns a command of git that reaches nothing beyond its directory.
fn alone(line: &str, variables: Vec<(String, SecretString)>) -> Apart {
    Apart {
        line: format!("ulimit -f {FILE_BLOCKS}; {{ {line}; }} 2>{COMPLAINTS}"),
        variables,
        timeout: WITHIN,
        access: Access::Workspace,
        workspace_use: WorkspaceUse::Changing,
        readable: Vec::new(),
    }
}

/// Reads a line of the list: mode, kind, object and size, a tab, and the path. What is no file (the
/// commit of a submodule) has no size, and is left out.
fn listed(line: &str) -> Option<RemoteFile> {
    let (what, path) = line.split_once('\t')?;
    let bytes = what.split_whitespace().nth(3)?.parse().ok()?;
    Some(RemoteFile {
        path: path.to_owned(),
        bytes,
    })
}

/// Returns the line that says what went wrong: git says it last.
fn complaint(said: &str) -> String {
    let mut lines = said.lines().map(str::trim);
    let last = lines.rfind(|line| !line.is_empty());
    let shown = visible_line(last.unwrap_or("it ended without a word"));
    shown.chars().take(MAX_COMPLAINT_CHARS).collect()
}

fn failed(error: &io::Error) -> NotFetched {
    NotFetched::Failed(error.to_string())
}

/// Reads the output of git; invalid UTF-8 is replaced.
fn read(within: &Path, name: &str, most: u64) -> io::Result<String> {
    let mut bytes = Vec::new();
    let file = std::fs::File::open(within.join(name))?;
    file.take(most).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use sayso_policy::{HostPattern, HostRules};

    use super::{NotFetched, Remote, RemoteFile, complaint, listed};

    #[test]
    fn only_public_servers_are_fetched_from_and_only_over_https() {
        let rules = HostRules {
            deny: vec![HostPattern::parse("bad.example").unwrap()],
            ..HostRules::default()
        };
        let refused = |written| Remote::on_web(written, &rules).unwrap_err().to_string();
        assert!(Remote::on_web("https://git.example/a/tea.git", &rules).is_ok());
        insta::assert_snapshot!(refused("http://git.example/tea"), @"only `https` is fetched");
        insta::assert_snapshot!(refused("ssh://git.example/tea"), @"only `http` and `https` are fetched");
        insta::assert_snapshot!(refused("ext::sh -c id"), @"only `http` and `https` are fetched");
        insta::assert_snapshot!(refused("https://127.0.0.1/tea"), @"its host is a loopback address; only the public internet is fetched from");
        insta::assert_snapshot!(refused("https://169.254.169.254/tea"), @"its host is a link-local address; only the public internet is fetched from");
        insta::assert_snapshot!(refused("https://a:b@git.example/tea"), @"a URL with `user:password@` in it is not fetched");
        insta::assert_snapshot!(refused("https://bad.example/tea"), @"`policy` says no to bad.example:443");
        insta::assert_snapshot!(refused("https://git.example:22/tea"), @"`policy` says no to git.example:22");
        assert_eq!(
            Remote::on_web("tea", &rules),
            Err(NotFetched::Address(sayso_fetch::BadUrl::Unreadable))
        );
    }

    #[test]
    fn a_list_of_files_is_read_without_what_is_no_file() {
        let file =
            listed("100644 blob 8ab686eafeb1f44702738c8b0f24f2567c36da6d      12\ta b/SKILL.md");
        let expected = RemoteFile {
            path: "a b/SKILL.md".to_owned(),
            bytes: 12,
        };
        assert_eq!(file, Some(expected));
        let module = "160000 commit 8ab686eafeb1f44702738c8b0f24f2567c36da6d       -\tmodule";
        assert_eq!(listed(module), None);
        assert_eq!(listed(""), None);
    }

    #[test]
    fn the_last_line_of_git_is_told_and_hides_nothing() {
        assert_eq!(
            complaint("hint: x\nfatal: no\u{202e} such\n\n"),
            "fatal: no\\u{202e} such"
        );
        assert_eq!(complaint(""), "it ended without a word");
    }
}
