//! `sayso redact`: texts with a mark in the place of each secret, as a model would be shown them.
//!
//! With a configuration its own secrets are known as well; without one only forms are.

use std::io::{BufRead, Write};

use sayso_core::redact::{Mark, Redactor, marks};
use serde::Serialize;

use super::exit::Exit;
use super::output_style::Form;
use super::texts;

#[derive(Serialize)]
struct Line<'a> {
    /// The text with its marks.
    text: &'a str,
    /// Whether something was hidden.
    secret: bool,
    marks: Vec<Mark<'a>>,
}

/// Prints each text redacted: those of the arguments, or else each line of the input.
pub(super) fn redact(
    texts: &[String],
    redactor: &Redactor,
    form: Form,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> anyhow::Result<Exit> {
    texts::each(texts, input, |text| print(text, redactor, form, output))?;
    Ok(Exit::Fine)
}

fn print(
    text: &str,
    redactor: &Redactor,
    form: Form,
    output: &mut impl Write,
) -> anyhow::Result<()> {
    let shown = redactor.redact(text);
    match form {
        Form::Plain => writeln!(output, "{shown}")?,
        Form::Json => {
            let line = Line {
                text: &shown,
                secret: shown != text,
                marks: marks(&shown),
            };
            writeln!(output, "{}", serde_json::to_string(&line)?)?;
        }
    }
    output.flush()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redacted(texts: &[&str], form: Form, input: &str) -> String {
        let texts: Vec<_> = texts.iter().map(ToString::to_string).collect();
        let redactor = Redactor::new([]).unwrap();
        let mut output = Vec::new();
        let exit = redact(&texts, &redactor, form, &mut input.as_bytes(), &mut output);
        assert_eq!(exit.unwrap(), Exit::Fine);
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn texts_of_the_arguments_are_printed_redacted() {
        insta::assert_snapshot!(
            redacted(&["PASSWORD=tR8wq7Zx2L", "no secret"], Form::Plain, "unread"),
            @r"
        PASSWORD=[redacted: secret-value]
        no secret
        "
        );
    }

    #[test]
    fn without_arguments_each_line_of_the_input_is_one() {
        insta::assert_snapshot!(
            redacted(&[], Form::Json, "fine\npassword: tR8wq7Zx2L\n"),
            @r#"
        {"text":"fine","secret":false,"marks":[]}
        {"text":"password: [redacted: secret-value]","secret":true,"marks":[{"kind":"secret-value","start":10,"end":34}]}
        "#
        );
    }
}
