sandbox-state-in-words = 进程数由内核计数

sandbox-state-readers-in-words = 未经批准而运行的命令不能更改文件的权限、属主、时间和属性

sandbox-state-own-in-words = 拥有独立的命名空间：{ $names }

sandbox-state-between-gaps = ，
sandbox-state-gaps-in-words = 由于缺少命名空间，{ $gaps }

sandbox-state-enforced-in-words-wholly = 内核把命令限制在工作区内：没有网络，不能发信号，也看不到其他进程的内部
sandbox-state-enforced-in-words-partly = 内核只能部分限制命令：{ $broken }
sandbox-state-nothing-why = 它没有 Landlock，也没有 seccomp
sandbox-state-nothing = 内核没有限制命令：{ $why }
sandbox-kernel-restriction-in-words = 执行 `sysctl { $setting }={ $allows }` 即可使用命名空间
sandbox-namespace-users = 用户
sandbox-namespace-mounts = 挂载
sandbox-namespace-processes = 进程
sandbox-namespace-network = 网络

sandbox-check-broken-programs-run = 沙箱里无法运行程序
sandbox-check-broken-no-writing = 能写工作区以外的文件
sandbox-check-broken-no-cutting = 能清空工作区以外的文件（需要 Linux 6.2）
sandbox-check-broken-no-reading = 能读取私密文件
sandbox-check-broken-no-listing = 能列出私密目录
sandbox-check-broken-no-tcp = 能使用 TCP
sandbox-check-broken-no-udp = 能使用 UDP
sandbox-check-broken-no-local-sockets = 能连接本机的服务
sandbox-check-broken-no-datagrams = 能向本机的服务发送数据报
sandbox-check-broken-readers-keep-attributes = 未经批准而运行的命令能更改文件的权限、属主、时间和属性
sandbox-check-broken-no-signals = 能向其他进程发信号（需要 Linux 6.12 或命名空间）
sandbox-check-broken-no-spying = 能读取其他进程的环境变量
sandbox-check-broken-no-modes = 经批准的命令能更改工作区以外文件的权限、属主和时间
sandbox-check-broken-apart-processes = 能读取其他进程的命令行
sandbox-check-broken-apart = 与系统共用命名空间
sandbox-check-broken-counted-by-kernel = 进程数不由内核计数
sandbox-check-broken-no-tracing = 能跟踪其他进程
sandbox-check-broken-no-namespaces = 能创建命名空间
