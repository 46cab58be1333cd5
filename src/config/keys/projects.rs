//! `[projects.NAME]`: folders that people may have worked in from a chat.

use super::key::{switch, text, texts};
use super::section::Section;

/// How it stands in the example.
pub(super) const SECTION: Section = Section::of("projects", ProjectTable::KEYS)
    .above(
        "Folders of this machine that people may have worked in: /project binds a chat or a thread to\n\
         one, and files, commands and git are confined to it from then on. One section for each; owners\n\
         may choose every project, others those that name them.",
        "本机上可在其中工作的文件夹：/project 将聊天或话题绑定到一个项目，此后文件、命令和 git\n\
         都限于其中。每个项目一个小节；管理者可选择所有项目，其他人只能选择写有自己账号的项目。",
    );

declare! {
    /// `[projects.NAME]`
    ProjectTable in "projects" {
        path: Option<String> = text()
            .example(r#""/srv/code/site""#)
            .doc("the folder, which must exist", "文件夹，必须存在"),
        #[serde(default)]
        people: Vec<String> = texts()
            .example(r#"["telegram:67890"]"#)
            .doc("who may choose it beside the owners", "除管理者外可以选择它的人"),
        #[serde(default)]
        write: bool = switch()
            .example("true")
            .doc(
                "whether anything may be changed there; left out, it is only read",
                "是否可以在其中更改；省略则只读",
            ),
        #[serde(default)]
        checks: Vec<String> = texts()
            .example(r#"["tests=make check", "lint="]"#)
            .doc(
                "how it is verified, where its files do not say it: lint, types, build, tests, custom, runtime; nothing behind the = leaves one out, none= leaves out what the files say",
                "项目文件未说明时如何验证：lint、types、build、tests、custom、runtime；= 后为空表示不检查该项，none= 表示忽略项目文件的说明",
            ),
        description: Option<String> = text()
            .example(r#""the web site""#)
            .doc("shown to the model and in /project, one line", "给模型和 /project 看的一行说明"),
    }
}
