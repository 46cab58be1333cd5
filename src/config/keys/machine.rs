//! `[retention]`, `[store]`, `[http]` and `[log]`: what is kept, where, and what is reported.

use super::key::{choice, days, text, whole};
use super::section::Section;
use crate::config::choices::{LogFormat, LogLevel};

/// How it stands in the example.
pub(super) const RETENTION: Section = Section::of("retention", RetentionTable::KEYS)
    .above(
        "How long everything else is kept, in days. A turn also stays while its lines are found again (as the\n\
         section on memory says), something of it is open, or it is one of the newest of its conversation.",
        "其他内容保留的天数。只要任务的内容仍可被搜索到（见 memory 小节）、\n\
         仍有未完成的部分，或属于对话中最新的任务，该任务就会保留。",
    );

/// How it stands in the example.
pub(super) const HTTP: Section = Section::of("http", HttpTable::KEYS).above(
    "Health and figures for machines: GET /health and GET /metrics; and the webhooks of routines.\n\
     Off unless it is set.",
    "供机器读取的健康状态和指标：GET /health 和 GET /metrics；以及例行任务的 webhook。\n\
     不设置则关闭。",
);

/// How it stands in the example.
pub(super) const LOG: Section = Section::of("log", LogTable::KEYS).written().above(
    "The log file is always there: logs/sayso.log in data_dir, 8 files of 8 MiB, secrets hidden.",
    "日志文件始终存在：data_dir 中的 logs/sayso.log，8 个文件，每个 8 MiB，密钥已隐藏。",
);

declare! {
    /// `[retention]`
    RetentionTable in "retention" {
        turns_days: u64 = days()
            .default("365")
            .doc(
                "ended turns with their journals, cards and answers; 0 is for ever",
                "已结束的任务及其日志、卡片和回答；0 表示永久保留",
            ),
        messages_days: u64 = whole(7, 36_500)
            .default("90")
            .doc("what was heard and said beside them", "除此之外收到和发出的消息"),
    }
}

declare! {
    /// `[store]`
    StoreTable in "store" {
        url: String = text()
            .default("sqlite:sayso.db")
            .doc("a file in data_dir", "data_dir 中的文件"),
    }
}

declare! {
    /// `[http]`
    #[derive(Default)]
    HttpTable in "http" {
        listen: Option<String> = text()
            .example(r#""127.0.0.1:8484""#)
            .doc(
                "every client that reaches this address can read the figures; port 0 takes a free one and logs it",
                "能访问此地址的客户端都可读取这些指标；端口 0 表示使用空闲端口并写入日志",
            ),
    }
}

declare! {
    /// `[log]`
    LogTable in "log" {
        level: LogLevel = choice(&["error", "warn", "info", "debug"])
            .default("debug")
            .doc(
                "error, warn, info; debug also has the beginnings of what models are asked and answer",
                "error、warn、info；debug 还包括模型请求和回答的开头",
            ),
        format: LogFormat = choice(&["text", "json"])
            .default("text")
            .doc(
                "text, or json: one object a line, here and on standard error, for programs that collect logs",
                "text，或 json：每行一个对象，用于日志文件和标准错误输出，供收集日志的程序使用",
            ),
        traces: Option<String> = text()
            .optional(r#""http://127.0.0.1:4318""#)
            .doc(
                "an OpenTelemetry collector that gets the timings of turns, by OTLP over HTTP; no message text",
                "通过 OTLP/HTTP 接收任务耗时的 OpenTelemetry 收集器；不含消息内容",
            ),
    }
}
