//! The subset of GBNF in use, one rule per line: which texts a grammar permits.

use std::collections::{BTreeSet, HashMap};
use std::iter::Peekable;
use std::str::Chars;

/// Rules by their names.
#[derive(Debug)]
pub(crate) struct Grammar(HashMap<String, Rule>);

#[derive(Debug)]
enum Rule {
    Text(Vec<char>),
    Class {
        ranges: Vec<(char, char)>,
        is_negated: bool,
    },
    Name(String),
    Sequence(Vec<Self>),
    OneOf(Vec<Self>),
    Repeated {
        rule: Box<Self>,
        least: usize,
        most: usize,
    },
}

type Letters<'a> = Peekable<Chars<'a>>;

impl Grammar {
    /// Reads a grammar; every rule that it names must be there.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut rules = HashMap::new();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let (name, body) = line
                .split_once("::=")
                .ok_or_else(|| format!("no rule: {line}"))?;
            let mut letters = body.chars().peekable();
            let rule = one_of(&mut letters).map_err(|why| format!("{why} in {line}"))?;
            if letters.next().is_some() {
                return Err(format!("more than a rule: {line}"));
            }
            rules.insert(name.trim().to_owned(), rule);
        }
        let grammar = Self(rules);
        for rule in grammar.0.values().chain([&Rule::Name("root".to_owned())]) {
            grammar.names_rules(rule)?;
        }
        Ok(grammar)
    }

    /// Tells whether a model can say this and nothing more.
    pub(crate) fn admits(&self, text: &str) -> bool {
        let letters: Vec<char> = text.chars().collect();
        let root = Rule::Name("root".to_owned());
        self.ends(&root, &letters, 0).contains(&letters.len())
    }

    fn names_rules(&self, rule: &Rule) -> Result<(), String> {
        match rule {
            Rule::Name(name) if !self.0.contains_key(name) => Err(format!("no rule {name}")),
            Rule::Name(_) | Rule::Text(_) | Rule::Class { .. } => Ok(()),
            Rule::Sequence(rules) | Rule::OneOf(rules) => {
                rules.iter().try_for_each(|rule| self.names_rules(rule))
            }
            Rule::Repeated { rule, .. } => self.names_rules(rule),
        }
    }

    /// Returns every place up to which a rule can go from here.
    fn ends(&self, rule: &Rule, letters: &[char], at: usize) -> BTreeSet<usize> {
        match rule {
            Rule::Text(text) => {
                let is_there = letters[at..].starts_with(text);
                is_there.then_some(at + text.len()).into_iter().collect()
            }
            Rule::Class { ranges, is_negated } => {
                let letter = letters.get(at);
                let is_in = letter.is_some_and(|letter| {
                    let is_in = ranges
                        .iter()
                        .any(|(low, high)| (low..=high).contains(&letter));
                    is_in != *is_negated
                });
                is_in.then_some(at + 1).into_iter().collect()
            }
            Rule::Name(name) => self.ends(&self.0[name], letters, at),
            Rule::Sequence(rules) => rules.iter().fold([at].into(), |places, rule| {
                let ends = places.iter().map(|at| self.ends(rule, letters, *at));
                ends.flatten().collect()
            }),
            Rule::OneOf(rules) => {
                let ends = rules.iter().map(|rule| self.ends(rule, letters, at));
                ends.flatten().collect()
            }
            Rule::Repeated { rule, least, most } => {
                let mut all = BTreeSet::new();
                let mut places: BTreeSet<usize> = [at].into();
                for times in 0..=*most {
                    if times >= *least {
                        places.retain(|place| all.insert(*place));
                    }
                    if places.is_empty() {
                        break;
                    }
                    let ends = places.iter().map(|at| self.ends(rule, letters, *at));
                    places = ends.flatten().collect();
                }
                all
            }
        }
    }
}

fn one_of(letters: &mut Letters<'_>) -> Result<Rule, String> {
    let mut rules = vec![sequence(letters)?];
    while letters.next_if_eq(&'|').is_some() {
        rules.push(sequence(letters)?);
    }
    Ok(Rule::OneOf(rules))
}

fn sequence(letters: &mut Letters<'_>) -> Result<Rule, String> {
    let mut rules = Vec::new();
    loop {
        while letters.next_if_eq(&' ').is_some() {}
        let rule = match letters.peek() {
            None | Some('|' | ')') => return Ok(Rule::Sequence(rules)),
            Some('"') => Rule::Text(quoted(letters)?),
            Some('[') => class(letters)?,
            Some('(') => {
                letters.next();
                let inner = one_of(letters)?;
                letters
                    .next_if_eq(&')')
                    .ok_or("a group that does not end")?;
                inner
            }
            Some(_) => Rule::Name(name(letters)?),
        };
        let (least, most) = match letters.peek() {
            Some('*') => (0, usize::MAX),
            Some('+') => (1, usize::MAX),
            Some('?') => (0, 1),
            Some('{') => bounds(letters)?,
            _ => {
                rules.push(rule);
                continue;
            }
        };
        letters.next();
        let rule = Box::new(rule);
        rules.push(Rule::Repeated { rule, least, most });
    }
}

/// Reads `{2,5}` up to its closing brace.
fn bounds(letters: &mut Letters<'_>) -> Result<(usize, usize), String> {
    letters.next();
    let mut text = String::new();
    while let Some(letter) = letters.next_if(|it| *it != '}') {
        text.push(letter);
    }
    let (least, most) = text.split_once(',').ok_or("bounds without a comma")?;
    let number = |text: &str| text.parse().map_err(|_| format!("no bound: {text}"));
    Ok((number(least)?, number(most)?))
}

fn name(letters: &mut Letters<'_>) -> Result<String, String> {
    let mut name = String::new();
    while let Some(letter) = letters.next_if(|it| it.is_ascii_alphanumeric() || *it == '-') {
        name.push(letter);
    }
    if name.is_empty() {
        return Err(format!("{:?} begins nothing", letters.peek()));
    }
    Ok(name)
}

fn quoted(letters: &mut Letters<'_>) -> Result<Vec<char>, String> {
    letters.next();
    let mut text = Vec::new();
    loop {
        match letters.next().ok_or("a text that does not end")? {
            '"' => return Ok(text),
            '\\' => text.push(escaped(letters)?),
            letter => text.push(letter),
        }
    }
}

fn class(letters: &mut Letters<'_>) -> Result<Rule, String> {
    letters.next();
    let is_negated = letters.next_if_eq(&'^').is_some();
    let mut ranges = Vec::new();
    loop {
        let low = match letters.next().ok_or("a class that does not end")? {
            ']' => return Ok(Rule::Class { ranges, is_negated }),
            '\\' => escaped(letters)?,
            letter => letter,
        };
        let is_range = letters.peek() == Some(&'-') && letters.clone().nth(1) != Some(']');
        if !is_range {
            ranges.push((low, low));
            continue;
        }
        letters.next();
        let high = match letters.next().ok_or("a class that does not end")? {
            '\\' => escaped(letters)?,
            letter => letter,
        };
        ranges.push((low, high));
    }
}

fn escaped(letters: &mut Letters<'_>) -> Result<char, String> {
    match letters.next().ok_or("an escape of nothing")? {
        'n' => Ok('\n'),
        'r' => Ok('\r'),
        't' => Ok('\t'),
        'x' => {
            let digits: String = letters.by_ref().take(2).collect();
            let code = u8::from_str_radix(&digits, 16);
            code.map(char::from).map_err(|_| format!("\\x{digits}"))
        }
        letter @ ('\\' | '"' | '[' | ']') => Ok(letter),
        letter => Err(format!("\\{letter} is no escape")),
    }
}

#[cfg(test)]
mod tests {
    use super::Grammar;

    #[test]
    fn a_text_is_admitted_as_a_whole_or_not() {
        let text = "root ::= word ( \",\" word ){0,2} | \"\\\"\" [^\\\"\\x00-\\x1f]+\nword ::= [a-c-]+ [0-9]?";
        let grammar = Grammar::parse(text).unwrap();
        for admitted in ["a", "ab-1,c", "\"x é"] {
            assert!(grammar.admits(admitted), "{admitted}");
        }
        for refused in ["", "a,b,c,a", "a,", "d", "a12", "\"", "\"\n"] {
            assert!(!grammar.admits(refused), "{refused}");
        }
        for broken in [
            "root ::= word",
            "root ::= \"a",
            "word ::= \"a\"",
            "root ::= ( \"a\"",
        ] {
            assert!(Grammar::parse(broken).is_err(), "{broken}");
        }
    }
}
