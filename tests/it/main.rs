//! Behaviour tests: the real binary against fakes of the outside, told as chats.
#![expect(unreachable_pub, reason = "its modules are those of a program")]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot do its work must fail"
)]

/// What never stands in a message of Sayso.
mod ban_list;
mod command_line;
mod platform;
mod stage;
mod test_bot;

/// Hello, and what a first conversation looks like.
mod hello;

/// Approvals: who may press what, when and where, and what runs then.
mod approvals;
/// The audit and the trace: what was done can be read afterwards, and what was changed shows.
mod audit;
/// Backups: made while Sayso runs, whole or not at all, and never restored over anything.
mod backup;
/// Bad input of every kind: who gets which message, and that nothing is lost.
mod bad_input;
/// The book: generated pages, examples that run, links and sentences.
mod book;
/// Budgets: limits, who raises them, and what an idle Sayso costs.
mod budget;
/// Bad weather between Sayso and its platforms: nothing lost, nothing doubled, health honest.
mod chaos;
/// Work on code: projects, and the tools that work in them.
mod code;
/// kill -9 at any moment: nothing lost, nothing doubled, nothing left running.
mod crash;
/// Discord: slash commands, threads, roles, presses.
mod discord;
/// What a place does not take is said elsewhere, and people are seen as who they are.
mod elsewhere;
/// Learning by itself: what is kept of what was said, the note about it, and its Undo.
mod extraction;
/// The fault matrix: what hangs, what is away, what is full, what is asked to end, and that nothing
/// is lost by it.
mod faults;
/// Fetching: what is asked of servers, and what comes back.
mod fetching;
/// Files that people send: kept, named, read, and what becomes of those that do not come.
mod files;
/// Floods: whose turn it is, what is bounded, and what goes out when not everything may.
mod flow;
/// Fuzzers of what runs unasked, against the shells, awks and seds of the machine.
mod fuzzers;
/// What the soak says of memory, over made-up hours.
mod growth;
/// How Sayso is, told to people and machines.
mod health;
/// The door: groups, mentions, quotations, albums, pairing, limits and commands.
mod intake;
/// What is in view beside the conversation: the operator's texts, and what each step recalls.
mod knowledge;
/// Which room may name which, and other rules of the bot.
mod layers;
/// One policy for each person: levels of accounts, lowered chats, rules for roles.
mod levels;
/// MCP servers: real ones, and ones that misbehave.
mod mcp;
/// People who are only let in: what they approve themselves, and what an owner must.
mod members;
/// The seventy moments that people meet most, as they read in both languages.
mod moments;
/// People with several accounts: joined, parted, and what follows them.
mod people;
/// What strangers see first: the transcript of the README and the picture of two chats.
mod pictures;
/// A chat on a pseudo-terminal: what reaches the screen, and what is kept of what is typed.
mod pseudo_terminal;
/// Routines and reminders: due to the second, late, missed, quiet, and never twice.
mod routines;
/// Commands in the sandbox: what gets out, what is too much, what must work.
mod sandbox;
/// What scripts and packages use: JSON, completions, manual pages.
mod scripting;
/// Secrets: nowhere but where they were put.
mod secrets;
/// Each setting does what it says.
mod settings;
/// Skills: what is said to who writes them, and what an operator adds.
mod skills;
/// How many statements of the database a turn takes.
mod statements;
/// Ten stories in two languages, with the number of messages and words that they take.
mod stories;
/// Text from outside: taint, delimiters, injections, and a model that obeys them.
mod taint;
/// The terminal, the command line and the tour.
mod terminal;
/// One Sayso on both platforms at once.
mod together;
/// Tools that a message asks for: questions, files, repositories, searches.
mod tools;
/// Turns: routing, clarifications, steps, tools, memory, history, stop.
mod turns;
/// Secrets at a terminal.
mod typing;
