//! Why a secret is not used, by its name alone.

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
    /// Returns the reason in words that the model can act on, on one line.
    pub(super) fn for_model(&self) -> String {
        match self {
            Self::Unknown { name, known } if known.is_empty() => {
                format!("there is no secret `{name}`: none is configured")
            }
            Self::Unknown { name, known } => format!(
                "there is no secret `{name}`; there are `{}`",
                known.join("`, `")
            ),
            Self::Host { name, hosts, .. } if hosts.is_empty() => {
                format!("the secret `{name}` is sent to no host: `secrets.{name}.hosts` is empty")
            }
            Self::Host {
                name,
                server,
                hosts,
                is_encrypted,
            } => {
                let over = if *is_encrypted {
                    ""
                } else {
                    " over plain `http`"
                };
                format!(
                    "the secret `{name}` is not sent to `{server}`{over}: `secrets.{name}.hosts` \
                     has `{}`, to which it goes over `https`, or over `http` where a port is named",
                    hosts.join("`, `")
                )
            }
            Self::Program {
                name,
                program,
                commands,
            } => format!(
                "the secret `{name}` is not given to `{program}`: every program of the call must \
                 be in `secrets.{name}.commands`, which {}",
                has(commands)
            ),
            Self::NotPlain(name) => format!(
                "the secret `{name}` is given to plain commands only: no expansions, globs, \
                 groups, loops, background or redirections to files, and its variable for nothing but setting another \
                 one before a program (`GH_TOKEN=\"${}\" gh ...`)",
                crate::variable_of(name)
            ),
        }
    }

    /// Returns the reason for people of a Chinese chat, on one line.
    pub(super) fn in_chinese(&self) -> String {
        match self {
            Self::Unknown { name, .. } => format!("没有名为 `{name}` 的机密"),
            Self::Host { name, server, .. } => format!(
                "机密 `{name}` 不会发送到 `{server}`：`secrets.{name}.hosts` 中没有它，或者不是 `https`"
            ),
            Self::Program { name, program, .. } => {
                format!("机密 `{name}` 不会交给 `{program}`：它不在 `secrets.{name}.commands` 之中")
            }
            Self::NotPlain(name) => {
                format!(
                    "机密 `{name}` 只交给普通命令：不含展开、通配符、分组、循环、后台运行或写入文件的重定向"
                )
            }
        }
    }
}

fn has(commands: &[String]) -> String {
    if commands.is_empty() {
        "is empty".to_owned()
    } else {
        format!("has `{}`", commands.join("`, `"))
    }
}

#[cfg(test)]
mod tests {
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
            .flat_map(|refusal| [refusal.for_model(), refusal.in_chinese()])
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
