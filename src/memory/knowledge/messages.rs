//! Why something of the operator's texts is left out, in English and 简体中文.

use std::fmt;

use sayso_core::Language;

use super::Why;

impl Why {
    /// Returns it in words, to stand behind the name of the file.
    pub fn in_words(&self, language: Language) -> String {
        match language {
            Language::English => self.to_string(),
            Language::Chinese => match self {
                Self::TooLarge => "大于 256 KiB".to_owned(),
                Self::NotText => "不是文本，或编码无法识别".to_owned(),
                Self::LeadsOut => "是指向目录之外的链接".to_owned(),
                Self::NoFile => "不是普通文件".to_owned(),
                Self::Unreadable(error) => format!("无法读取（{error}）"),
                Self::NoRoom => "放不下：最多 200 个文件，共 4 MiB".to_owned(),
                Self::GivesOrders(heading) => {
                    format!("“{heading}”下的段落像攻击一样给模型下命令")
                }
            },
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge => f.write_str("it is larger than 256 KiB"),
            Self::NotText => f.write_str("it is not text in a known encoding"),
            Self::LeadsOut => f.write_str("it is a link that leads out of the directory"),
            Self::NoFile => f.write_str("it is no plain file"),
            Self::Unreadable(error) => write!(f, "it cannot be read: {error}"),
            Self::NoRoom => f.write_str("there is no room: 200 files and 4 MiB are the most"),
            Self::GivesOrders(heading) => write!(
                f,
                "the passage below `{heading}` gives orders to the model, as an attack does"
            ),
        }
    }
}
