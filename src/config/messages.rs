//! Why a configuration cannot be used, in English and 简体中文, written from values.
//!
//! Each part of a refusal is an enum: what is allowed ([`Rule`]), why something is missing or
//! cannot be read ([`Reason`]), what to write instead ([`Hint`]). [`Sentence`] joins
//! them.

use std::fmt::{self, Display, Formatter};

use sayso_channel::Language;

/// Declares the situations of an enum, each with its values and the two languages side by side.
macro_rules! situations {
    ($(
        $(#[$about:meta])*
        $visible:vis $name:ident {$(
            $(#[$doc:meta])*
            $variant:ident $(($($value:ident: $type:ty),*))? { $english:literal $chinese:literal }
        )*}
    )*) => {$(
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        $visible enum $name {$(
            $(#[$doc])*
            $variant $({$(
                /// A value in its text.
                $value: $type,
            )*})?,
        )*}

        impl $name {
            /// Returns the text in a language.
            $visible fn in_words(&self, language: Language) -> String {
                match (self, language) {$(
                    (Self::$variant $({ $($value),* })?, Language::English) => format!($english),
                    (Self::$variant $({ $($value),* })?, Language::Chinese) => format!($chinese),
                )*}
            }
        }
    )*};
}

/// Words of which one is written; the alternate form (`{:#}`) is Chinese.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choices(pub &'static [&'static str]);

impl Display for Choices {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (comma, or) = if f.alternate() {
            ("`、`", " 或 ")
        } else {
            ("`, `", " or ")
        };
        match self.0.split_last() {
            Some((last, [])) => write!(f, "`{last}`"),
            Some((last, rest)) => write!(f, "`{}`{or}`{last}`", rest.join(comma)),
            None => Ok(()),
        }
    }
}

/// Names, as code; the alternate form (`{:#}`) is Chinese.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Names(pub Vec<String>);

impl Display for Names {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let comma = if f.alternate() { "`、`" } else { "`, `" };
        write!(f, "`{}`", self.0.join(comma))
    }
}

situations! {
    /// What a key takes: "must be ...".
    pub Rule {
        /// Any text.
        Text { "text in quotes" "带引号的文本" }
        /// A secret as the file has it.
        QuotedSecret { "text in quotes, `env:NAME` or `file:PATH`" "带引号的文本、`env:NAME` 或 `file:PATH`" }
        /// A secret that is empty.
        Secret { "text, `env:NAME` or `file:PATH`" "文本、`env:NAME` 或 `file:PATH`" }
        /// One of some words.
        OneOf(words: Choices) { "{words}" "{words:#}" }
        /// A whole number.
        Whole(least: i64, most: i64) { "a whole number from {least} to {most}" "整数，范围 {least} 至 {most}" }
        /// A word or a whole number.
        AutoOrWhole(least: i64, most: i64) { "`auto` or a whole number from {least} to {most}" "`auto` 或整数，范围 {least} 至 {most}" }
        /// A number.
        Decimal(least: String, most: String) { "a number from {least} to {most}" "数字，范围 {least} 至 {most}" }
        /// On or off.
        Switch { "`true` or `false`" "`true` 或 `false`" }
        /// A list.
        Texts { "a list of texts, such as `[\"one\", \"two\"]`" "文本列表，例如 `[\"one\", \"two\"]`" }
        /// A list of secrets.
        Secrets { "a list of keys, such as `[\"env:FIRST_KEY\", \"file:/run/keys/second\"]`" "密钥列表，例如 `[\"env:FIRST_KEY\", \"file:/run/keys/second\"]`" }
        /// A list of variables.
        Variables {
            "a list of variables, such as `[\"LOG=quiet\", \"API_TOKEN=env:API_TOKEN\"]`; a value may be `env:NAME` or `file:PATH`"
            "变量列表，例如 `[\"LOG=quiet\", \"API_TOKEN=env:API_TOKEN\"]`；值可以是 `env:NAME` 或 `file:PATH`"
        }
        /// A list of tables.
        Sections(list: String) { "a list of sections: `[[{list}]]`" "多个小节：`[[{list}]]`" }
        /// A table.
        Section(path: String) { "a section: `[{path}]`" "一个小节：`[{path}]`" }
        /// A table that a variable tried to set.
        SectionOfFile { "a section of the file; a variable sets one key" "文件中的一个小节；一个变量只设置一个键" }
        /// The name of an account.
        AccountName { "named with 1-32 of `a-z 0-9 _ -`, a letter first, and no `__`" "以 1-32 个 `a-z 0-9 _ -` 命名，以字母开头，且不含 `__`" }
        /// The table of a secret.
        SecretSection {
            "a section of its own, `[secrets.NAME]`, with a `value`, and with the `hosts` or `commands` that it may go to; NAME is 1-32 of `a-z 0-9 _`, a letter first, no `__`, and none of these keys"
            "单独的小节 `[secrets.NAME]`，其中有 `value`，以及可以使用它的 `hosts` 或 `commands`；NAME 为 1-32 个 `a-z 0-9 _`，以字母开头，不含 `__`，也不能是这些键名"
        }
        /// All secrets.
        SecretSections(most: usize) {
            "at most {most} sections: each secret is a section of its own, `[secrets.NAME]`, with a `value`, and with the `hosts` or `commands` that it may go to; NAME is 1-32 of `a-z 0-9 _`, a letter first, no `__`, and none of these keys"
            "最多 {most} 个小节：每个密钥是单独的小节 `[secrets.NAME]`，其中有 `value`，以及可以使用它的 `hosts` 或 `commands`；NAME 为 1-32 个 `a-z 0-9 _`，以字母开头，不含 `__`，也不能是这些键名"
        }
        /// Where the data is.
        Directory { "a directory; `~` is the home directory, which HOME must name" "目录；`~` 是主目录，必须由 HOME 指定" }
        /// Where something listens.
        SocketAddress(example: &'static str) { "an address and a port, such as `{example}`" "地址和端口，例如 `{example}`" }
        /// An address of HTTP.
        Address { "an address that begins with `http://` or `https://` and holds no password" "以 `http://` 或 `https://` 开头且不含密码的地址" }
        /// An address of HTTP, as a channel has it.
        HttpAddress { "an `http` or `https` address" "`http` 或 `https` 地址" }
        /// An address that an endpoint is added to.
        AddressBefore { "the address without the endpoint, which is added to it" "不含端点的地址，端点会自动添加" }
        /// Where Telegram calls.
        WebhookAddress {
            "an address that begins with `https://` (`http://` only with a Bot API server of your own)"
            "以 `https://` 开头的地址（仅自建 Bot API 服务器可用 `http://`）"
        }
        /// What Telegram shows.
        WebhookSecret { "1-256 characters of `A-Z a-z 0-9 _ -`" "1-256 个字符：`A-Z a-z 0-9 _ -`" }
        /// A bot of Telegram.
        TelegramToken { "BotFather's token: digits, a colon, then `A-Z a-z 0-9 _ -`" "BotFather 的令牌：数字、冒号，然后是 `A-Z a-z 0-9 _ -`" }
        /// A bot of Discord.
        DiscordToken {
            "a bot's token without the word `Bot`: three parts of `A-Z a-z 0-9 _ -` with dots between them"
            "机器人的令牌，不含单词 `Bot`：由点分隔的三段 `A-Z a-z 0-9 _ -`"
        }
        /// Connections to Discord.
        Shards { "`auto` or a whole number from 1" "`auto` 或不小于 1 的整数" }
        /// Two accounts with one token.
        OtherToken(other: String) {
            "another token than `channels.{other}.token`: with one token they would take each other's messages"
            "与 `channels.{other}.token` 不同的令牌：使用同一个令牌会互相抢走消息"
        }
        /// A channel that is not built in.
        LeftOutOfBuild(channel: &'static str) { "left out: this build has no {channel}" "省略：此版本不含 {channel}" }
        /// A key of the webhook.
        LeftOutUnlessWebhook { "left out unless `mode = \"webhook\"`" "省略，除非 `mode = \"webhook\"`" }
        /// Another database.
        NotPostgres { "`sqlite:NAME`: this version does not store on PostgreSQL yet" "`sqlite:NAME`：此版本尚不支持 PostgreSQL" }
        /// The database.
        Database { "`sqlite:NAME`, a file in `data_dir`, such as `sqlite:sayso.db`" "`sqlite:NAME`，即 `data_dir` 中的文件，例如 `sqlite:sayso.db`" }
        /// Owners.
        Owners {
            "accounts such as `telegram:12345` or `discord:67890` (the number, not the @name; `/whoami` tells it), `telegram.work:12345` for one bot account only, or `terminal:NAME`; no role and no `*`, since others hand those out"
            "账号，例如 `telegram:12345` 或 `discord:67890`（是数字而不是 @ 名称；`/whoami` 会显示），`telegram.work:12345` 仅限一个机器人账号，或 `terminal:NAME`；不能是角色或 `*`，因为它们由他人授予"
        }
        /// Members.
        Accounts {
            "accounts such as `telegram:12345` or `discord:67890` (the number, not the @name), `discord:role:67890` for a role, `telegram.work:12345` for one bot account only, or `telegram:*` for everybody there"
            "账号，例如 `telegram:12345` 或 `discord:67890`（是数字而不是 @ 名称），角色写作 `discord:role:67890`，`telegram.work:12345` 仅限一个机器人账号，`telegram:*` 表示那里的所有人"
        }
        /// Levels of accounts.
        Levels {
            "an account and its level, such as `telegram:12345=read_only` or `discord.work:67890=full`: each account once, by its number, and `read_only`, `supervised` or `full`; no role and no `*`, since others hand those out"
            "账号及其级别，例如 `telegram:12345=read_only` 或 `discord.work:67890=full`：每个账号只写一次，用数字表示，级别为 `read_only`、`supervised` 或 `full`；不能是角色或 `*`，因为它们由他人授予"
        }
        /// Command rules without a home directory.
        RulesWithoutHome { "a file of command rules that can be used: HOME is not set" "可用的命令规则文件：未设置 HOME" }
        /// Command rules in a directory.
        RulesInDirectory {
            "a file of command rules that can be used: it is a directory, and must be a file (Docker makes a directory where the file of a bind mount is missing)"
            "可用的命令规则文件：它是目录，应为文件（绑定挂载的文件不存在时 Docker 会创建目录）"
        }
        /// Command rules that cannot be read.
        RulesUnreadable(error: String) { "a file of command rules that can be used: it cannot be read: {error}" "可用的命令规则文件：无法读取：{error}" }
        /// Command rules that are wrong.
        RulesBroken(error: String) { "a file of command rules that can be used: {error}" "可用的命令规则文件：{error}" }
        /// Programs.
        Programs { "programs by their plain names, such as `[\"git\", \"cargo\"]`" "只写名称的程序，例如 `[\"git\", \"cargo\"]`" }
        /// Programs that may get a secret.
        OrdinaryPrograms {
            "ordinary programs by their plain names, such as `[\"gh\"]`: no shell, no interpreter and nothing that starts other programs"
            "只写名称的普通程序，例如 `[\"gh\"]`：不能是 shell、解释器或会启动其他程序的程序"
        }
        /// Hosts.
        Hosts { "hosts, such as `[\"example.org\", \"*.example.org\", \"example.org:8443\"]`" "主机，例如 `[\"example.org\", \"*.example.org\", \"example.org:8443\"]`" }
        /// Hosts of the own network.
        SingleHosts { "single hosts with their port, such as `[\"192.168.1.5:80\", \"nas.local:5000\"]`" "带端口的单个主机，例如 `[\"192.168.1.5:80\", \"nas.local:5000\"]`" }
        /// Hosts that may get a secret.
        SecretHosts {
            "single hosts, such as `[\"api.github.com\"]`, which get it over `https`; one with its port (`\"nas.local:5000\"`) gets it over `http` too"
            "单个主机，例如 `[\"api.github.com\"]`，通过 `https` 发送；写明端口的（`\"nas.local:5000\"`）也可通过 `http`"
        }
        /// The value of a secret.
        LongSecret {
            "at least 6 bytes without NUL, and at least 16 where it is letters alone: anything shorter could not be told from ordinary words, and not be hidden"
            "至少 6 字节且不含 NUL，仅含字母时至少 16 字节：更短的无法与普通词语区分，也就无法隐藏"
        }
        /// What a secret is for.
        Line(most: usize) { "one line of at most {most} characters" "一行文本，最多 {most} 个字符" }
        /// How money is written.
        Currency { "a currency in 1-8 letters or its sign, such as `USD` or `€`" "1-8 个字母的货币或其符号，例如 `USD` 或 `€`" }
        /// A model that is priced already.
        UnpricedModel { "a model that has no other price" "没有其他价格的模型" }
        /// A limit that cannot be counted.
        ZeroWithoutPrice(model: String) {
            "0 while the model `{model}` has no price: add `[[prices]]` with `model = \"{model}\"`"
            "0，因为模型 `{model}` 没有价格：请添加 `[[prices]]`，其中 `model = \"{model}\"`"
        }
        /// A key of an embedding server.
        LeftOutBesideDirectory { "left out beside `directory`, for no server is asked then" "与 `directory` 同时使用时省略，因为此时不访问服务器" }
        /// A model on disk.
        ModelDirectory { "a path that begins with `/` or `~`, of a directory in model2vec form" "以 `/` 或 `~` 开头的路径，指向 model2vec 格式的目录" }
        /// A provider.
        Name { "a name" "名称" }
        /// A provider that is named like another one.
        OtherName { "a name that no other provider has" "其他提供方没有使用的名称" }
        /// What only one kind takes.
        LeftOutOfKind(kind: &'static str) { "left out: only a provider of kind `{kind}` takes it" "省略：只有 `{kind}` 类型的提供方使用它" }
        /// A template.
        LeftOutUnlessCompletion {
            "left out: only a provider of kind `llama` with `mode = \"completion\"` takes it"
            "省略：只有 `mode = \"completion\"` 的 `llama` 类型提供方使用它"
        }
        /// Tokens of thinking.
        ZeroOfKind(kind: &'static str) { "0: only a provider of kind `{kind}` takes it" "0：只有 `{kind}` 类型的提供方使用它" }
        /// Calls in text.
        AutoCalls { "`auto` where calls never, or always, are text" "`auto`，因为此处的调用从不是或总是文本" }
        /// Tokens of thinking.
        ZeroOrFrom(least: u32) { "0, or a whole number from {least} on" "0，或不小于 {least} 的整数" }
        /// Anthropic's temperature.
        LowTemperature { "a number from 0 to 1 for a provider of kind `anthropic`" "数字，`anthropic` 类型的提供方范围 0 至 1" }
        /// Further models.
        OtherModels { "a list of models beside `model`, each of them once" "除 `model` 之外的模型列表，每个只写一次" }
        /// One key or several.
        LeftOutBesideKey { "left out beside `api_key`: write all keys in `api_keys`" "与 `api_key` 同时使用时省略：请把所有密钥写在 `api_keys` 中" }
        /// A key that is written twice.
        DifferentKeys { "a list of keys without one that stands in it twice" "没有重复的密钥列表" }
        /// An MCP server.
        ServerName { "1-32 of `a-z 0-9 _ -`, a letter first, no `__`, and the name of no other" "1-32 个 `a-z 0-9 _ -`，以字母开头，不含 `__`，且不与其他名称相同" }
        /// A key of the other sort of server.
        LeftOutOfServer(other: &'static str) { "left out: it belongs to a server with a `{other}`" "省略：它属于使用 `{other}` 的服务器" }
        /// A program and an address.
        LeftOutBesideCommand { "left out beside `command`: a server is the one or the other" "与 `command` 同时使用时省略：服务器只能是其中一种" }
        /// A program.
        Program { "a program, by its path or its name; its arguments stand in `args`" "程序的路径或名称；其参数写在 `args` 中" }
        /// An address for a token.
        SecureAddress {
            "an address that begins with `https://`, because there is a `token`: everybody on the way could read it"
            "以 `https://` 开头的地址，因为有 `token`：否则途中的任何人都能读到它"
        }
        /// Who Sayso is.
        ClientId { "the name by which the authorization server knows Sayso" "授权服务器所知的 Sayso 的名称" }
        /// A secret without a client.
        LeftOutWithoutClient { "left out, or beside the `client_id` that it belongs to" "省略，或与其所属的 `client_id` 一起写" }
        /// A login and a token.
        LeftOutBesideToken { "left out beside `token`: a service is shown a token, or logged in to" "与 `token` 同时使用时省略：服务要么使用令牌，要么登录" }
        /// The environment of a server.
        NamedVariables {
            "`NAME=VALUE` each, such as `[\"API_TOKEN=env:API_TOKEN\"]`: a name of `A-Z a-z 0-9 _`, none of them twice"
            "每项为 `NAME=VALUE`，例如 `[\"API_TOKEN=env:API_TOKEN\"]`：名称由 `A-Z a-z 0-9 _` 组成，不能重复"
        }
        /// Tools.
        ToolNames {
            "names of tools as the server has them, `*` for any letters, such as `[\"search\", \"read_*\"]`"
            "服务器中的工具名称，`*` 表示任意字符，例如 `[\"search\", \"read_*\"]`"
        }
    }

    /// Why a key must be set, or why something cannot be read.
    pub Reason {
        /// Its section is there.
        IsConfigured(section: String) { "`[{section}]` is configured" "已配置 `[{section}]`" }
        /// Telegram calls us.
        IsWebhook(section: String) { "`{section}.mode` is `webhook`" "`{section}.mode` 为 `webhook`" }
        /// A price without a number.
        PriceIsWhole { "a price needs `model`, `input` and `output`" "价格需要 `model`、`input` 和 `output`" }
        /// A secret that is none.
        NeedsValue { "a secret needs a value" "密钥需要一个值" }
        /// A provider without a model.
        NeedsModel(kind: &'static str) { "a provider of kind `{kind}` needs a model" "`{kind}` 类型的提供方需要模型" }
        /// An MCP server without a name.
        NeedsServerName { "the tools of an MCP server are called by its name" "MCP 服务器的工具以其名称开头" }
        /// An MCP server that is nowhere.
        NeedsServer { "an MCP server is a program to start, or an address" "MCP 服务器是要启动的程序或一个地址" }
        /// A variable is missing.
        VariableNotSet { "that variable is not set" "该变量未设置" }
        /// No home directory.
        HomeNotSet { "HOME is not set" "未设置 HOME" }
        /// An empty file or variable.
        Empty { "nothing is there" "其中没有内容" }
        /// A directory in the place of a file.
        IsDirectory {
            "it is a directory, and must be a file (Docker makes a directory where the file of a bind mount is missing)"
            "它是目录，应为文件（绑定挂载的文件不存在时 Docker 会创建目录）"
        }
        /// Another encoding.
        FileNotUtf8 { "the file is not in UTF-8" "该文件不是 UTF-8 编码" }
        /// The system refuses.
        FileUnreadable(error: String) { "the file cannot be read: {error}" "无法读取该文件：{error}" }
        /// The system refuses.
        System(error: String) { "{error}" "{error}" }
        /// No configuration is that long.
        TooLong(bytes: u64) { "it has {bytes} bytes, more than a configuration can have" "它有 {bytes} 字节，超过了配置文件的上限" }
        /// Another encoding.
        Utf16 { "it is in UTF-16, and must be in UTF-8" "它是 UTF-16 编码，应为 UTF-8" }
        /// Another encoding.
        LineNotUtf8(line: usize) { "line {line} is not in UTF-8" "第 {line} 行不是 UTF-8 编码" }
    }

    /// What to write instead.
    pub Hint {
        /// A misspelled word.
        Nearest(word: &'static str) { "did you mean `{word}`?" "是不是 `{word}`？" }
        /// A service by its name.
        SpeaksOpenAi(address: &'static str) {
            "it speaks OpenAI's protocol: write `kind = \"openai\"` and `base_url = \"{address}\"`"
            "它使用 OpenAI 协议：请写 `kind = \"openai\"` 和 `base_url = \"{address}\"`"
        }
        /// A text without quotes.
        InQuotes { "write it in quotes" "请加引号" }
        /// The same, with what was meant.
        InQuotesAs(name: String, meant: String) { "write it in quotes: `{name} = {meant}`" "请加引号：`{name} = {meant}`" }
        /// A number in quotes.
        WithoutQuotes { "write it without quotes" "请去掉引号" }
        /// The same, with what was meant.
        WithoutQuotesAs(name: String, meant: String) { "write it without quotes: `{name} = {meant}`" "请去掉引号：`{name} = {meant}`" }
        /// One value where several may stand.
        AsList { "write it as a list" "请写成列表" }
        /// The same, with what was meant.
        AsListAs(name: String, meant: String) { "write it as a list: `{name} = {meant}`" "请写成列表：`{name} = {meant}`" }
        /// The right value.
        Write(value: String) { "write `{value}`" "请写 `{value}`" }
        /// The right line, or another one.
        WriteLike(name: &'static str, example: &'static str) { "write `{name} = \"{example}\"` or the like" "请写 `{name} = \"{example}\"` 或类似内容" }
        /// A file in another encoding.
        SaveAsUtf8 {
            "save it as UTF-8 (Notepad: Save as, Encoding UTF-8; PowerShell: `Set-Content -Encoding utf8`)"
            "请保存为 UTF-8（记事本：另存为，编码 UTF-8；PowerShell：`Set-Content -Encoding utf8`）"
        }
        /// A directory that has the file.
        FileInside(path: String) { "name the file in it: `{path}`" "请指定其中的文件：`{path}`" }
        /// A directory in the place of the file.
        FileItself {
            "name the file itself; Docker makes a directory where the file of a bind mount is missing"
            "请指定文件本身；绑定挂载的文件不存在时 Docker 会创建目录"
        }
        /// A bot of Telegram.
        TelegramToken {
            "write `token = \"env:TELEGRAM_BOT_TOKEN\"` and set that variable to BotFather's token"
            "请写 `token = \"env:TELEGRAM_BOT_TOKEN\"`，并把该变量设置为 BotFather 的令牌"
        }
        /// A bot of Discord.
        DiscordToken {
            "write `token = \"env:DISCORD_BOT_TOKEN\"` and set that variable to the token from the Developer Portal (Bot, Reset Token)"
            "请写 `token = \"env:DISCORD_BOT_TOKEN\"`，并把该变量设置为 Developer Portal 中的令牌（Bot，Reset Token）"
        }
        /// A price.
        Price { "write what a million tokens cost, such as `input = 0.15`" "请写每百万 token 的价格，例如 `input = 0.15`" }
        /// A secret.
        SecretValue {
            "write where it is kept, such as `value = \"env:GITHUB_TOKEN\"`"
            "请写其存放位置，例如 `value = \"env:GITHUB_TOKEN\"`"
        }
        /// A model.
        Model(example: &'static str) {
            "write the name that the service gives it, such as `model = \"{example}\"`"
            "请写服务方使用的名称，例如 `model = \"{example}\"`"
        }
        /// A model of embeddings.
        EmbeddingModel {
            "write the name that the service gives it, such as `model = \"text-embedding-3-small\"`, or the `directory` of a local model"
            "请写服务方使用的名称，例如 `model = \"text-embedding-3-small\"`，或本地模型的 `directory`"
        }
        /// An MCP server.
        ServerName { "write a short one, such as `name = \"files\"`" "请写一个简短的名称，例如 `name = \"files\"`" }
        /// Where an MCP server is.
        Server { "write `command = \"npx\"` with its `args`, or a `url`" "请写 `command = \"npx\"` 及其 `args`，或写 `url`" }
        /// SearXNG.
        Searxng {
            "write the address of your SearXNG, such as `base_url = \"http://127.0.0.1:8888\"`, or `kind = \"brave\"`"
            "请写你的 SearXNG 地址，例如 `base_url = \"http://127.0.0.1:8888\"`，或 `kind = \"brave\"`"
        }
        /// Brave.
        Brave { "write the key of your subscription: `api_key = \"env:BRAVE_API_KEY\"`" "请写你订阅的密钥：`api_key = \"env:BRAVE_API_KEY\"`" }
    }

    /// What a value of another type is; a secret is not shown.
    pub Found {
        /// A text.
        Text(shown: String) { "the text `\"{shown}\"`" "文本 `\"{shown}\"`" }
        /// A number.
        Number(shown: String) { "the number `{shown}`" "数字 `{shown}`" }
        /// A switch.
        Switch(shown: String) { "the switch `{shown}`" "开关值 `{shown}`" }
        /// A text that is not shown.
        HiddenText { "the text" "文本" }
        /// A number that is not shown.
        HiddenNumber { "the number" "数字" }
        /// A switch that is not shown.
        HiddenSwitch { "the switch" "开关值" }
        /// A date or a time.
        Time { "a time" "时间" }
        /// A list.
        List { "a list" "列表" }
        /// A table.
        Section { "a section" "小节" }
    }

    /// A frequent mistake in a file that is not TOML.
    pub Mistake {
        /// Quotes as a word processor writes them.
        TypographicQuotes {
            "this line has typographic quotes; write straight ones: `\"`"
            "这一行用了弯引号或全角引号；请改用直引号 `\"`"
        }
        /// A text without quotes, as the value of this key.
        BareText(key: String) { "the value needs quotes: write `{key} = \"...\"`" "值需要加引号：请写 `{key} = \"...\"`" }
        /// A text without quotes in the list of this key.
        BareItem(key: String) {
            "each value of the list needs quotes: write `{key} = [\"...\", \"...\"]`"
            "列表中的每个值都需要加引号：请写 `{key} = [\"...\", \"...\"]`"
        }
    }

    /// What named a file.
    pub NamedBy {
        /// The option.
        Option { "--config" "--config" }
        /// The variable.
        Variable { "SAYSO_CONFIG" "SAYSO_CONFIG" }
        /// It was searched for.
        Search { "it was found" "自动找到" }
    }

    /// Why owners may not change a key so in chat.
    pub OutOfBounds {
        /// It is not one of those keys.
        NotInChat(key: String, known: Names) {
            "`{key}` is not changed in chat; these are: {known}"
            "`{key}` 不能在聊天中修改；可以修改的有：{known:#}"
        }
        /// A higher word.
        NoHigher(key: String, value: String) {
            "`{key}` may be no higher than what is written in the file, and not {value}"
            "`{key}` 不能高于配置中写的值，因此不能是 {value}"
        }
        /// On, where it is off.
        OnlyOff(key: String, value: String) {
            "`{key}` may be `false`, or what the configuration file says, and not {value}"
            "`{key}` 可以是 `false` 或配置中写的值，不能是 {value}"
        }
        /// Too much.
        AtMost(key: String, most: String, value: String) {
            "`{key}` may be above 0 and at most {most}, and not {value}"
            "`{key}` 应大于 0 且不超过 {most}，不能是 {value}"
        }
        /// Another model.
        NotOffered(key: String, models: Names, value: String) {
            "`{key}` may be one of {models}, and not {value}"
            "`{key}` 可以是 {models:#} 之一，不能是 {value}"
        }
    }

    /// One refusal, of its parts.
    pub(super) Sentence {
        /// A file that was named is not there.
        NoFile(path: String, named_by: String) { "`{path}` does not exist (named by {named_by})" "`{path}` 不存在（由 {named_by} 指定）" }
        /// A directory.
        Directory(path: String, named_by: String) {
            "`{path}` is a directory, and must be a file (named by {named_by})"
            "`{path}` 是目录，应为文件（由 {named_by} 指定）"
        }
        /// A file that cannot be read.
        Unreadable(path: String, why: String) { "cannot read `{path}`: {why}" "无法读取 `{path}`：{why}" }
        /// A file that is not TOML.
        Syntax(path: String, line: usize, column: usize, why: String) {
            "{path}:{line}:{column}: this is not TOML: {why}"
            "{path}:{line}:{column}：不是有效的 TOML：{why}"
        }
        /// What the parser says, which is English.
        Parser(message: String) { "{message}" "原文“{message}”" }
        /// What is wrong with a key.
        Key(place: String, fault: String) { "{place}: {fault}" "{place}：{fault}" }
        /// An unknown key.
        UnknownKey(key: String, section: String, allowed: String) {
            "unknown key `{key}`; allowed in {section}: {allowed}"
            "未知的键 `{key}`；{section} 中可用：{allowed}"
        }
        /// The top of the file.
        TheFile { "the file" "文件" }
        /// A section without keys.
        NoKeys { "no keys" "没有任何键" }
        /// A value that is not allowed.
        Refused(key: String, value: String, allowed: String) {
            "`{key}` is `{value}`, but must be {allowed}"
            "`{key}` 的值是 `{value}`，但应为{allowed}"
        }
        /// A value that is not shown.
        RefusedUnseen(key: String, allowed: String) { "`{key}` must be {allowed}" "`{key}`应为{allowed}" }
        /// A value of another type.
        WrongType(key: String, found: String, allowed: String) {
            "`{key}` is {found}, but must be {allowed}"
            "`{key}` 的值是{found}，但应为{allowed}"
        }
        /// A key that must be set.
        Missing(key: String, because: String) {
            "`{key}` is not set, but {because}"
            "没有设置 `{key}`，但{because}"
        }
        /// A secret that is elsewhere.
        NoSecret(key: String, place: String, why: String) {
            "`{key}` is kept in {place}, but {why}"
            "`{key}` 存放在 {place}，但是{why}"
        }
        /// An internal error.
        Inconsistent(why: String) { "the configuration cannot be read: {why}" "无法读取配置：{why}" }
        /// What to do.
        Hint(hint: String) { "hint: {hint}" "提示：{hint}" }
        /// Where a value comes from: a variable.
        OfVariable(name: String) { "environment variable {name}" "环境变量 {name}" }
        /// An owner.
        OfChat { "changed in chat" "在聊天中的修改" }
        /// Built in.
        OfDefault { "default" "默认值" }
    }
}
