//! The names of tools as models write them: with a namespace before them, what a template puts
//! behind them, quotes around them, or in other letters.

use super::ToolSpec;

/// What models and templates write before a name. Each is followed by one of [`SEPARATORS`].
const NAMESPACES: [&str; 8] = [
    "functions",
    "function",
    "default_api",
    "default_tools",
    "multi_tool_use",
    "tools",
    "tool",
    "namespace",
];
/// What stands between a namespace and the name; the longest comes first.
const SEPARATORS: [&str; 4] = ["::", ".", ":", "/"];
/// Begins the receiver of a call in the harmony format of gpt-oss.
const RECEIVER: &str = "to=";
/// Begins what a template puts behind a name, such as `<|channel|>commentary` and `</tool_call>`.
/// No tool has it in its name.
const TAIL: char = '<';

/// Returns the tool that a written name means: the one of this very name, else the only one that is
/// left when what models add to a name is taken off. `None` where no tool fits, or several do.
pub fn tool_named<'a>(written: &str, tools: &[&'a ToolSpec]) -> Option<&'a ToolSpec> {
    let exactly = |name: &str| tools.iter().find(|tool| tool.name == name).copied();
    if let Some(tool) = exactly(written) {
        return Some(tool);
    }
    let bare = bare(written);
    let names = [Some(bare), unnumbered(bare)];
    let mut names = names.into_iter().flatten();
    names.find_map(|name| exactly(name).or_else(|| alike(name, tools)))
}

/// Returns a name without what models add to it.
fn bare(written: &str) -> &str {
    let name = written.split(TAIL).next().unwrap_or_default();
    let mut name = name.trim_matches(is_around);
    name = name.strip_suffix("()").unwrap_or(name);
    while let Some(rest) = without_namespace(name) {
        name = rest.trim_matches(is_around);
    }
    name
}

fn is_around(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '"' | '\'' | '`' | '\u{feff}' | '\u{200b}')
}

fn without_namespace(name: &str) -> Option<&str> {
    if let Some(rest) = name.strip_prefix(RECEIVER) {
        return Some(rest);
    }
    let mut namespaces = NAMESPACES.iter();
    namespaces.find_map(|namespace| {
        let (first, rest) = name.split_at_checked(namespace.len())?;
        let is_namespace = first.eq_ignore_ascii_case(namespace);
        let mut separators = SEPARATORS.iter();
        separators.find_map(|it| rest.strip_prefix(it).filter(|_| is_namespace))
    })
}

/// Returns a name without the number of the call behind it (`NAME:0`), as Kimi's template writes
/// it.
fn unnumbered(name: &str) -> Option<&str> {
    let (name, number) = name.rsplit_once(':')?;
    let is_number = !number.is_empty() && number.chars().all(|it| it.is_ascii_digit());
    is_number.then_some(name)
}

/// Returns the only tool whose name differs in nothing but the case of its letters and `-` for `_`.
fn alike<'a>(name: &str, tools: &[&'a ToolSpec]) -> Option<&'a ToolSpec> {
    let name = folded(name);
    let mut alike = tools.iter().filter(|tool| folded(&tool.name) == name);
    let first = alike.next().copied()?;
    alike.next().is_none().then_some(first)
}

fn folded(name: &str) -> String {
    name.to_lowercase().replace('-', "_")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::tool_named;
    use crate::transcript::ToolSpec;

    fn meant(written: &str, names: &[&str]) -> Option<String> {
        let specs: Vec<ToolSpec> = names
            .iter()
            .map(|name| ToolSpec {
                name: (*name).to_owned(),
                description: String::new(),
                parameters: json!({}).into(),
            })
            .collect();
        let tools: Vec<&ToolSpec> = specs.iter().collect();
        tool_named(written, &tools).map(|tool| tool.name.clone())
    }

    #[test]
    fn chat_f10_what_models_add_to_a_name_is_taken_off() {
        for written in [
            "list_dir",
            " list_dir ",
            "\"list_dir\"",
            "`list_dir`\n",
            "List_Dir",
            "LIST-DIR",
            "functions.list_dir",
            "functions::list_dir",
            "Functions.list-dir",
            "default_api:list_dir",
            "default_api.list_dir",
            "tools.list_dir",
            "tool:list_dir",
            "tools/list_dir",
            "to=functions.list_dir",
            "functions.default_api.list_dir",
            "list_dir<|channel|>commentary",
            "functions.list_dir<|constrain|>json",
            "list_dir</tool_call>",
            "list_dir<｜tool▁sep｜>",
            "list_dir()",
            "functions.list_dir:0",
        ] {
            let found = meant(written, &["shell", "list_dir", "odd__List"]);
            assert_eq!(found.as_deref(), Some("list_dir"), "{written}");
        }
    }

    #[test]
    fn chat_f10_no_tool_is_guessed() {
        for written in [
            "",
            " ",
            "functions.",
            "list",
            "list_dirs",
            "my.list_dir",
            "list_dir shell",
            "<|list_dir|>",
            "tool_list_dir",
            "list_dir:x",
        ] {
            assert_eq!(meant(written, &["shell", "list_dir"]), None, "{written}");
        }
    }

    #[test]
    fn chat_f10_of_several_that_fit_only_the_very_name_counts() {
        let names = ["get_item", "Get-Item", "functions.x", "x"];
        assert_eq!(meant("GET_ITEM", &names), None);
        assert_eq!(meant("tools.Get-Item", &names).unwrap(), "Get-Item");
        assert_eq!(meant("functions.x", &names).unwrap(), "functions.x");
        assert_eq!(meant("tools.x", &names).unwrap(), "x");
    }
}
