//! The words of Chinese for days, parts of the day, units and holidays; of two that begin alike the
//! longer one stands first.

use chrono::Weekday::{self, Fri, Mon, Sat, Sun, Thu, Tue, Wed};

use crate::when::expression::{Part, Season, Third, Unit};

/// Words for a day, and how far ahead of today it is.
pub(super) const DAYS: [(&str, i64); 16] = [
    ("大后天", 3),
    ("大前天", -3),
    ("今天", 0),
    ("今日", 0),
    ("今儿", 0),
    ("当天", 0),
    ("刚才", 0),
    ("明天", 1),
    ("明日", 1),
    ("明儿", 1),
    ("后天", 2),
    ("后日", 2),
    ("昨天", -1),
    ("昨日", -1),
    ("前天", -2),
    ("前日", -2),
];

/// Words for a part of a day near today.
pub(super) const DAY_PARTS: [(&str, i64, Part); 14] = [
    ("今早", 0, Part::Morning),
    ("今晨", 0, Part::Morning),
    ("今晚", 0, Part::Night),
    ("今夜", 0, Part::Night),
    ("当晚", 0, Part::Night),
    ("明早", 1, Part::Morning),
    ("明晨", 1, Part::Morning),
    ("明晚", 1, Part::Night),
    ("明夜", 1, Part::Night),
    ("后晚", 2, Part::Night),
    ("昨晚", -1, Part::Night),
    ("昨夜", -1, Part::Night),
    ("昨早", -1, Part::Morning),
    ("前晚", -2, Part::Night),
];

pub(super) const PARTS: [(&str, Part); 24] = [
    ("凌晨", Part::SmallHours),
    ("半夜", Part::SmallHours),
    ("清晨", Part::Morning),
    ("大清早", Part::Morning),
    ("清早", Part::Morning),
    ("一大早", Part::Morning),
    ("一早", Part::Morning),
    ("早上", Part::Morning),
    ("早晨", Part::Morning),
    ("早间", Part::Morning),
    ("上午", Part::Morning),
    ("中午", Part::Noon),
    ("正午", Part::Noon),
    ("下午", Part::Afternoon),
    ("午后", Part::Afternoon),
    ("傍晚", Part::Evening),
    ("黄昏", Part::Evening),
    ("晚上", Part::Night),
    ("夜里", Part::Night),
    ("夜晚", Part::Night),
    ("晚间", Part::Night),
    ("深夜", Part::Night),
    ("午夜", Part::Midnight),
    ("子夜", Part::Midnight),
];

/// What stands before a time and says no more than that it is one.
pub(super) const WEEK: [&str; 5] = ["个星期", "个礼拜", "星期", "礼拜", "周"];

/// Words before a week or a month, and how many of them ahead it is.
pub(super) const STEPS: [(&str, i64); 16] = [
    ("下下下个", 3),
    ("下下下", 3),
    ("下下个", 2),
    ("下下", 2),
    ("下个", 1),
    ("下一个", 1),
    ("下", 1),
    ("上上个", -2),
    ("上上", -2),
    ("上个", -1),
    ("上", -1),
    ("这个", 0),
    ("这一", 0),
    ("这", 0),
    ("本", 0),
    ("当", 0),
];

pub(super) const YEARS: [(&str, i32); 9] = [
    ("大前年", -3),
    ("大后年", 3),
    ("前年", -2),
    ("去年", -1),
    ("今年", 0),
    ("本年", 0),
    ("明年", 1),
    ("来年", 1),
    ("后年", 2),
];

pub(super) const WEEKDAYS: [(char, Weekday); 15] = [
    ('一', Mon),
    ('1', Mon),
    ('二', Tue),
    ('2', Tue),
    ('三', Wed),
    ('3', Wed),
    ('四', Thu),
    ('4', Thu),
    ('五', Fri),
    ('5', Fri),
    ('六', Sat),
    ('6', Sat),
    ('日', Sun),
    ('天', Sun),
    ('7', Sun),
];

/// Units that a number of them makes a length.
pub(super) const UNITS: [(&str, Unit); 23] = [
    ("秒钟", Unit::Second),
    ("秒", Unit::Second),
    ("分钟", Unit::Minute),
    ("分", Unit::Minute),
    ("个钟头", Unit::Hour),
    ("个小时", Unit::Hour),
    ("个钟", Unit::Hour),
    ("小时", Unit::Hour),
    ("钟头", Unit::Hour),
    ("个星期", Unit::Week),
    ("个礼拜", Unit::Week),
    ("个周", Unit::Week),
    ("星期", Unit::Week),
    ("礼拜", Unit::Week),
    ("周", Unit::Week),
    ("个月", Unit::Month),
    ("天", Unit::Day),
    ("日", Unit::Day),
    ("年", Unit::Year),
    ("min", Unit::Minute),
    ("h", Unit::Hour),
    ("d", Unit::Day),
    ("月", Unit::Month),
];

pub(super) const SEASONS: [(&str, Season); 8] = [
    ("春天", Season::Spring),
    ("春季", Season::Spring),
    ("夏天", Season::Summer),
    ("夏季", Season::Summer),
    ("秋天", Season::Autumn),
    ("秋季", Season::Autumn),
    ("冬天", Season::Winter),
    ("冬季", Season::Winter),
];

/// Words for a part of a year or month.
pub(super) const THIRDS: [(&str, Third); 14] = [
    ("上半年", Third::FirstHalf),
    ("下半年", Third::SecondHalf),
    ("上旬", Third::Beginning),
    ("中旬", Third::Middle),
    ("下旬", Third::End),
    ("年初", Third::Beginning),
    ("年中", Third::Middle),
    ("年底", Third::End),
    ("年末", Third::End),
    ("初", Third::Beginning),
    ("中", Third::Middle),
    ("底", Third::End),
    ("末", Third::End),
    ("尾", Third::End),
];

/// Holidays on a fixed date: month and day.
pub(super) const HOLIDAYS: [(&str, u32, u32); 17] = [
    ("元旦节", 1, 1),
    ("元旦", 1, 1),
    ("情人节", 2, 14),
    ("妇女节", 3, 8),
    ("植树节", 3, 12),
    ("愚人节", 4, 1),
    ("劳动节", 5, 1),
    ("五一", 5, 1),
    ("青年节", 5, 4),
    ("儿童节", 6, 1),
    ("教师节", 9, 10),
    ("国庆节", 10, 1),
    ("国庆", 10, 1),
    ("双十一", 11, 11),
    ("平安夜", 12, 24),
    ("圣诞节", 12, 25),
    ("圣诞", 12, 25),
];

/// Holidays of the lunar calendar: month and day.
pub(super) const LUNAR_HOLIDAYS: [(&str, u32, u32); 13] = [
    ("大年初一", 1, 1),
    ("春节", 1, 1),
    ("元宵节", 1, 15),
    ("元宵", 1, 15),
    ("端午节", 5, 5),
    ("端午", 5, 5),
    ("七夕", 7, 7),
    ("中元节", 7, 15),
    ("中秋节", 8, 15),
    ("中秋", 8, 15),
    ("重阳节", 9, 9),
    ("重阳", 9, 9),
    ("腊八", 12, 8),
];

/// Words for the day before the lunar New Year.
pub(super) const EVES: [&str; 5] = ["除夕夜", "除夕", "大年三十", "年三十", "大年夜"];

/// Holidays whose date is not calculated here, or differs from place to place.
pub(super) const UNKNOWN_HOLIDAYS: [&str; 9] = [
    "清明",
    "冬至",
    "夏至",
    "复活节",
    "感恩节",
    "母亲节",
    "父亲节",
    "小年",
    "寒食",
];

/// Words that say no more than some time ahead.
pub(super) const VAGUE: [&str; 27] = [
    "晚一点",
    "晚点",
    "晚些",
    "迟点",
    "待会",
    "呆会",
    "过一会",
    "过会",
    "等一会",
    "等会",
    "等一下",
    "等下",
    "一会",
    "稍后",
    "稍晚",
    "回头",
    "改天",
    "改日",
    "过几天",
    "过段时间",
    "过阵子",
    "有空",
    "有时间",
    "到时候",
    "尽快",
    "哪天",
    "以后",
];

/// Words for what happens at a time that is not known here.
pub(super) const EVENTS: [&str; 22] = [
    "的时候",
    "下班",
    "上班",
    "回家",
    "到家",
    "到公司",
    "饭后",
    "饭前",
    "睡前",
    "睡觉前",
    "起床",
    "放学",
    "会前",
    "会后",
    "出门",
    "完饭",
    "之前",
    "之后",
    "以前",
    "开会前",
    "开始前",
    "结束后",
];

/// Cities, and the zones of their clocks.
pub(super) const CITIES: [(&str, &str); 30] = [
    ("北京", "Asia/Shanghai"),
    ("上海", "Asia/Shanghai"),
    ("中国", "Asia/Shanghai"),
    ("香港", "Asia/Hong_Kong"),
    ("台北", "Asia/Taipei"),
    ("东京", "Asia/Tokyo"),
    ("日本", "Asia/Tokyo"),
    ("首尔", "Asia/Seoul"),
    ("新加坡", "Asia/Singapore"),
    ("曼谷", "Asia/Bangkok"),
    ("迪拜", "Asia/Dubai"),
    ("莫斯科", "Europe/Moscow"),
    ("伦敦", "Europe/London"),
    ("英国", "Europe/London"),
    ("巴黎", "Europe/Paris"),
    ("柏林", "Europe/Berlin"),
    ("德国", "Europe/Berlin"),
    ("罗马", "Europe/Rome"),
    ("马德里", "Europe/Madrid"),
    ("苏黎世", "Europe/Zurich"),
    ("纽约", "America/New_York"),
    ("美东", "America/New_York"),
    ("波士顿", "America/New_York"),
    ("芝加哥", "America/Chicago"),
    ("洛杉矶", "America/Los_Angeles"),
    ("旧金山", "America/Los_Angeles"),
    ("美西", "America/Los_Angeles"),
    ("多伦多", "America/Toronto"),
    ("温哥华", "America/Vancouver"),
    ("悉尼", "Australia/Sydney"),
];
