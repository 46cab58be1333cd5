//! awk: no commands, no other input, no output to files.

/// Words that run commands, read other files, or reach such things by another name.
const ACTING: [&str; 12] = [
    "system",
    "getline",
    "close",
    "ARGV",
    "ARGC",
    "ARGIND",
    "SYMTAB",
    "FUNCTAB",
    "PROCINFO",
    "BEGINFILE",
    "load",
    "include",
];
/// Where a `print` may go.
const HARMLESS_OUTPUTS: [&str; 2] = ["/dev/null", "/dev/stdout"];
/// Words after which a `/` begins a pattern.
const BEFORE_PATTERN: [&str; 9] = [
    "return", "print", "printf", "in", "case", "else", "do", "BEGIN", "END",
];

/// Returns whether a program only reads its input and prints.
pub fn only_reads(program: &str) -> bool {
    let Some(tokens) = tokens(program) else {
        return false;
    };
    let mut prints = false;
    let mut depth = 0_i32;
    for (index, token) in tokens.iter().enumerate() {
        match token {
            Token::Word(word) if ACTING.contains(&word.as_str()) => return false,
            Token::Word(word) if word == "print" || word == "printf" => {
                prints = true;
                depth = 0;
            }
            Token::Mark('(' | '[') => depth += 1,
            Token::Mark(')' | ']') => depth -= 1,
            Token::Mark(';' | '{' | '}') => prints = false,
            Token::Mark('@' | '|') => return false,
            Token::Mark('>') if prints && depth <= 0 && !is_harmless(&tokens, index + 1) => {
                return false;
            }
            Token::Mark(_) | Token::Word(_) | Token::Text(_) => {}
        }
    }
    true
}

/// Returns whether the output at this token is harmless, with nothing joined to its name.
fn is_harmless(tokens: &[Token], at: usize) -> bool {
    let ends = matches!(
        tokens.get(at + 1),
        None | Some(Token::Mark(';' | '}' | '\n'))
    );
    let is_known = matches!(tokens.get(at), Some(Token::Text(text)) if HARMLESS_OUTPUTS.contains(&text.as_str()));
    ends && is_known
}

#[derive(Debug, PartialEq, Eq)]
enum Token {
    Word(String),
    Text(String),
    Mark(char),
}

/// Splits a program; `||` is dropped. `None` when something in it does not end.
fn tokens(program: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut letters = program.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => tokens.push(Token::Text(until(&mut letters, '"')?)),
            '/' if begins_pattern(tokens.last())? => {
                tokens.push(Token::Text(until(&mut letters, '/')?));
            }
            '\\' => {
                letters.next_if_eq(&'\n')?;
            }
            '#' => while letters.next_if(|next| *next != '\n').is_some() {},
            '|' if letters.next_if_eq(&'|').is_some() => tokens.push(Token::Mark('!')),
            _ if letter.is_alphanumeric() || letter == '_' => {
                let mut word = String::from(letter);
                while let Some(next) =
                    letters.next_if(|next| next.is_alphanumeric() || *next == '_')
                {
                    word.push(next);
                }
                tokens.push(Token::Word(word));
            }
            ' ' | '\t' => {}
            _ => tokens.push(Token::Mark(letter)),
        }
    }
    Some(tokens)
}

fn until(letters: &mut impl Iterator<Item = char>, end: char) -> Option<String> {
    let mut text = String::new();
    loop {
        match letters.next()? {
            letter if letter == end => return Some(text),
            '\\' => {
                text.push('\\');
                text.push(letters.next()?);
            }
            '\n' => return None,
            letter => text.push(letter),
        }
    }
}

/// Returns whether a `/` after this token begins a pattern and is no division. `None` where awk
/// itself has to know more.
fn begins_pattern(last: Option<&Token>) -> Option<bool> {
    match last {
        None => Some(true),
        Some(Token::Mark(')' | '+' | '-')) => None,
        Some(Token::Mark(mark)) => Some(*mark != ']'),
        Some(Token::Word(word)) if word == "length" => None,
        Some(Token::Word(word)) => Some(BEFORE_PATTERN.contains(&word.as_str())),
        Some(Token::Text(_)) => Some(false),
    }
}

#[cfg(test)]
mod tests {
    use super::only_reads;

    #[test]
    fn programs_that_print_are_read() {
        for program in [
            "{print $1}",
            "$1 > 10 {print}",
            "{print ($1 > 0 ? \"a\" : \"b\")}",
            "{print > \"/dev/null\"}",
            "/a>b|c/ {print}",
            "NR == 1 || /x/",
            "{if ($1 > 10) print}",
            "{print \"a > b | c\"}",
            "{s += $1 / 2} END {print s/n}",
            "{print length($1)} # system(x)",
        ] {
            assert!(only_reads(program), "{program}");
        }
    }

    #[test]
    fn programs_that_act_are_not() {
        for program in [
            "{system(\"ls\")}",
            "{print > \"out\"}",
            "{print >> \"out\"}",
            "{print | \"sort\"}",
            "{\"id\" | getline x}",
            "{getline < \"/etc/passwd\"}",
            "BEGIN {ARGV[1] = \"/etc/passwd\"; ARGC = 2} 1",
            "BEGIN {f = \"system\"; @f(\"id\")}",
            "@load \"filefuncs\"",
            "{print 4 / 2; system(\"ls\"); x = 1 / 2}",
            "{printf \"%s\", $1 > $2}",
            "{print \"x",
            "{print > \"/dev/null\" \"x\"}",
            "{print 1,\n2 > \"out\"}",
            "{print 1 \\\n > \"out\"}",
            "{if (1) /\"/ {system(\"id\")} /\"/}",
            "{x++ / 2; system(\"id\"); y = 1 / 2}",
        ] {
            assert!(!only_reads(program), "{program}");
        }
    }
}
