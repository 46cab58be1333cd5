//! awk: no commands, no other input, no output to files.
//!
//! A program is read only where every awk finds the same tokens in it. What one could read as a
//! pattern and another as a division, a letter behind a number, a bracket in a pattern that may
//! hold its end, and lines that go on are refused.

use super::pattern;

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
/// Words of the language itself that are no value. What a `/` is behind them is not certain.
const KEYWORDS: [&str; 26] = [
    "BEGIN", "END", "ENDFILE", "break", "case", "continue", "default", "delete", "do", "else",
    "exit", "fflush", "for", "func", "function", "if", "in", "length", "next", "nextfile", "print",
    "printf", "return", "switch", "while", "srand",
];
/// Words behind which a condition stands in brackets, in front of a statement.
const BEFORE_CONDITION: [&str; 4] = ["if", "while", "for", "switch"];

/// Returns whether a program only reads its input and prints.
pub(crate) fn only_reads(program: &str) -> bool {
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
            Token::Mark(_) | Token::Word(_) | Token::Number | Token::Text(_) => {}
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
    Number,
    Text(String),
    /// A mark; `||` and `&&` are `!`, behind which the same may stand.
    Mark(char),
}

/// What a bracket holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bracket {
    /// The condition of a statement, which comes next.
    Condition,
    Value,
}

#[derive(Default)]
struct Lexer {
    tokens: Vec<Token>,
    open: Vec<Bracket>,
    /// What the bracket held that was closed last.
    closed: Option<Bracket>,
}

/// Splits a program. `None` where awks may split it differently.
fn tokens(program: &str) -> Option<Vec<Token>> {
    let is_odd = |letter: char| letter.is_control() && letter != '\n' && letter != '\t';
    if program.contains(is_odd) {
        return None;
    }
    let mut lexer = Lexer::default();
    let mut rest = program;
    while let Some(letter) = rest.chars().next() {
        rest = match letter {
            ' ' | '\t' => rest.get(1..)?,
            '#' => behind_comment(rest)?,
            '"' => lexer.text(rest.get(1..)?)?,
            '/' if lexer.last_begins_pattern()? => lexer.pattern(rest.get(1..)?)?,
            '0'..='9' | '.' => lexer.number(rest)?,
            _ if letter.is_ascii_alphabetic() || letter == '_' => lexer.word(rest)?,
            _ => lexer.mark(letter, rest)?,
        };
    }
    lexer.open.is_empty().then_some(lexer.tokens)
}

/// Skips a comment. With a backslash at its end some go on with the next line.
fn behind_comment(rest: &str) -> Option<&str> {
    let end = rest.find('\n').unwrap_or(rest.len());
    let (comment, rest) = rest.split_at(end);
    (!comment.ends_with('\\')).then_some(rest)
}

impl Lexer {
    fn text<'a>(&mut self, rest: &'a str) -> Option<&'a str> {
        let mut is_escaped = false;
        for (at, letter) in rest.char_indices() {
            match letter {
                '\n' => return None,
                '"' if !is_escaped => {
                    self.tokens.push(Token::Text(rest.get(..at)?.to_owned()));
                    return rest.get(at + 1..);
                }
                _ => is_escaped = letter == '\\' && !is_escaped,
            }
        }
        None
    }

    fn pattern<'a>(&mut self, rest: &'a str) -> Option<&'a str> {
        let (_, rest) = pattern::split(rest, '/')?;
        self.tokens.push(Token::Text(String::new()));
        Some(rest)
    }

    /// Reads a number in decimal. Some take a letter behind it into the number, others begin a word.
    fn number<'a>(&mut self, rest: &'a str) -> Option<&'a str> {
        let digits =
            |text: &'a str| text.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let whole = digits(rest);
        let after = whole.strip_prefix('.').map_or(whole, digits);
        let has_digits = rest.len() - after.len() > usize::from(whole.len() != after.len());
        let exponent = after.strip_prefix(['e', 'E']).and_then(|power| {
            let power = power.strip_prefix(['+', '-']).unwrap_or(power);
            let behind = digits(power);
            (behind.len() < power.len()).then_some(behind)
        });
        let after = exponent.unwrap_or(after);
        let is_glued = after.starts_with(|letter: char| {
            letter.is_ascii_alphanumeric() || letter == '_' || letter == '.'
        });
        self.tokens.push(Token::Number);
        (has_digits && !is_glued).then_some(after)
    }

    fn word<'a>(&mut self, rest: &'a str) -> Option<&'a str> {
        let is_of_it = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let after = rest.trim_start_matches(is_of_it);
        let word = rest.get(..rest.len() - after.len())?;
        self.tokens.push(Token::Word(word.to_owned()));
        // Its condition stands behind its statement, and looks like one in front.
        (word != "do").then_some(after)
    }

    fn mark<'a>(&mut self, letter: char, rest: &'a str) -> Option<&'a str> {
        let after = rest.get(letter.len_utf8()..)?;
        let doubled = after.strip_prefix(letter);
        let mut read = (letter, after);
        match letter {
            '(' => self.open.push(self.bracket_behind_last()),
            '[' => self.open.push(Bracket::Value),
            ')' | ']' => self.closed = Some(self.open.pop()?),
            // In brackets a statement may end for some and go on for others.
            '\n' | '{' | '}' if !self.open.is_empty() => return None,
            '|' | '&' => read = doubled.map_or(read, |after| ('!', after)),
            '\n' | '{' | '}' | ';' | ',' | '!' | '~' | '=' | '<' | '>' | '+' | '-' | '*' | '%'
            | '^' | '?' | ':' | '$' | '/' | '@' => {}
            _ => return None,
        }
        self.tokens.push(Token::Mark(read.0));
        Some(read.1)
    }

    fn bracket_behind_last(&self) -> Bracket {
        match self.tokens.last() {
            Some(Token::Word(word)) if BEFORE_CONDITION.contains(&word.as_str()) => {
                Bracket::Condition
            }
            Some(_) | None => Bracket::Value,
        }
    }

    /// Returns whether a `/` behind the last token begins a pattern and is no division. `None` where
    /// awk itself has to know more.
    fn last_begins_pattern(&self) -> Option<bool> {
        match self.tokens.last() {
            None => Some(true),
            Some(Token::Mark(')')) => (self.closed == Some(Bracket::Value)).then_some(false),
            Some(Token::Mark(']') | Token::Number) => Some(false),
            Some(Token::Mark('(' | ',' | '{' | '}' | ';' | '\n' | '!' | '~' | '?' | ':')) => {
                Some(true)
            }
            Some(Token::Word(word)) => (!KEYWORDS.contains(&word.as_str())).then_some(false),
            Some(Token::Mark(_) | Token::Text(_)) => None,
        }
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
    fn s6_ordinary_programs_stay_read() {
        for program in [
            "$3>1000{print $1}",
            "/x/{n++} END{print n}",
            "{s+=$1} END {printf \"%.2f\\n\", s/NR}",
            "!seen[$0]++",
            "NR==FNR{a[$1]=$2;next} $1 in a{print $0, a[$1]}",
            "BEGIN{FS=\",\";OFS=\"\\t\"} {print $1,$2}",
            "NR>=10 && NR<=20",
            "/start/,/end/",
            "$2 ~ /^[a-z]+$/ && $3 !~ /[[:digit:]]/ {c++} END{print c+0}",
            "{print ($1+$2)/2}",
            "{$1=\"\"; print substr($0,2)}",
            "{for(i=1;i<=NF;i++) w[$i]++} END{for(k in w) print w[k], k}",
            "{if($1>m)m=$1}END{print m}",
            "END{print NR}",
            "{print $NF}",
            "length > 80",
            "length($0) > 80 {print FILENAME \":\" FNR}",
            "{gsub(/a/,\"b\"); print toupper($0)}",
            "{split($0,a,/[ ,]+/); print a[1]}",
            "BEGIN{while(i<10) print i++}",
            "{if (/x/) print \"yes\"; else print \"no\"}",
            "function f(x) {return x*2} {print f($1)/3}",
            "{print $1/1e6, 2.5*$2, .5}",
            "{print}\n# the end\nEND {\n  print 1\n}\n",
            "/错误/{print \"有\"}",
            "/[^\\t]+/{print}",
            "NR%2==0",
            "{a=a?a\",\"$1:$1}END{print a}",
            "match($0,/v[0-9.]+/){print substr($0,RSTART,RLENGTH)}",
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

    #[test]
    fn s6_programs_that_awks_split_differently_are_not() {
        for program in [
            "BEGIN{1system(\"id\")}",
            "BEGIN{x=1getline}",
            "BEGIN{0x1fsystem(\"id\")}",
            "BEGIN{1esystem(\"id\")}",
            "BEGIN{1.system(\"id\")}",
            "BEGIN{1e5e5}",
            "BEGIN{exit /\"/} END{system(\"id\")} #\"",
            "BEGIN{next /\"/; system(\"id\") #\"",
            "{do /\"/; while(x) /\"/}",
            "!/[/]\"/{system(\"id\")}#\"/",
            "/[]/]\"/{system(\"id\")}#\"/",
            "/[[:alpha:]/]\"/{system(\"id\")}#\"/",
            "\"a\" /b/",
            "x = /b/",
            "{ if ($1 == 1) /x/ ; else print }",
            "length / 2",
            "{print 1 # a \\\n > \"out\"}",
            "{print \"a\\\nb\"}",
            "(1\n/2/)",
            "{print é}",
            "{print 1}\r",
            "{print \"a\u{1}\"}",
            "{print (1}",
            "{print 1)}",
            "'",
            "`",
        ] {
            assert!(!only_reads(program), "{program}");
        }
    }
}
