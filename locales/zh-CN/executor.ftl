executor-refused-shown = 未执行（你已拒绝）
executor-refused-shown-by = 未执行（{ $by } 已拒绝）

executor-refused-for-model =
    已拒绝
    用户拒绝了这次调用。不要换一种方式再试，先问问他们想要什么。
executor-refused-for-model-why =
    已拒绝
    用户拒绝了这次调用，并说明了原因。不要换一种方式再试。他们的原话：
    { $why }

executor-repeated-why-third-time = 未执行：`{ $tool }` 已连续两次这样调用，结果相同
executor-repeated-why-goes-round = 未执行：`{ $tool }` 和前后的调用已按此顺序进行过两次，结果相同
executor-repeated-why-blocked = 未执行：`{ $tool }` 的这一调用此前已被阻止
executor-repeated-what-now = 它在本轮内不会再执行。请利用已知的结果、换一种做法，或告诉用户遇到了什么阻碍；这样的调用满五次，本轮就会结束。

executor-no-owner-to-ask-why = 未询问，也未执行：它超出了该用户自己的范围，只有管理者可以批准，而现在联系不到任何管理者。用户已得到通知。请不用它继续，不要再次调用
executor-no-owner-to-ask = 未执行：只有管理者可以批准

executor-unaudited =
    我没有执行任何操作：操作必须先写入审计记录，而现在无法写入。
    运行我的人可以在日志中找到原因。

executor-shown-forbidden = 已阻止：{ $reason }
executor-shown-only-read = 未执行：我在这里只能读取
executor-shown-only-chat = 未执行：我们在这里只能聊天
executor-shown-only-owners = 未执行：只有管理者可以这样做
executor-shown-outside-folder = 未执行：这超出了你的文件夹
executor-shown-not-confined = 未执行：这台电脑无法隔离命令
executor-shown-no-internet = 未执行：这里不能联网
executor-shown-not-on-list = 未执行：这个命令不在允许之列
executor-shown-site = 未执行：不允许访问这个网站
executor-shown-secret = 未执行：这个密钥不能这样使用
executor-shown-service = 未执行：不允许这个服务这样做
executor-shown-members = 未执行：成员不能这样做

executor-no-one-to-ask-why = 未询问，也未执行：它需要批准，而这次运行没有人可以询问
executor-no-one-to-ask = 未执行：没有人可以询问

executor-no-one-answers-why = 未询问：这次运行时对方不在。请自行决定，或说明哪些事尚待确认

executor-acts-withheld-line = ✗ 已拦截：{ $what } 得到的文字试图给我下指令
executor-acts-remembered = 已记住：{ $text }
executor-acts-corrected = 已更正：{ $text }
executor-acts-running = { $icon } { $act }……
executor-acts-ran-commands = 运行了 { $commands } 个命令
executor-acts-steps = ✓ 共 { $steps } 步
executor-acts-steps-did = ✓ 共 { $steps } 步：{ $acts }
executor-act-read-file = { $when ->
    [done] 读取了 { $name }
   *[doing] 读取 { $name }
}
executor-act-read-file-unnamed = { $when ->
    [done] 读取了文件
   *[doing] 读取文件
}
executor-act-write-file = { $when ->
    [done] 写入了 { $name }
   *[doing] 写入 { $name }
}
executor-act-write-file-unnamed = { $when ->
    [done] 写入了文件
   *[doing] 写入文件
}
executor-act-send-file = { $when ->
    [done] 发送了 { $name }
   *[doing] 发送 { $name }
}
executor-act-send-file-unnamed = { $when ->
    [done] 发送了文件
   *[doing] 发送文件
}
executor-act-read-site = { $when ->
    [done] 浏览了 { $name }
   *[doing] 浏览 { $name }
}
executor-act-read-site-unnamed = { $when ->
    [done] 浏览了网页
   *[doing] 浏览网页
}
executor-act-send-to-site = { $when ->
    [done] 向 { $name } 发送了数据
   *[doing] 向 { $name } 发送数据
}
executor-act-send-to-site-unnamed = { $when ->
    [done] 向 `服务器` 发送了数据
   *[doing] 向 `服务器` 发送数据
}
executor-act-use-service = { $when ->
    [done] 使用了 { $name }
   *[doing] 使用 { $name }
}
executor-act-use-service-unnamed = { $when ->
    [done] 使用了已连接的服务
   *[doing] 使用已连接的服务
}
executor-act-search-web = { $when ->
    [done] 在网上搜索了“{ $query }”
   *[doing] 在网上搜索“{ $query }”
}
executor-act-list-files = { $when ->
    [done] 查看了文件
   *[doing] 查看文件
}
executor-act-remember = { $when ->
    [done] 记住了一件事
   *[doing] 记住一件事
}
executor-act-correct-memory = { $when ->
    [done] 更正了一条记忆
   *[doing] 更正一条记忆
}
executor-act-forget = { $when ->
    [done] 忘掉了一件事
   *[doing] 忘掉一件事
}
executor-act-recall = { $when ->
    [done] 查找了记忆
   *[doing] 查找记忆
}
executor-act-write-note = { $when ->
    [done] 写了笔记
   *[doing] 写笔记
}
executor-act-read-instructions = { $when ->
    [done] 查看了操作指南
   *[doing] 查看操作指南
}
executor-act-find-tool = { $when ->
    [done] 查找了合适的办法
   *[doing] 查找合适的办法
}
executor-act-read-result = { $when ->
    [done] 读取了较长的结果
   *[doing] 读取较长的结果
}
executor-act-look-at-itself = { $when ->
    [done] 查看了自身状态
   *[doing] 查看自身状态
}
executor-act-read-settings = { $when ->
    [done] 查看了设置
   *[doing] 查看设置
}
executor-act-change-settings = { $when ->
    [done] 修改了设置
   *[doing] 修改设置
}
executor-act-read-routines = { $when ->
    [done] 查看了定时任务
   *[doing] 查看定时任务
}
executor-act-change-routines = { $when ->
    [done] 修改了定时任务
   *[doing] 修改定时任务
}
executor-act-plan = { $when ->
    [done] 规划了步骤
   *[doing] 规划步骤
}
executor-act-ask = { $when ->
    [done] 询问了你
   *[doing] 询问你
}
executor-act-other = { $when ->
    [done] 处理了这件事
   *[doing] 处理这件事
}

executor-acts-report-tried = 试过：{ $act }
executor-acts-report-cut-off = 被中断：{ $act }

executor-acts-failed-head = ✗ 没有成功：{ $act }
executor-acts-not-run = ✗ 未执行：{ $act }
executor-acts-unknown = ? 被中断：{ $what }。不清楚进行到了哪一步。
