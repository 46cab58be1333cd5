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

# Leaves out $capitalized.

executor-acts-withheld-line = ✗ 已拦截：{ $what } 得到的文字试图给我下指令

executor-acts-report-tried = 试过：{ $act }
executor-acts-report-cut-off = 被中断：{ $act }

executor-acts-failed-head = ✗ 没有成功：{ $act }
executor-acts-not-run = ✗ 未执行：{ $act }
executor-acts-unknown = ? 被中断：{ $what }。不清楚进行到了哪一步。
