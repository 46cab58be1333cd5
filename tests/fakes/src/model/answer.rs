//! What the model answers, and everything that real providers do differently or wrongly on the way.

use std::time::Duration;

use serde_json::Value;

use crate::Gate;

/// How an answer goes out.
#[derive(Clone, Debug)]
pub(crate) enum Body {
    /// By the rules of the wire.
    Message,
    /// An error with status, headers and body.
    Status {
        status: u16,
        headers: Vec<(String, String)>,
        body: String,
    },
    /// A 200 with a body that is no answer at all.
    Garbage(String),
    /// The connection breaks before a byte.
    Drop,
}

/// How a stream ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// With a finish reason and `[DONE]`.
    Whole,
    /// In order on the wire, but without either.
    Cut,
    /// With a broken connection.
    Broken,
    /// Never: the connection stays open and silent.
    Silent,
}

/// How the pieces of tool calls are written.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CallStyle {
    pub(crate) object_arguments: bool,
    pub(crate) no_index: bool,
    pub(crate) repeated_id: bool,
}

/// A call of a tool.
#[derive(Clone, Debug)]
pub(crate) struct ToolCall {
    /// Given when the answer goes out, unless the test gives one.
    pub(crate) id: Option<String>,
    pub(crate) name: String,
    /// The arguments as text; whatever the test wants, also broken JSON.
    pub(crate) arguments: String,
}

/// Token counts of a `usage` object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Usage {
    pub(crate) prompt: u64,
    pub(crate) completion: u64,
    pub(crate) cached: u64,
}

/// An answer of the model, built up from [`Answer::text`], [`Answer::calls`] or one of the
/// failures.
#[derive(Clone, Debug)]
pub struct Answer {
    pub(crate) body: Body,
    pub(crate) reasoning: String,
    pub(crate) text: String,
    pub(crate) calls: Vec<ToolCall>,
    pub(crate) style: CallStyle,
    pub(crate) finish: Option<String>,
    pub(crate) usage: Usage,
    /// What is reported in place of it.
    pub(crate) report: Option<Value>,
    pub(crate) chunk: usize,
    pub(crate) split_bytes: Option<usize>,
    pub(crate) before_first: Duration,
    pub(crate) between: Duration,
    pub(crate) gate: Option<Gate>,
    pub(crate) gate_after: Option<(usize, Gate)>,
    pub(crate) ending: Ending,
    pub(crate) hidden_thoughts: Vec<String>,
    pub(crate) error_at_end: Option<(String, String)>,
    /// How many tokens of the prompt are read, at each event that says so.
    pub(crate) reading: Vec<u64>,
}

/// What is said.
impl Answer {
    fn new(body: Body) -> Self {
        Self {
            body,
            reasoning: String::new(),
            text: String::new(),
            calls: Vec::new(),
            style: CallStyle::default(),
            finish: None,
            usage: Usage {
                prompt: 100,
                completion: 10,
                cached: 0,
            },
            report: None,
            chunk: 4096,
            split_bytes: None,
            before_first: Duration::ZERO,
            between: Duration::ZERO,
            gate: None,
            gate_after: None,
            ending: Ending::Whole,
            hidden_thoughts: Vec::new(),
            error_at_end: None,
            reading: Vec::new(),
        }
    }

    /// Says a text.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::new(Body::Message)
        }
    }

    /// Calls tools, by name and arguments.
    pub fn calls(calls: Vec<(&str, Value)>) -> Self {
        let start = Self::text("");
        calls.into_iter().fold(start, |answer, (name, arguments)| {
            answer.and_calls(name, &arguments)
        })
    }

    /// Calls one tool with arguments that are text, such as broken JSON.
    pub fn calls_raw(name: &str, arguments: &str) -> Self {
        let call = ToolCall {
            id: None,
            name: name.to_owned(),
            arguments: arguments.to_owned(),
        };
        Self {
            calls: vec![call],
            ..Self::text("")
        }
    }

    /// Calls a tool besides what it says already.
    #[must_use]
    pub fn and_calls(mut self, name: &str, arguments: &Value) -> Self {
        let arguments = arguments.to_string();
        self.calls.push(ToolCall {
            id: None,
            name: name.to_owned(),
            arguments,
        });
        self
    }

    /// Sets the ids of the calls, in order; they are made up otherwise.
    #[must_use]
    pub fn with_ids(mut self, ids: &[&str]) -> Self {
        for (call, id) in self.calls.iter_mut().zip(ids) {
            call.id = Some((*id).to_owned());
        }
        self
    }

    /// Reasons before it speaks, in `reasoning_content`.
    #[must_use]
    pub fn reasoning(self, reasoning: impl Into<String>) -> Self {
        Self {
            reasoning: reasoning.into(),
            ..self
        }
    }

    /// Has a thought that only its service can read; Anthropic's wire alone knows that.
    #[must_use]
    pub fn hidden_thought(mut self, data: &str) -> Self {
        self.hidden_thoughts.push(data.to_owned());
        self
    }

    /// Ends for another reason than `stop` or `tool_calls`, such as `length`.
    #[must_use]
    pub fn finish(self, reason: &str) -> Self {
        Self {
            finish: Some(reason.to_owned()),
            ..self
        }
    }

    /// Counts these tokens (100 and 10 unless told otherwise).
    #[must_use]
    pub fn usage(mut self, prompt: u64, completion: u64) -> Self {
        self.usage.prompt = prompt;
        self.usage.completion = completion;
        self
    }

    /// Reports this as its usage, whatever it is; in llama.cpp's answers, these fields.
    #[must_use]
    pub fn reports(self, usage: Value) -> Self {
        Self {
            report: Some(usage),
            ..self
        }
    }

    /// Reports this number of prompt tokens as read from the cache.
    #[must_use]
    pub fn cached(mut self, tokens: u64) -> Self {
        self.usage.cached = tokens;
        self
    }
}

/// How it is written on the wire.
impl Answer {
    /// Splits texts and arguments into deltas of this number of characters (default 16).
    #[must_use]
    pub fn chunks_of(self, characters: usize) -> Self {
        Self {
            chunk: characters.max(1),
            ..self
        }
    }

    /// Cuts the stream into pieces of this number of bytes, even within a character.
    #[must_use]
    pub fn split_bytes(self, bytes: usize) -> Self {
        Self {
            split_bytes: Some(bytes.max(1)),
            ..self
        }
    }

    /// Gives arguments as an object, not as text.
    #[must_use]
    pub fn object_arguments(mut self) -> Self {
        self.style.object_arguments = true;
        self
    }

    /// Leaves out the index of tool calls.
    #[must_use]
    pub fn without_index(mut self) -> Self {
        self.style.no_index = true;
        self
    }

    /// Repeats id and name of a tool call in each of its deltas.
    #[must_use]
    pub fn repeating_ids(mut self) -> Self {
        self.style.repeated_id = true;
        self
    }
}

/// When it comes.
impl Answer {
    /// Waits so long before the first byte.
    #[must_use]
    pub fn after(self, delay: Duration) -> Self {
        Self {
            before_first: delay,
            ..self
        }
    }

    /// Waits so long between two pieces of a stream.
    #[must_use]
    pub fn between_chunks(self, delay: Duration) -> Self {
        Self {
            between: delay,
            ..self
        }
    }

    /// Says of a prompt of 2,000 tokens, of which 1,000 were cached, how many are read, where the
    /// request wants to know it.
    #[must_use]
    pub fn reads(self, processed: &[u64]) -> Self {
        Self {
            reading: processed.to_vec(),
            ..self
        }
    }

    /// Waits with the first byte until the gate is open.
    #[must_use]
    pub fn held_by(self, gate: &Gate) -> Self {
        Self {
            gate: Some(gate.clone()),
            ..self
        }
    }

    /// Streams `pieces` pieces, then waits until the gate is open. The first piece carries only the
    /// role.
    #[must_use]
    pub fn held_after(self, pieces: usize, gate: &Gate) -> Self {
        Self {
            gate_after: Some((pieces, gate.clone())),
            ..self
        }
    }
}

/// What goes wrong.
impl Answer {
    /// An HTTP error with this literal body.
    pub fn error(status: u16, body: impl Into<String>) -> Self {
        Self::new(Body::Status {
            status,
            headers: Vec::new(),
            body: body.into(),
        })
    }

    /// 429 with a `retry-after` header, in seconds.
    pub fn too_many(retry_after: u64) -> Self {
        Self::error(
            429,
            r#"{"error":{"message":"Rate limit reached","type":"rate_limit_exceeded"}}"#,
        )
        .header("retry-after", &retry_after.to_string())
    }

    /// Adds a header to an HTTP error.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        if let Body::Status { headers, .. } = &mut self.body {
            headers.push((name.to_owned(), value.to_owned()));
        }
        self
    }

    /// 200 with a body that is no answer.
    pub fn garbage(body: impl Into<String>) -> Self {
        Self::new(Body::Garbage(body.into()))
    }

    /// The connection breaks before a byte.
    pub fn drops() -> Self {
        Self::new(Body::Drop)
    }

    /// Never a byte, the connection stays open.
    pub fn hangs() -> Self {
        Self {
            gate: Some(Gate::new()),
            ..Self::new(Body::Message)
        }
    }

    /// The stream ends after its content: no finish reason, no `[DONE]`.
    #[must_use]
    pub fn cut(self) -> Self {
        Self {
            ending: Ending::Cut,
            ..self
        }
    }

    /// An error of this kind stands in the stream where its end should be.
    #[must_use]
    pub fn error_at_end(self, kind: &str, why: &str) -> Self {
        Self {
            error_at_end: Some((kind.to_owned(), why.to_owned())),
            ..self
        }
    }

    /// The connection breaks after the content of the stream.
    #[must_use]
    pub fn broken(self) -> Self {
        Self {
            ending: Ending::Broken,
            ..self
        }
    }

    /// The stream stays open and silent after its content.
    #[must_use]
    pub fn silent_at_end(self) -> Self {
        Self {
            ending: Ending::Silent,
            ..self
        }
    }
}
