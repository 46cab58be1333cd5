//! jq and yq: no modules and no other files.

/// Words that read other files, or change the one that is read.
const ACTING: [&str; 13] = [
    "import",
    "include",
    "load",
    "load_str",
    "load_xml",
    "load_props",
    "load_base64",
    "get_search_list",
    "modulemeta",
    "input_filename",
    "env",
    "strenv",
    "system",
];

/// Returns whether a filter works on its input alone.
pub(crate) fn only_reads(filter: &str) -> bool {
    filter
        .split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
        .all(|word| !ACTING.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::only_reads;

    #[test]
    fn filters_of_the_input_are_read() {
        assert!(only_reads(".items[] | select(.name == \"a\") | .id"));
        assert!(!only_reads("include \"a\" {search: \"/etc\"}; ."));
        assert!(!only_reads("load(\"/etc/passwd\")"));
        assert!(!only_reads("env.HOME"));
    }
}
