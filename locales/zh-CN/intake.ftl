intake-cannot-see-bot = 我只回答人，不回答其他机器人。
intake-cannot-see-chat-person =
    我看不到你是谁，所以不作回答：你是以群组或频道的名义发言的。
    {"*"}提示：*在群设置里关闭“保持匿名”，或者选择以自己的身份发言即可。

intake-no-provider =
    还没有配置模型，所以我暂时无法回答。
    请管理者设置 `OPENAI_API_KEY`，或在 `sayso.toml` 中添加 `[[providers]]`。
    {"*"}提示：*`sayso doctor` 会说明缺少什么。

intake-too-much-waits =
    这里已有 { $most } 条你的消息在等待，所以这一条和紧接着的几条没有处理。
    等我处理完后，请把重要的重新发送；/stop 可清除等待的消息。

intake-queued = ⏳ 已排队：接下来就处理。

intake-joins = ＋ 已补充进正在做的事。

intake-interrupts = ⏹ 正在停止，接下来处理这一条。

intake-queued-too = ⏳ 也已排队。

intake-busy-usage-steer = 我会在下一步补充进正在做的事
intake-busy-usage-queue = 我会在做完手上的事之后处理
intake-busy-usage-interrupt = 我会停下手上的事，先处理它
intake-busy-usage = 请写在命令后面：`/{ $name } 内容`——{ $said }。

intake-not-for-strangers = 这个按钮不是给你的。

intake-wording-edited = （已编辑）
intake-wording-wordless = [没有附言：请看上面的消息]

intake-wording-forwarded = [转发]
    {""}
intake-wording-forwarded-from = [转发自 { $author }]
    {""}
intake-wording-in-reply-to = [回复 { $author }]
    {""}

intake-wording-attached-kind-photo = 图片
intake-wording-attached-kind-document = 文件
intake-wording-attached-kind-voice = 语音
intake-wording-attached-kind-audio = 音频
intake-wording-attached-kind-video = 视频
intake-wording-attached = [附件 { $kind }{ $name }{ $size }]
