### Why a press on a button was refused.

## Returns the notice to the presser.

prompts-refusal-unknown = This button does nothing here.
prompts-refusal-not-yours-user = This question was for somebody else.
prompts-refusal-not-yours-owner = Only an owner can answer this.
prompts-refusal-not-yours-user-or-owner = Only the person who asked, or an owner, can answer this.
prompts-refusal-already-answered = This was already answered. Nothing changed.
prompts-refusal-expired = Too late: this has expired.
