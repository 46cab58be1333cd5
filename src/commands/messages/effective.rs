//! What `/autonomy` and `/status` say of the policy and of the sandbox.

use sayso_channel::Language::{self, Chinese, English};
use sayso_policy::{AutonomyLevel, Deed, Effective, SandboxMode, Treatment};

/// How many programs of a list are named.
const PROGRAMS: usize = 8;

/// What `/autonomy` shows.
pub struct Shown<'a> {
    /// What the policy comes to.
    pub effective: Effective,
    /// Where the level comes from.
    pub why: Why,
    /// How many commands are always allowed to the person here.
    pub grants: usize,
    /// What the kernel enforces, in words.
    pub sandbox: &'a str,
    /// Whether the person may lower the level here.
    pub may_lower: bool,
}

/// Where a level comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// From `agent.autonomy`.
    Configured,
    /// From the person's entry in `access.autonomy`.
    OwnEntry,
    /// An owner lowered it here from this one.
    LoweredHere(AutonomyLevel),
}

/// `/autonomy`: the settings that apply to the user here.
pub fn autonomy(shown: &Shown<'_>, language: Language) -> String {
    let effective = &shown.effective;
    let deeds = [Treatment::Unasked, Treatment::Asked, Treatment::Refused];
    let mut lines = vec![level(effective.level, shown.why, language), String::new()];
    lines.extend(deeds.into_iter().filter_map(|treatment| {
        let done = effective.deeds.iter().filter(|(_, is)| *is == treatment);
        let done: Vec<String> = done.map(|(kind, _)| deed(kind, language)).collect();
        (!done.is_empty()).then(|| treated(treatment, &done, language))
    }));
    if effective.asks_owners {
        lines.push(owners_approve(language));
    }
    lines.extend(besides(shown, language));
    lines.push(network(effective, language));
    lines.push(format!(
        "- {}",
        sandbox(effective.confinement.mode, shown.sandbox, language)
    ));
    if effective.frees_sandboxed {
        lines.push(trade(language));
    }
    if shown.may_lower {
        let hint = match language {
            English => "An owner can lower it here: `/autonomy read_only`.",
            Chinese => "管理者可以在这里调低：`/autonomy read_only`。",
        };
        lines.extend([String::new(), hint.to_owned()]);
    }
    lines.join("\n")
}

fn level(level: AutonomyLevel, why: Why, language: Language) -> String {
    let why = match (why, language) {
        (Why::Configured, English) => "`agent.autonomy`".to_owned(),
        (Why::Configured, Chinese) => "由 `agent.autonomy` 设定".to_owned(),
        (Why::OwnEntry, English) => "your entry in `access.autonomy`".to_owned(),
        (Why::OwnEntry, Chinese) => "由 `access.autonomy` 中你的条目设定".to_owned(),
        (Why::LoweredHere(from), English) => {
            format!("lowered here; the configuration allows `{}`", from.as_str())
        }
        (Why::LoweredHere(from), Chinese) => {
            format!("在这里调低，配置允许 `{}`", from.as_str())
        }
    };
    let name = level.as_str();
    match language {
        English => format!("Autonomy here: **{name}** ({why})"),
        Chinese => format!("这里的自主级别：**{name}**（{why}）"),
    }
}

fn treated(treatment: Treatment, deeds: &[String], language: Language) -> String {
    match (treatment, language) {
        (Treatment::Unasked, English) => format!("- **Unasked**: {}", deeds.join(", ")),
        (Treatment::Unasked, Chinese) => format!("- **直接做**：{}", deeds.join("、")),
        (Treatment::Asked, English) => format!("- **Asks first**: {}", deeds.join(", ")),
        (Treatment::Asked, Chinese) => format!("- **先询问**：{}", deeds.join("、")),
        (Treatment::Refused, English) => format!("- **Never**: {}", deeds.join(", ")),
        (Treatment::Refused, Chinese) => format!("- **不做**：{}", deeds.join("、")),
    }
}

fn deed(deed: &Deed, language: Language) -> String {
    let [english, chinese] = match deed {
        Deed::ReadsFiles => ["read files in the workspace", "读取工作区的文件"],
        Deed::RunsReaders => [
            "run commands that only read there",
            "执行只在其中读取的命令",
        ],
        Deed::WritesFiles => ["write files there", "在其中写文件"],
        Deed::RunsCommands => ["run commands that stay there", "执行不出工作区的命令"],
        Deed::Deletes => ["run commands that delete", "执行会删除的命令"],
        Deed::UsesNetwork => ["run commands that use the network", "执行联网的命令"],
        Deed::LeavesWorkspace => ["run commands that reach further", "执行越出工作区的命令"],
        Deed::RunsPrograms(programs) => return listed(programs, language),
        Deed::RunsOthers => ["run other commands", "执行其他命令"],
        Deed::FetchesPages => ["fetch web pages", "抓取网页"],
        Deed::SendsRequests => ["send anything to a server", "向服务器提交内容"],
        Deed::OpensSecrets => [
            "read files with keys or passwords",
            "读取存有密钥或密码的文件",
        ],
        Deed::Destroys => ["destroy the system", "破坏系统"],
    };
    match language {
        English => english.to_owned(),
        Chinese => chinese.to_owned(),
    }
}

fn listed(programs: &[String], language: Language) -> String {
    let named: Vec<String> = programs
        .iter()
        .take(PROGRAMS)
        .map(|program| format!("`{program}`"))
        .collect();
    let more = programs.len() - named.len();
    match (more, language) {
        (0, English) => format!("run {} there", named.join(" ")),
        (0, Chinese) => format!("在其中执行 {}", named.join(" ")),
        (_, English) => format!("run {} and {more} other programs there", named.join(" ")),
        (_, Chinese) => format!("在其中执行 {} 和另外 {more} 个程序", named.join(" ")),
    }
}

/// The line for members about calls that only an owner may approve.
fn owners_approve(language: Language) -> String {
    match language {
        English => "- What reaches past your own space asks an owner".to_owned(),
        Chinese => "- 超出你自己范围的操作会询问管理者".to_owned(),
    }
}

/// What speaks of single commands and hosts, and when all of it asks.
fn besides(shown: &Shown<'_>, language: Language) -> Option<String> {
    let counted: Vec<String> = [
        (shown.effective.rules, "policy.rules"),
        (shown.effective.hosts, "policy.allow_hosts"),
        (shown.grants, "/grants"),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, place)| match language {
        English => format!("{count} in `{place}`"),
        Chinese => format!("`{place}` {count} 条"),
    })
    .collect();
    let beside = (!counted.is_empty()).then(|| match language {
        English => format!("- Exceptions: {}", counted.join(", ")),
        Chinese => format!("- 例外：{}", counted.join("、")),
    });
    let taint = shown.effective.outside_text_asks.then(|| match language {
        English => {
            "- With text from outside in view, writing and running ask all the same".to_owned()
        }
        Chinese => "- 对话中有外部文本时，写入和执行仍会询问".to_owned(),
    });
    let lines: Vec<String> = beside.into_iter().chain(taint).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

fn network(effective: &Effective, language: Language) -> String {
    let is_kept_away = effective.confinement.is_whole();
    let [english, chinese] = match (effective.network, is_kept_away) {
        (Treatment::Refused, true) => ["commands have none", "命令不能联网"],
        (Treatment::Asked, true) => ["commands have it only after a yes", "命令经同意才能联网"],
        (Treatment::Unasked, _) => ["commands may use it unasked", "命令可直接联网"],
        (Treatment::Refused | Treatment::Asked, false) => [
            "the kernel does not keep commands from it",
            "内核无法阻止命令联网",
        ],
    };
    match language {
        English => format!("- Network: {english}"),
        Chinese => format!("- 网络：{chinese}"),
    }
}

/// What is demanded of the sandbox, and what the kernel enforces.
pub fn sandbox(mode: SandboxMode, found: &str, language: Language) -> String {
    let mode = match (mode, language) {
        (SandboxMode::Off, English) => {
            return "Sandbox `off`: nothing confines commands".to_owned();
        }
        (SandboxMode::Off, Chinese) => return "沙箱 `off`：命令不受限制".to_owned(),
        (SandboxMode::Require, _) => "require",
        (SandboxMode::Prefer, _) => "prefer",
    };
    match language {
        English => format!("Sandbox `{mode}`: {found}"),
        Chinese => format!("沙箱 `{mode}`：{found}"),
    }
}

/// What `policy.sandboxed_commands = "allow"` gives and takes.
fn trade(language: Language) -> String {
    match language {
        English => "- `sandboxed_commands` is `allow`: fewer questions, but nobody looks before a command spoils something in the workspace".to_owned(),
        Chinese => "- `sandboxed_commands` 为 `allow`：询问更少，但命令弄坏工作区里的东西之前没有人把关".to_owned(),
    }
}
