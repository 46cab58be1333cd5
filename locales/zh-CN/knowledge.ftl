knowledge-too-large = 大于 256 KiB
knowledge-not-text = 不是文本，或编码无法识别
knowledge-leads-out = 是指向目录之外的链接
knowledge-no-file = 不是普通文件
knowledge-unreadable = 无法读取（{ $error }）
knowledge-no-room = 放不下：最多 200 个文件，共 4 MiB
knowledge-gives-orders = “{ $heading }”下的段落像攻击一样给模型下命令
