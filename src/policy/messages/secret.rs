//! Why a secret is not used, by its name alone.

use sayso_core::{Language, text};

/// Why a call may not use a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SecretRefusal {
    /// There is none of this name.
    Unknown {
        /// The name.
        name: String,
        /// The names there are.
        known: Vec<String>,
    },
    /// The server may not get it.
    Host {
        /// The secret.
        name: String,
        /// The server.
        server: String,
        /// The hosts that may.
        hosts: Vec<String>,
        /// Whether it would go over `https`.
        is_encrypted: bool,
    },
    /// A program of the command may not get it.
    Program {
        /// The secret.
        name: String,
        /// The program.
        program: String,
        /// The programs that may.
        commands: Vec<String>,
    },
    /// Which programs would get it is not certain, or it would stand among their words.
    NotPlain(String),
}

impl SecretRefusal {
    /// Returns it for people; in English it is what the model reads.
    // long: one text for each refusal
    pub(super) fn in_language(&self, language: Language) -> String {
        match self {
            Self::Unknown { name, known } if known.is_empty() => {
                text!(language, "refusals-no-secrets", name)
            }
            Self::Unknown { name, known } => {
                text!(
                    language,
                    "refusals-unknown-secret",
                    name,
                    known = known.join("`, `")
                )
            }
            Self::Host {
                name,
                server,
                hosts,
                ..
            } if hosts.is_empty() => {
                text!(language, "refusals-secret-without-hosts", name, server)
            }
            Self::Host {
                name,
                server,
                hosts,
                is_encrypted,
            } if *is_encrypted => text!(
                language,
                "refusals-secret-other-host",
                name,
                server,
                hosts = hosts.join("`, `")
            ),
            Self::Host {
                name,
                server,
                hosts,
                ..
            } => text!(
                language,
                "refusals-secret-over-http",
                name,
                server,
                hosts = hosts.join("`, `")
            ),
            Self::Program {
                name,
                program,
                commands,
            } if commands.is_empty() => {
                text!(language, "refusals-secret-without-commands", name, program)
            }
            Self::Program {
                name,
                program,
                commands,
            } => text!(
                language,
                "refusals-secret-other-program",
                name,
                program,
                commands = commands.join("`, `")
            ),
            Self::NotPlain(name) => text!(
                language,
                "refusals-secret-plain-commands",
                name,
                variable = crate::variable_of(name)
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use sayso_core::Language;

    use super::SecretRefusal;

    #[test]
    fn a_refusal_names_the_secret_and_the_key() {
        let host = |hosts: &[&str], is_encrypted| SecretRefusal::Host {
            name: "github".into(),
            server: "evil.example:443".into(),
            hosts: hosts.iter().map(|host| (*host).to_owned()).collect(),
            is_encrypted,
        };
        let program = |commands: Vec<String>| SecretRefusal::Program {
            name: "github".into(),
            program: "cat".into(),
            commands,
        };
        let unknown = |known| SecretRefusal::Unknown {
            name: "gitlab".into(),
            known,
        };
        let refusals = [
            unknown(Vec::new()),
            unknown(vec!["github".into()]),
            host(&[], true),
            host(&["api.github.com"], true),
            host(&["api.github.com"], false),
            program(Vec::new()),
            program(vec!["gh".into(), "git".into()]),
            SecretRefusal::NotPlain("github".into()),
        ];
        let page: Vec<_> = refusals
            .iter()
            .flat_map(|refusal| {
                [
                    refusal.in_language(Language::English),
                    refusal.in_language(Language::Chinese),
                ]
            })
            .collect();
        insta::assert_snapshot!(page.join("\n"), @r#"
        there is no secret `gitlab`: none is configured
        没有名为 `gitlab` 的机密
        there is no secret `gitlab`; there are `github`
        没有名为 `gitlab` 的机密
        the secret `github` is sent to no host: `secrets.github.hosts` is empty
        机密 `github` 不会发送到 `evil.example:443`：`secrets.github.hosts` 中没有它，或者不是 `https`
        the secret `github` is not sent to `evil.example:443`: `secrets.github.hosts` has `api.github.com`, to which it goes over `https`, or over `http` where a port is named
        机密 `github` 不会发送到 `evil.example:443`：`secrets.github.hosts` 中没有它，或者不是 `https`
        the secret `github` is not sent to `evil.example:443` over plain `http`: `secrets.github.hosts` has `api.github.com`, to which it goes over `https`, or over `http` where a port is named
        机密 `github` 不会发送到 `evil.example:443`：`secrets.github.hosts` 中没有它，或者不是 `https`
        the secret `github` is not given to `cat`: every program of the call must be in `secrets.github.commands`, which is empty
        机密 `github` 不会交给 `cat`：它不在 `secrets.github.commands` 之中
        the secret `github` is not given to `cat`: every program of the call must be in `secrets.github.commands`, which has `gh`, `git`
        机密 `github` 不会交给 `cat`：它不在 `secrets.github.commands` 之中
        the secret `github` is given to plain commands only: no expansions, globs, groups, loops, background or redirections to files, and its variable for nothing but setting another one before a program (`GH_TOKEN="$SAYSO_SECRET_GITHUB" gh ...`)
        机密 `github` 只交给普通命令：不含展开、通配符、分组、循环、后台运行或写入文件的重定向
        "#);
    }
}
