undo-done-nothing = 为“{ $request }”所做的改动，没有可恢复的。
undo-done-some = ↩ 已撤销“{ $request }”改动的 { $all } 个文件中的 { $before } 个
undo-done-all = ↩ 已撤销“{ $request }”改动的 { $all } 个文件
undo-done-put-back = - `{ $path }`：恢复到之前的内容
undo-done-removed = - `{ $path }`：删除了，是新建的
undo-done-was-so = - `{ $path }`：本来就和之前一样
undo-done-left = - `{ $path }`：保持现状，旧内容没有保留
undo-done-failed = - `{ $path }`：现在无法恢复，请稍后再发 /undo

undo-done-in-one-put-back = ↩ 已撤销：`{ $path }` 恢复到了之前的内容。
undo-done-in-one-removed = ↩ 已撤销：删除了新建的 `{ $path }`。
undo-done-in-one-was-so = ↩ 已撤销：`{ $path }` 本来就和之前一样。
undo-done-in-one-left = 没有恢复：`{ $path }` 的旧内容没有保留。
undo-done-in-one-failed = `{ $path }` 现在无法恢复，请稍后再发 /undo。

undo-redo = 恢复

undo-brings-back = ↪ 正在恢复。

undo-redone-one = ↪ 已恢复：`{ $path }` 回到了撤销之前的样子。
undo-redone-several = ↪ 已恢复：{ $count } 个文件回到了撤销之前的样子。
# Leaves out $count: 中文 has no plural.
undo-not-redone = 没有恢复：{ $named } 之后又有变化，文件都保持原样。
# Leaves out $more.
undo-named = { $shown }等 { $all } 个文件

undo-redo-failed = 现在无法恢复：{ $named }。请稍后再按一次。

undo-not-kept = 没有恢复：时间太久，当时的文件内容已经不在了。

undo-changed-since-head = **恢复我为“{ $request }”改动的文件吗？**
    以下文件之后又有变化，恢复会丢失这些变化：

undo-listed = - ……还有 { $more } 个

undo-put-back = 恢复
undo-leave-them = 保持现状

undo-puts-back = ↩ 正在恢复。

undo-left = 保持现状。

undo-expired = ⌛ 未及时答复：保持现状。

undo-nothing = 这里没有可撤销的：我会保留最近十次请求里写文件之前的内容；命令所做的改动无法恢复。

undo-not-over = 最近改动文件的事还没有做完。请先停止：/stop

undo-not-yours = 这里最近的改动是为别人做的，只有本人或管理者可以撤销。

undo-at-it = 已经在恢复了。
