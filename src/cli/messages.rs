//! What the command line says, in English and 简体中文.

use std::fmt::Display;

use sayso_channel::Language;

/// Declares texts by their situation: one function each, the two languages side by side.
macro_rules! texts {
    ($(
        $(#[$doc:meta])*
        $name:ident($($argument:ident),*) { $english:literal $chinese:literal }
    )*) => {$(
        $(#[$doc])*
        pub(super) fn $name(language: Language $(, $argument: &dyn Display)*) -> String {
            match language {
                Language::English => format!($english),
                Language::Chinese => format!($chinese),
            }
        }
    )*};
}

texts! {
    /// A file was read.
    configuration_from_file(file) {
        "configuration: {file}"
        "配置：{file}"
    }
    /// There is no file.
    configuration_from_environment() {
        "configuration: no file, only the environment and the defaults"
        "配置：没有文件，只有环境变量和默认值"
    }
    /// A terminal chat without a model.
    chat_is_offline() {
        "No model is configured, so the built-in offline model answers; it understands only a few requests.\n\
         hint: set `OPENAI_API_KEY`, or run `sayso init` to set up a model and Telegram."
        "尚未配置模型，现在由内置的离线模型回答，它只懂几种请求。\n\
         提示：设置 `OPENAI_API_KEY`，或运行 `sayso init` 配置模型和 Telegram。"
    }
}
