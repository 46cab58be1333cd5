prompts-refusal-unknown = 这个按钮在这里无效。
prompts-refusal-not-yours-user = 这个问题是问别人的。
prompts-refusal-not-yours-owner = 只有管理者可以答复。
prompts-refusal-not-yours-user-or-owner = 只有提出请求的人或管理者可以答复。
prompts-refusal-already-answered = 已经答复过了，没有任何改变。
prompts-refusal-expired = 太晚了：已经过期。
