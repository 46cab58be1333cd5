linking-only-direct =
    关联账号请在私聊中进行：请私聊我发送此命令。
    写在这里的关联码已失效。

linking-code =
    你的关联码是 `{ $code }`，10 分钟内有效，只能用一次。
    请用你的另一个账号私聊我发送 `/link { $code }`，之后我会在两边向你确认。
    不要交给任何人：关联的账号会共享你的记忆。

linking-not-taken-unknown =
    没有这个关联码，或者已经失效。
    请用另一个账号发送 `/link` 获取新的。
linking-not-taken-too-many-tries = 错误次数过多，请 10 分钟后再试。
linking-not-taken-own = 这是本账号的关联码，请用另一个账号发送。
linking-not-taken-already-one = 这两个账号已经关联。
linking-not-taken-too-many-accounts = 每人最多 8 个账号，可用 `/unlink` 分开其中一个。

linking-nothing-linked =
    此账号没有关联其他账号。
    可用 `/link` 关联。

linking-join-also =
    {""}
    它已关联：
    { $lines }
    {""}
linking-join = **这也是你的账号吗？**
    { $other }
    { $also }
    两边都确认后，我会把你当作同一个人：从任一账号记住的内容，在两边的私聊中都会使用。身份和“总是允许”仍各归各账号。可用 `/unlink` 再分开。
    如果是别人让你这样做的，请拒绝。

linking-join-confirmed-here = ✅ 这边已确认。请再用 { $other } 确认。

linking-join-ended-open-done = 🔗 已与 { $other } 关联。
linking-join-ended-refused = 🚫 未与 { $other } 关联：已拒绝。
linking-join-ended-expired = ⌛ 未与 { $other } 关联：未及时确认。
linking-join-ended-dropped = 未与 { $other } 关联：情况已变化。可用 `/link` 重新发起。

linking-part = **取消账号关联吗？**
    { $this }，与以下账号分开：
    { $linked }

    从此账号记住的内容只归此账号，从其他账号记住的归它们。不会删除任何内容。

linking-part-ended-open-done = ✂️ { $this } 已与你的其他账号分开，记忆各归各的账号。
linking-part-ended-refused = { $this } 保持关联。
linking-part-ended-expired = ⌛ { $this } 保持关联：未及时确认。
linking-part-ended-dropped = 没有分开任何账号：情况已变化。可用 `/unlink` 重新发起。

linking-confirm = 确认
linking-refuse = 拒绝
linking-unlink = 分开
linking-keep = 保留

linking-confirmed = 已确认，还需另一个账号确认。

linking-confirmed-already = 你已经确认过了，另一个账号还没有。

linking-refused = 不做任何改动。

linking-done-join = 已关联。
linking-done-part = 已分开。

linking-dropped = 情况已变化，没有任何改变。

linking-not-let-in = 另一个账号已不能与我对话，没有任何改变。
