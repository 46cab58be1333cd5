//! The words by which a sentence shows that no fact may rest on it, and those of which a statement
//! may have more than was said. Plain words: no apostrophes, lower case; `wording.rs` makes texts
//! so.

use std::sync::LazyLock;

/// Words and phrases, each of which counts for itself.
pub(super) type Phrases = LazyLock<Vec<&'static str>>;

/// Returns the phrases of a list in which commas stand between them.
fn list(phrases: &'static str) -> Vec<&'static str> {
    phrases
        .split(',')
        .map(str::trim)
        .filter(|phrase| !phrase.is_empty())
        .collect()
}

/// What turns a statement into a guess.
pub(super) static HEDGES: Phrases = LazyLock::new(|| {
    list(
        "\
        maybe, perhaps, might, may be, i guess, i think, i suppose, probably, possibly, \
        not sure, unsure, could be, thinking about, thinking of, considering, wondering, \
        i wonder, no idea, kind of, sort of, seems, it seems, apparently, likely, 可能, \
        也许, 大概, 好像, 似乎, 不确定, 说不定, 在考虑, 考虑要不要, 估计, 或许, 不知道, \
        打算要不要, 应该是吧",
    )
});

/// What was said for fun, or would only be so if.
pub(super) static NOT_MEANT: Phrases = LazyLock::new(|| {
    list(
        "\
        just kidding, kidding, jk, joking, lol, haha, hahaha, rofl, not really, sarcasm, \
        as a joke, imagine, suppose, pretend, lets say, what if, if i were, if i was, \
        hypothetically, in the story, in my story, in my novel, role play, roleplay, \
        act as, my character, 开玩笑, 哈哈, 逗你, 骗你, 假如, 假设, 如果我是, 要是我是, \
        想象一下, 扮演, 小说里, 故事里, 说着玩",
    )
});

/// What takes back the message before.
pub(super) static TAKES_BACK: Phrases = LazyLock::new(|| {
    list(
        "\
        just kidding, kidding, jk, joking, was a joke, not true, never mind, nevermind, \
        scratch that, ignore that, forget that, forget what i said, i was lying, \
        dont remember that, dont save that, 开玩笑, 逗你, 骗你, 不是真的, 当我没说, \
        忘了这个, 别记, 忘掉刚才",
    )
});

/// What others said, or are said to have said.
pub(super) static HEARSAY: Phrases = LazyLock::new(|| {
    list(
        "\
        i heard, i read that, told me, tells me, said that, says that, says, said, \
        according to, rumor, rumour, people say, supposedly, the article, the email, \
        the mail, the letter, the log, the page, wrote that, writes that, 听说, 告诉我, \
        据说, 说他, 说她, 表示, 文章里, 邮件里, 日志, 网上说, 有人说, 写道",
    )
});

/// What passes by itself.
pub(super) static PASSING: Phrases = LazyLock::new(|| {
    list(
        "\
        today, tonight, tomorrow, yesterday, right now, at the moment, this morning, \
        this afternoon, this evening, this week, this weekend, last night, in an hour, \
        currently, for now, just now, this time, once, this once, 今天, 今晚, 明天, 昨天, \
        现在, 刚才, 刚刚, 这会儿, 此刻, 目前, 这周, 本周, 周末, 这次, 暂时, 昨晚",
    )
});

/// What asks for one thing to be done now.
pub(super) static REQUESTS: Phrases = LazyLock::new(|| {
    list(
        "\
        help me, can you, could you, would you, tell me, show me, give me, explain, \
        write me, find me, make me, send me, i want you to, i need you to, id like you to, \
        remind me, book me, look up, search for, 帮我, 给我, 告诉我, 请问, 能不能, 可以帮, \
        麻烦你, 替我, 提醒我, 查一下, 帮我写, 写一篇, 写一首, 你能",
    )
});

/// How a sentence begins that asks for something or gives an order.
pub(super) static ORDERS: Phrases = LazyLock::new(|| {
    list(
        "\
        list, show, tell, run, read, write, open, make, create, delete, find, fix, add, give, send, \
        search, check, explain, translate, compare, build, test, start, stop, look, convert, draw, \
        please list, please show, please tell, please run, please read, please write, what, how, why, who, \
        where, when, which, do i, am i, did i, can i, should i, 列出, 打开, 看看, 运行, 读一下, 写个, 把, 怎么, \
        为什么, 什么, 哪",
    )
});

/// What says that it holds from now on.
pub(super) static LASTING: Phrases = LazyLock::new(|| {
    list(
        "\
        always, never, remember, from now on, in future, in the future, every time, \
        whenever, by default, keep in mind, note that, call me, 以后, 总是, 每次, 记住, \
        记得, 一直, 默认, 从不, 永远, 叫我, 今后, 请用, 都用",
    )
});

/// Words by which speakers refer to themselves.
pub(super) static SELF: Phrases = LazyLock::new(|| {
    list("i, im, ive, id, ill, me, my, mine, myself, we, were, weve, our, ours, us")
});

/// The same in Chinese, where words are not apart.
pub(super) static SELF_CHINESE: Phrases = LazyLock::new(|| list("我, 咱, 俺, 本人, 鄙人"));

/// What turns a statement into its opposite, or says that it is over.
pub(super) static NEGATIONS: Phrases = LazyLock::new(|| {
    list(
        "\
        not, no, never, dont, doesnt, didnt, isnt, arent, wasnt, werent, wont, cant, \
        cannot, havent, hasnt, no longer, anymore, stopped, quit, gave up, given up, \
        without, avoid, avoids, avoiding, hate, hates, dislike, dislikes, cant stand, \
        used to, formerly, former, ex, left, sold, nor, neither, instead of, rather than, \
        不, 没, 别, 戒, 讨厌, 勿, 以前, 曾经, 过去, 原来, 辞, 卖了, 再也, 而不是",
    )
});

/// Words with such a sign in them that say no such thing.
pub(super) static NO_NEGATIONS: Phrases = LazyLock::new(|| {
    list(
        "\
        不过, 不错, 不仅, 不但, 没问题, 没错, 不好意思, 差不多, 特别, 别人, 别墅, 分别, \
        级别, 性别, not only, no problem",
    )
});

/// Somebody else than who speaks.
pub(super) static OTHERS: Phrases = LazyLock::new(|| {
    list(
        "\
        sister, brother, wife, husband, mother, mom, mum, father, dad, son, daughter, boss, \
        manager, colleague, coworker, friend, neighbor, neighbour, partner, girlfriend, \
        boyfriend, cousin, aunt, uncle, roommate, flatmate, parents, kid, kids, child, \
        children, grandma, grandpa, grandmother, grandfather, niece, nephew, fiance, \
        fiancee, dog, cat, teacher, client, customer",
    )
});

/// The same in Chinese.
pub(super) static OTHERS_CHINESE: Phrases = LazyLock::new(|| {
    list(
        "\
        妈妈, 爸爸, 母亲, 父亲, 姐姐, 妹妹, 哥哥, 弟弟, 老婆, 妻子, 老公, 丈夫, 儿子, 女儿, \
        朋友, 同事, 老板, 邻居, 室友, 男友, 女友, 孩子, 父母, 奶奶, 爷爷, 外婆, 外公, 狗, \
        猫, 老师, 客户, 爸, 妈, 姐, 哥, 弟, 妹",
    )
});

/// What stands for somebody who was named before.
pub(super) static PRONOUNS: Phrases = LazyLock::new(|| {
    list("she, he, they, it, her, his, their, its, shes, hes, theyre, 她, 他, 它")
});

/// Words that a statement may contain although they do not occur in the message.
pub(super) static FRAME: Phrases = LazyLock::new(|| {
    list(
        "\
        user, users, person, speaker, prefers, prefer, preference, preferred, likes, like, \
        enjoys, enjoy, loves, love, favorite, favourite, fond, wants, want, wishes, wish, \
        dislikes, dislike, hates, hate, avoids, avoid, works, work, working, lives, live, \
        living, based, resides, uses, use, using, used, named, name, called, call, goes, \
        known, speaks, studies, owns, own, keeps, keep, now, lately, always, usually, \
        often, regularly, job, profession, occupation, employed, employer, longer, anymore, \
        stopped, quit, dont, doesnt, never, cannot, cant, needs, need, moved, move, became, \
        become, getting, got, also, very, really, please, assistant, wants, having, person, \
        currently",
    )
});

/// The same in Chinese.
pub(super) static FRAME_CHINESE: Phrases = LazyLock::new(|| {
    list(
        "\
        用户, 喜欢, 偏好, 偏爱, 最爱, 热爱, 爱, 希望, 想要, 讨厌, 工作, 从事, 职业, 居住, \
        住在, 住, 使用, 名字, 名叫, 叫做, 叫, 现在, 目前, 不再, 不, 没有, 已经, 经常, 通常, \
        总是, 一直, 称呼, 有, 养了, 养, 会, 在, 一名, 一个, 一只, 位于, 来自, 自己, 本人, \
        为, 搬到, 搬, 他, 她, 该",
    )
});

/// Words that claim something beyond what stands beside them, each with words of which one must
/// have been said for it.
pub(super) static CLAIMS: LazyLock<Vec<(Vec<&str>, Vec<&str>)>> = LazyLock::new(|| {
    vec![
        (
            list(
                "\
                works, work, working, job, profession, employed, employer, 工作, 职业, \
                就职, 从事",
            ),
            list(
                "\
                work, works, working, job, employed, employer, hired, joined, started at, \
                company, as a, as an, im a, im an, i am a, i am an, profession, 工作, 上班, \
                就职, 入职, 公司, 职业, 当, 是, 做",
            ),
        ),
        (
            list("lives, live, living, resides, based, 居住, 住"),
            list(
                "\
                live, lives, living, moved, move, based, reside, home, settled, relocated, \
                住, 搬, 家, 定居",
            ),
        ),
        (
            list(
                "\
                likes, like, loves, love, enjoys, enjoy, favorite, favourite, prefers, \
                prefer, 喜欢, 最爱, 偏好, 偏爱",
            ),
            list(
                "\
                like, likes, love, loves, enjoy, enjoys, favorite, favourite, prefer, \
                prefers, preferred, fan, fond, into, always, never, please, rather, \
                instead, keep, dont, want, hate, dislike, 喜欢, 爱, 最爱, 偏好, 习惯, 别, \
                请, 以后, 要, 讨厌, 不, 都",
            ),
        ),
        (
            list("named, name, called, 名字, 名叫"),
            list("name, named, call, called, im, i am, goes by, 叫, 名"),
        ),
        (
            list("owns, own"),
            list("own, owns, have, has, bought, got, my, 有, 买, 我的"),
        ),
        (
            list("is, are, 是"),
            list("im, i am, am, is, are, were, we are, my, our, call me, 是, 叫"),
        ),
    ]
});

/// What stands before a value of which there is one at a time: with another value it has changed.
pub(super) static SLOTS: LazyLock<Vec<Vec<&str>>> = LazyLock::new(|| {
    vec![
        list(
            "\
            lives in, living in, lives near, based in, resides in, moved to, 住在, 搬到, \
            定居",
        ),
        list(
            "\
            works at, works for, works in, working at, employed at, employed by, 就职于, \
            工作于",
        ),
        list("name is, is called, goes by, is named, called, 名叫, 名字是, 名字叫"),
        list("birthday is, born on, 生日是, 生日"),
        list("time zone is, timezone is, 时区是"),
        list("answers in, replies in, wants answers in, prefers answers in, 用中文, 用英文"),
        list("native language is, 母语是"),
        list("phone is, 手机是"),
        list("editor is, uses the editor"),
        list("project is called, 项目叫, 项目名"),
    ]
});

/// Claims of which there is one at a time, by their place in [`CLAIMS`]: work, home and name.
pub(super) const SINGLE_CLAIMS: [usize; 3] = [0, 1, 3];

/// What asks not to keep something.
pub(super) static UNWANTED: Phrases = LazyLock::new(|| {
    list(
        "\
        forget, dont remember, do not remember, dont save, do not save, dont keep, delete, \
        erase, dont note, 忘记, 忘掉, 忘了, 别记, 不要记, 删掉, 删除",
    )
});

/// Words that indicate a secret, which must not be stored.
pub(super) static SECRETS: Phrases = LazyLock::new(|| {
    list(
        "\
        password, passwords, passwd, passcode, passphrase, pin, pin code, api key, apikey, \
        token, secret key, access key, private key, credit card, card number, cvv, cvc, \
        ssn, social security, seed phrase, recovery code, login code, verification code, \
        redacted, 密码, 口令, 验证码, 身份证, 银行卡, 信用卡, 私钥, 密钥, 助记词, 卡号, \
        暗号",
    )
});

/// Asks for something to be done with a text that follows.
pub(super) static ABOUT_A_TEXT: Phrases = LazyLock::new(|| {
    list(
        "\
        translate, summarize, summarise, proofread, rewrite, rephrase, paraphrase, correct, \
        fix the grammar, improve this, what does this mean, polish, shorten, 翻译, 总结, \
        润色, 改写, 校对, 概括, 缩写, 这段话, 看看这封",
    )
});
