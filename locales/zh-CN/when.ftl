### What is asked back about a time, as sentences without their period.

when-bad-cron = 这不是有效的五段 cron 表达式：{ $what }
when-unknown-zone = 没有时区 `{ $name }`；请写成 `Asia/Shanghai` 的形式
when-vague = 具体是什么时候？
when-event = 我不知道那是什么时候。请告诉我具体时间
when-holiday = 我不知道那个节日是哪一天。请告诉我日期
when-no-such-day = 没有这一天
when-no-such-time = 没有这个钟点
when-several-readings = 是指哪一个时间？
when-span-for-moment = 是哪一天、几点？
when-part-of-matter = 要在什么时候提醒你？
when-too-often = 太频繁了，最多每分钟一次
when-too-far = 时间太远了
when-six-fields = cron 表达式只能有五段：分、时、日、月、星期；不含秒和年
when-never-due = 这个时间永远不会到来
