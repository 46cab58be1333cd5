terminal-prompt = 你>{" "}

terminal-how-to-leave = 再按一次 Ctrl-C 退出。

terminal-file = 文件 { $name }：{ $path }

terminal-no-attachments = 终端没有附件
