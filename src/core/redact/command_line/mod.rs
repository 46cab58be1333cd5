//! Passwords in the arguments of programs: `curl -u user:password`, `mysql -pPASSWORD`,
//! `sshpass -p PASSWORD`. No name says that they are secrets, only the program's manual does.
//!
//! A command is read as far as its words go; nothing is run, and what is no command of one of these
//! programs stays. What stands for a password, such as `$PASSWORD` or `user:pass`, stays too.

mod words;

use std::ops::Range;

use aho_corasick::AhoCorasick;

use self::words::{inner, words_from};
use super::alphabet::{is_secret_byte, is_word, run};
use super::plain_words::is_placeholder;
use super::randomness::looks_random;
use super::secret_names::Class;
use super::spans::Span;
use super::{Reading, TooMuch};

/// The kind of what is hidden here.
pub(super) const KIND: &str = "password-in-command";

/// The shortest password that is hidden, in bytes.
const MIN_PASSWORD: usize = 3;
/// What manuals and examples write in the place of a password.
const EXAMPLES: [&[u8]; 15] = [
    b"password",
    b"passwd",
    b"passwort",
    b"pass",
    b"passphrase",
    b"pwd",
    b"secret",
    b"token",
    b"test",
    b"changeit",
    b"mypassword",
    b"my_password",
    b"userpass",
    b"db_password",
    b"dbpassword",
];

/// Programs, and which of their arguments hold passwords.
struct Program {
    names: &'static [&'static str],
    arguments: &'static [Argument],
}

/// An argument that holds a password.
enum Argument {
    /// A user, a sign and a password: in the next word, behind `=`, or behind a short option
    /// itself.
    Pair(char, &'static [&'static str]),
    /// A password: in the next word, or behind `=`.
    Next(&'static [&'static str]),
    /// A password right behind the option, as in `-pSECRET`.
    Glued(&'static [&'static str]),
    /// The same as [`Argument::Next`], once this word came.
    After(&'static str, &'static [&'static str]),
    /// `pass:` and the password, in the next word (openssl-passphrase-options(1)).
    PassPhrase(&'static [&'static str]),
    /// The last word that is no option, where this option is given in a row of others.
    Last(char),
    /// The first word that is no option.
    First,
}

use Argument::{After, First, Glued, Last, Next, Pair, PassPhrase};

/// The programs, by their manuals.
static PROGRAMS: &[Program] = &[
    Program {
        names: &["curl", "curl.exe"],
        arguments: &[
            Pair(':', &["-u", "--user", "-U", "--proxy-user"]),
            Next(&["--pass", "--proxy-pass", "--oauth2-bearer", "--tlspassword"]),
        ],
    },
    Program {
        names: &["http", "https", "xh"],
        arguments: &[Pair(':', &["-a", "--auth"])],
    },
    Program {
        names: &["ab", "siege", "newman"],
        arguments: &[Pair(':', &["-A", "-P"])],
    },
    Program {
        names: &["wget", "wget2", "aria2c", "axel"],
        arguments: &[Next(&[
            "--password",
            "--http-password",
            "--http-passwd",
            "--ftp-password",
            "--proxy-password",
            "--ftp-passwd",
        ])],
    },
    Program {
        names: &[
            "mysql",
            "mysqldump",
            "mysqladmin",
            "mysqlimport",
            "mysqlcheck",
            "mysqlshow",
            "mariadb",
            "mariadb-dump",
            "mariadb-admin",
            "mycli",
        ],
        arguments: &[Glued(&["-p", "--password="])],
    },
    Program {
        names: &["sshpass"],
        arguments: &[Glued(&["-p"]), Next(&["-p"])],
    },
    Program {
        names: &[
            "mongo",
            "mongosh",
            "mongodump",
            "mongorestore",
            "mongoexport",
            "mongoimport",
            "mongostat",
        ],
        arguments: &[Next(&["-p", "--password"]), Glued(&["-p"])],
    },
    Program {
        names: &["redis-cli", "valkey-cli", "redis-benchmark"],
        arguments: &[Next(&["-a", "--pass"])],
    },
    Program {
        names: &["sqlcmd", "bcp", "osql", "isql"],
        arguments: &[Next(&["-P"]), Glued(&["-P"])],
    },
    Program {
        names: &["zip", "unzip", "zipcloak"],
        arguments: &[Next(&["-P"])],
    },
    Program {
        names: &["7z", "7za", "7zz", "rar", "unrar"],
        arguments: &[Glued(&["-p"])],
    },
    Program {
        names: &[
            "docker", "podman", "nerdctl", "helm", "buildah", "oc", "az", "argocd", "cf",
        ],
        arguments: &[After("login", &["-p", "--password"])],
    },
    Program {
        names: &["skopeo", "crane", "regctl"],
        arguments: &[Pair(
            ':',
            &["--creds", "--src-creds", "--dest-creds", "--pass"],
        )],
    },
    Program {
        names: &[
            "ldapsearch",
            "ldapadd",
            "ldapmodify",
            "ldapdelete",
            "ldapwhoami",
            "ldappasswd",
        ],
        arguments: &[Next(&["-w", "-s"])],
    },
    Program {
        names: &["openssl"],
        arguments: &[PassPhrase(&["-passin", "-passout", "-pass"]), Next(&["-k"])],
    },
    Program {
        names: &["smbclient", "rpcclient", "smbget", "net"],
        arguments: &[Pair('%', &["-U", "--user"])],
    },
    Program {
        names: &["lftp"],
        arguments: &[Pair(',', &["-u"])],
    },
    Program {
        names: &["xfreerdp", "wfreerdp", "xfreerdp3"],
        arguments: &[Glued(&["/p:"])],
    },
    Program {
        names: &["rdesktop", "ipmitool"],
        arguments: &[Next(&["-p", "-P"])],
    },
    Program {
        names: &["gpg", "gpg2"],
        arguments: &[Next(&["--passphrase"])],
    },
    Program {
        names: &["keytool", "jarsigner", "apksigner"],
        arguments: &[Next(&[
            "-storepass",
            "-keypass",
            "-srcstorepass",
            "-deststorepass",
            "--ks-pass",
        ])],
    },
    Program {
        names: &["htpasswd"],
        arguments: &[Last('b')],
    },
    Program {
        names: &["ConvertTo-SecureString"],
        arguments: &[Next(&["-String"]), First],
    },
    Program {
        names: &["snmpget", "snmpwalk"],
        arguments: &[Next(&["-A", "-X"])],
    },
];

/// The login of a machine in `.netrc`, which curl and ftp read.
const NETRC: &str = "login";

/// Looks for the programs.
pub(super) struct Commands {
    finder: AhoCorasick,
    /// The program that each pattern of the finder names; `None` for a line of `.netrc`.
    programs: Vec<Option<&'static Program>>,
}

impl Commands {
    pub(super) fn new() -> Result<Self, TooMuch> {
        let names = || PROGRAMS.iter().flat_map(|program| program.names).copied();
        let of_name =
            |program: &'static Program| std::iter::repeat_n(Some(program), program.names.len());
        let programs = PROGRAMS.iter().flat_map(of_name);
        Ok(Self {
            finder: AhoCorasick::builder()
                .match_kind(aho_corasick::MatchKind::LeftmostLongest)
                .build(names().chain([NETRC]))?,
            programs: programs.chain([None]).collect(),
        })
    }

    /// Finds the passwords in all commands of a text.
    pub(super) fn find(&self, bytes: &[u8], reading: Reading, found: &mut Vec<Span<'_>>) {
        for name in self.finder.find_iter(bytes) {
            let before = name.start().checked_sub(1).and_then(|at| bytes.get(at));
            let is_command = !before.is_some_and(|before| is_word(*before) || *before == b'.')
                && matches!(
                    bytes.get(name.end()),
                    Some(b' ' | b'\t' | b'\\' | b'"' | b'\'' | b',')
                );
            let Some(program) = self.programs.get(name.pattern().as_usize()) else {
                continue;
            };
            if !is_command {
                continue;
            }
            // In a list of arguments a quote ends the name.
            let quote = run(bytes, name.end(), |byte| {
                matches!(byte, b'"' | b'\'' | b'\\')
            });
            let is_listed = bytes.get(name.end() + quote) == Some(&b',');
            let from = name.end() + if is_listed { quote } else { 0 };
            let words = words_from(bytes, from);
            match program {
                Some(program) => program.find(bytes, &words, reading, found),
                None => netrc(bytes, &words, reading, found),
            }
        }
    }
}

impl Program {
    fn find(
        &self,
        bytes: &[u8],
        words: &[Range<usize>],
        reading: Reading,
        found: &mut Vec<Span<'_>>,
    ) {
        for argument in self.arguments {
            for (at, word) in words.iter().enumerate() {
                let command = Command { bytes, words, at };
                let password = command.password(argument, word);
                let Some(password) = password.filter(|range| is_given(bytes, range)) else {
                    continue;
                };
                let plain = run(bytes, password.start, is_secret_byte);
                let end = match reading {
                    Reading::Text => password.end,
                    Reading::Call => password.end.min(password.start + plain),
                };
                if end > password.start {
                    found.push(Span::new(password.start..end, KIND).with_exactness(2));
                }
            }
        }
    }
}

/// A word of a command, among the others.
struct Command<'c> {
    bytes: &'c [u8],
    words: &'c [Range<usize>],
    at: usize,
}

impl Command<'_> {
    /// Returns the password that a word, or the next one, holds by this rule.
    fn password(&self, argument: &Argument, word: &Range<usize>) -> Option<Range<usize>> {
        match argument {
            Pair(sign, options) => self.pair(*sign, self.value_of(word, options, true)?),
            Next(options) => Some(inner(self.bytes, self.value_of(word, options, false)?)),
            Glued(options) => Some(inner(self.bytes, self.glued(word, options)?)),
            After(login, options) => {
                let before = self.words.get(..self.at)?;
                let has_come = before
                    .iter()
                    .any(|word| self.text(word) == login.as_bytes());
                let value = self.value_of(word, options, false)?;
                has_come.then(|| inner(self.bytes, value))
            }
            PassPhrase(options) => {
                let value = inner(self.bytes, self.value_of(word, options, false)?);
                let is_written = self.text(&value).starts_with(b"pass:");
                is_written.then_some(value.start + 5..value.end)
            }
            Last(option) => self.last(*option, word),
            First => (self.at == 0 && !self.text(word).starts_with(b"-"))
                .then(|| inner(self.bytes, word.clone())),
        }
    }

    fn text(&self, range: &Range<usize>) -> &[u8] {
        self.bytes.get(range.clone()).unwrap_or_default()
    }

    /// Returns the value of an option: the next word, or what stands behind `=` or, where short
    /// options may hold it, behind the option itself.
    fn value_of(
        &self,
        word: &Range<usize>,
        options: &[&str],
        is_glued: bool,
    ) -> Option<Range<usize>> {
        let text = self.text(&inner(self.bytes, word.clone()));
        if options.iter().any(|option| ends_option(text, option)) {
            return self.words.get(self.at + 1).cloned();
        }
        options.iter().find_map(|option| {
            let rest = self.text(word).strip_prefix(option.as_bytes())?;
            let begin = word.start + option.len();
            let is_short = option.len() == 2;
            match rest.first()? {
                b'=' => Some(begin + 1..word.end),
                _ if is_short && is_glued => Some(begin..word.end),
                _ => None,
            }
        })
    }

    fn glued(&self, word: &Range<usize>, options: &[&str]) -> Option<Range<usize>> {
        options.iter().find_map(|option| {
            let rest = self.text(word).strip_prefix(option.as_bytes())?;
            (!rest.is_empty()).then_some(word.start + option.len()..word.end)
        })
    }

    /// Returns the password of a pair; the user where it is random and no password follows, which
    /// is how keys of services are given.
    fn pair(&self, sign: char, value: Range<usize>) -> Option<Range<usize>> {
        let value = inner(self.bytes, value);
        let text = self.text(&value);
        if matches!(text.first(), Some(b'<' | b'[')) {
            return None;
        }
        let sign = text.iter().position(|byte| char::from(*byte) == sign)?;
        let user = inner(self.bytes, value.start..value.start + sign);
        let password = inner(self.bytes, value.start + sign + 1..value.end);
        let is_example = EXAMPLES
            .iter()
            .any(|it| self.text(&password).eq_ignore_ascii_case(it));
        let is_key =
            (password.is_empty() || is_example) && looks_random(self.text(&user), Class::Token);
        if is_key {
            return Some(user);
        }
        (!password.is_empty()).then_some(password)
    }

    /// Returns the last word where this option is among the short ones.
    fn last(&self, option: char, word: &Range<usize>) -> Option<Range<usize>> {
        let is_set = self.words.iter().any(|word| {
            let text = self.text(word);
            text.starts_with(b"-")
                && !text.starts_with(b"--")
                && text.iter().any(|byte| char::from(*byte) == option)
        });
        let others = self
            .words
            .iter()
            .filter(|word| !self.text(word).starts_with(b"-"));
        let is_last = self.at + 1 == self.words.len() && others.count() >= 2;
        (is_set && is_last).then(|| inner(self.bytes, word.clone()))
    }
}

/// Returns whether a word is an option, or ends a row of short ones with it: `-sSu` with `-u`.
fn ends_option(word: &[u8], option: &str) -> bool {
    let option = option.as_bytes();
    if word == option {
        return true;
    }
    let is_row = word.first() == Some(&b'-')
        && word.len() <= 8
        && word
            .get(1..)
            .is_some_and(|rest| rest.iter().all(u8::is_ascii_alphabetic));
    option.len() == 2 && option.first() == Some(&b'-') && is_row && word.last() == option.last()
}

/// `machine HOST login USER password PASSWORD`.
fn netrc(bytes: &[u8], words: &[Range<usize>], reading: Reading, found: &mut Vec<Span<'_>>) {
    let [_, name, password, ..] = words else {
        return;
    };
    let text = |range: &Range<usize>| bytes.get(range.clone()).unwrap_or_default();
    let plain = run(bytes, password.start, is_secret_byte);
    let end = match reading {
        Reading::Text => password.end,
        Reading::Call => password.end.min(password.start + plain),
    };
    let password = password.start..end;
    if text(name) == b"password" && looks_random(text(&password), Class::Password) {
        found.push(Span::new(password, KIND).with_exactness(2));
    }
}

/// Returns whether a password is written there, and not what stands for one.
fn is_given(bytes: &[u8], range: &Range<usize>) -> bool {
    let password = bytes.get(range.clone()).unwrap_or_default();
    password.len() >= MIN_PASSWORD
        && !EXAMPLES.iter().any(|it| password.eq_ignore_ascii_case(it))
        && !is_placeholder(password)
        && !password.starts_with(b"-")
}
