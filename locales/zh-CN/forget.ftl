forget-nothing-matches =
    没有记住含有这些词的内容。
    可以换几个词再试，或用 `/memory export` 查看全部。

forget-asking-one = **忘掉这一条吗？**
forget-asking-which = **忘掉哪一条？**
forget-asking-more = 另有 { $left_out } 条匹配，多写几个词就能看到。

forget-line-ended = { $text } ({ $day }，已不成立)
forget-said-with = 含有这些词的 { $count } 条消息

forget-forget = 忘掉
forget-all-of-them = 全部忘掉
forget-none = 都保留

forget-unsaid = 用这些词说过的内容不会再被找到（{ $count }）。聊天记录里仍然看得到。

forget-forgotten-one = 已忘掉。除非你让我记住，我不会再学到它。
forget-forgotten = 已忘掉 { $count } 条。除非你让我记住，我不会再学到它们。

forget-gone-already = 这一条已经忘掉了。

forget-refused = 什么都没有忘掉。

forget-expired = 这个询问已失效，什么都没有忘掉。
