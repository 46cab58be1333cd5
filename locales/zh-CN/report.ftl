report-nothing = 最近 { $days } 天没有路由过消息

report-head = 最近 { $days } 天路由的消息：{ $count }

report-routes = 直接回答：{ $direct }，加载 skill：{ $skills }，反问：{ $questions }

report-skipped = 未询问 Phase 1：{ $share }：{ $why }

report-failed = 询问 Phase 1：{ $asked } 次；失败后由规则代替：{ $failed }

report-cost = Phase 1 每次平均消耗 { $prompt } + { $completion } 个 token，耗时 { $median } 毫秒（95 %：{ $slow } 毫秒）

report-guesses = 与 Phase 1 同时请求回答：{ $made } 次；猜对：{ $agreed }，放弃：{ $dropped }，约耗 { $prompt } + { $completion } 个 token

report-agreed = 规则与 Phase 1 一致：{ $agreed }，共 { $comparable } 条

report-labels = 类别：{ $labels }；可能需要规划：{ $planned }
