### What people read about routines and reminders.

## Buttons. Those with a name say which routine they are about.

routines-button-done = 完成
routines-button-ten-minutes = 10分钟后
routines-button-hour = 1小时后
routines-button-tomorrow = 明天9:00
routines-button-run = 立即运行
routines-button-run-name = 运行 { $name }
routines-button-on = 启用
routines-button-on-name = 启用 { $name }
routines-button-off = 停用
routines-button-delete = 删除
routines-button-back = 返回
# $zone is a time zone, such as `Asia/Tokyo`
routines-button-right-zone = 对，{ $zone }

## A reminder, and what stands below its text.

# $notes is one of the notes below, or several.
routines-with-notes =
    { $said }
    （{ $notes }）
# $due is a moment with its day.
routines-late = 迟到的提醒，原定{ $due }
routines-missed-before = 此前错过{ $missed }次
# $when is a time of day, or a moment with its day.
routines-again = 再次提醒：{ $when }
routines-is-done = 已完成。
routines-is-put-off = 将在{ $when }再次提醒。
routines-too-many-reminders = 你已有{ $most }个提醒，不能再多了，请先删除一些。

## When something comes.

# $when is a rule in words or a moment.
routines-in-zone = { $when }（{ $zone }）
# A note below a text.
routines-then = 接下来：{ $times }
routines-card = 时间：{ $when }。
routines-kept = ⏰ { $when }：{ $words }
routines-which-zone = 我把 `{ $zone }` 当作你的时区，对吗？其他时区：`/timezone 东京`

## What became of a run.

routines-run-queued = 等待运行
routines-run-running = 运行中
routines-run-parked = 等你确认
routines-run-done = 完成
routines-run-quiet = 没有新内容
routines-run-failed = 失败
routines-run-missed = 错过
routines-run-overlapped = 跳过：上一次还没结束
routines-run-over-budget = 跳过：预算已用完
routines-run-undelivered = 未送达

## What is said unasked of one routine. $what is one of the two texts before it.

routines-told-missed =
    { $missed ->
        [1] 错过了（{ $from }）。
       *[other] 错过了{ $missed }次（{ $from } 至 { $until }）。
    }
# $state is one of the texts above.
routines-told-state = { $state }，{ $from }：{ $why }
routines-told = **{ $name }** { $what }
routines-told-off = **{ $name }** { $what }它已停用。

## What a run is asked, and what it reports.

routines-only-news = 只有交给工具 `report` 的内容会显示，每一项附上一个键。没有新内容时不要调用它。
routines-run-late = （本次运行迟到，原定{ $due }。）
routines-works-again = 已恢复正常

## What `/routines` and `/reminders` say.

routines-none = 你在这里没有例行任务。可以直接说：“每个工作日9点……”。
routines-no-reminders = 你在这里没有提醒。可以直接说：“明天9点提醒我……”。
routines-list = **你的例行任务**
routines-list-reminders = **你的提醒**
# $state is one of the states below, or empty.
routines-list-line = { $number }. { $when }：{ $words }{ $state }
routines-state-over = （已结束）
routines-state-off = （已停用）
routines-state-failures = （已停用：多次失败）
routines-state-undelivered = （已停用：消息无法送达）
routines-state-person = （已停用：没有权限）
routines-state-unreadable = （已停用：无法读取）
routines-next = 接下来：{ $times }
routines-last = 最近：
# $why begins with a colon, or is empty.
routines-run = • { $due } { $state }{ $why }
routines-runs = • { $due } { $state }（{ $count }次）{ $why }

## After a press.

routines-pressed-run = 开始运行。
routines-pressed-on = 已启用。
routines-pressed-off = 已停用。
routines-pressed-delete = 已删除。
routines-deleted = 🗑 已删除：{ $words }
routines-is-over = 它的时间已经过了，请重新设一个。
routines-runs-already = 它的上一次运行还没结束。
