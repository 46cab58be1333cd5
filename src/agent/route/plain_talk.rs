//! The words that `skip.rs` knows: data only, in lower case, without punctuation or apostrophes,
//! separated by commas.
//!
//! A phrase belongs here when a message that holds nothing else can need no skill and no question.

/// Returns the phrases of a table.
pub fn phrases(table: &str) -> impl Iterator<Item = &str> {
    table.split(',').map(str::trim)
}

/// Greetings, thanks, goodbyes and asking how one is: small talk wherever they stand.
pub const COURTESIES: &str = "
    hi, hi there, hello, hello there, hello again, hi again, hey, hey there, hiya,
    howdy, greetings, yo, good morning, good afternoon, good evening, good day,
    hello everyone, hi everyone, hello all, hi all, sayso,
    nice to meet you, pleased to meet you, welcome back,
    你好, 您好, 你们好, 大家好, 嗨, 哈喽, 哈啰, 嘿, 早安, 早上好, 上午好,
    中午好, 下午好, 晚上好, 很高兴认识你, 幸会,
    how are you, how are you doing, how are you today, how are you doing today, hows it going,
    how is it going, how do you do, whats up, sup, how have you been,
    你好吗, 您好吗, 最近怎么样, 最近好吗, 近来可好, 吃了吗,
    thanks, thanks a lot, thanks so much, thanks again, many thanks, thank you,
    thank you very much, thank you so much, thank you again, thx, ty, cheers,
    much appreciated, i appreciate it, youre the best, youre welcome, no worries, np,
    谢谢, 谢谢你, 谢谢您, 谢了, 谢谢啦, 多谢, 非常感谢, 感谢, 太感谢了, 辛苦了,
    麻烦你了, 不客气, 不用谢,
    bye, bye bye, goodbye, good bye, good night, see you, see you later,
    see you tomorrow, see you soon, talk to you later, take care, have a nice day,
    have a good day, have a good one, cya, ttyl,
    再见, 拜拜, 回见, 晚安, 明天见, 回头见, 下次见";

/// What says that something was understood; where we asked something, it may say yes to it.
pub const ACKNOWLEDGEMENTS: &str = "
    ok, okay, k, ok then, got it, i see, understood, makes sense, alright, all right,
    great, nice, cool, perfect, awesome, excellent, wonderful, good, very good,
    good to know, sounds good, fine, well done, good job, great job, nice work, lol, haha,
    morning, evening, later,
    好, 好的, 好吧, 好呀, 嗯, 嗯嗯, 哦, 噢, 知道了, 明白, 明白了, 了解, 了解了,
    收到, 懂了, 原来如此, 不错, 很好, 太好了, 太棒了, 真棒, 厉害, 哈哈, 哈哈哈, 早, 先这样";

/// How a question about the world begins, when it asks to be told something and not to do
/// something.
pub const QUESTIONS: &str = "
    what is, whats, what are, what was, what were, what does, what do you think of,
    who is, whos, who was, who were, who are you, who wrote, who invented, who painted,
    who discovered, when is, when was, when were, when did, where is, where was,
    why is, why are, why was, why do, why does, why did,
    how many, how much is, how far is, how old is, how tall is, how long is, how big is,
    how high is, how deep is, how heavy is, how hot is, how do you say,
    which country, which city, which planet, which language";

/// What a Chinese question about the world holds.
pub const QUESTIONS_CHINESE: &str = "
    什么是, 是什么, 是谁, 谁是, 多少, 多大, 多高, 多远, 多长, 几个, 几岁, 哪一年,
    哪年, 哪个国家, 哪座城市, 为什么, 什么时候, 什么意思, 在哪里, 等于几";

/// How a statement about the speaker begins, when it only wants to be heard.
pub const ABOUT_ONESELF: &str = "
    my name is, im called, i am called, call me, i live in, i was born, i like, i love,
    my favourite, my favorite, my birthday is,
    我叫, 我的名字是, 叫我, 我住在, 我出生, 我喜欢, 我爱, 我最喜欢, 我的生日是";

/// Words that point at something outside of the message, or at things that one works on: what is
/// meant by them, the conversation or the workspace must tell.
pub const AT_HAND: &str = "
    it, its, this, that, thats, these, those, they, them, their, he, him, his,
    she, her, here, there, one, ones, same, other, another, above, below,
    previous, last, next, first, second, former, latter, wrong, missing, broken,
    left, going, happening, happened, our, ours, us, we, my, mine, and, then,
    file, files, folder, folders, directory, path, code, project, projects, repo,
    repository, branch, bug, bugs, error, errors, issue, test, tests, build,
    script, scripts, config, configuration, log, logs, function, module, program,
    app, server, service, database, machine, computer, disk, process, port, terminal,
    command, commands, output, result, results, todo, task, tasks, deploy,
    push, pull, merge, install, delete, remove, run, fix, update, upgrade";

/// The same in Chinese.
pub const AT_HAND_CHINESE: &str = "
    这, 那, 它, 他, 她, 此, 该, 其, 上面, 下面, 刚才, 之前, 前面, 后面, 上次,
    另, 咱, 我们, 我的, 文件, 目录, 文件夹, 代码, 项目, 仓库, 分支, 报错, 错误,
    问题, 测试, 脚本, 配置, 日志, 函数, 模块, 程序, 服务, 数据库, 电脑, 磁盘,
    进程, 端口, 终端, 命令, 输出, 结果, 任务, 部署, 合并, 安装, 删除, 运行, 修复,
    更新, 升级, 出错";
