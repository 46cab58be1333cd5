//! The operator's own rules: the form of the built-in ones, for everybody or for a role.
//!
//! They speak after the forbidding rules, which nothing loosens. Of several that speak of a
//! command the first one counts.

use std::sync::Arc;

use sayso_core::transcript::Role;

use super::rulebook::Rulebook;
use super::rules::{self, Rule, RuleError};
use super::traits::Trait;
use super::word::Word;

/// The rules of the operator; none by default.
#[derive(Debug, Clone, Default)]
pub struct OperatorRules {
    rules: Arc<[Rule]>,
}

/// The rules, as they hold for one who asks.
#[derive(Debug, Clone, Copy)]
pub struct RulesFor<'a> {
    rules: &'a OperatorRules,
    role: Role,
}

impl OperatorRules {
    /// Reads rules, runs their examples, and refuses what would allow more than it says.
    pub fn load(text: &str) -> Result<Self, RuleError> {
        let rules = rules::load(text)?;
        rules.iter().try_for_each(check)?;
        Ok(Self {
            rules: rules.into(),
        })
    }

    /// Returns how many there are.
    pub fn len(&self) -> usize {
        self.rules.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Returns them as they hold for a role.
    pub fn for_role(&self, role: Role) -> RulesFor<'_> {
        RulesFor { rules: self, role }
    }
}

impl RulesFor<'_> {
    /// Returns how many of them hold for this role.
    pub fn count(&self) -> usize {
        let rules = self.rules.rules.iter();
        rules.filter(|rule| rule.holds_for(self.role)).count()
    }

    /// Returns the rule that speaks of a command, given its words.
    pub fn speaking_of(&self, words: &[Word]) -> Option<&Rule> {
        self.rules
            .rules
            .iter()
            .find(|rule| rule.holds_for(self.role) && rule.matches(words))
    }
}

/// An allowed wrapper would allow every command that it starts. Wrappers that are looked through
/// need no rule, and the others must name what they start.
fn check(rule: &Rule) -> Result<(), RuleError> {
    let Some(book) = Rulebook::built_in() else {
        return Ok(());
    };
    let starts_anything = rule.allowed_programs().any(|program| {
        book.wrapper(program).is_some_and(|wrapper| {
            let is_looked_through =
                !wrapper.traits.has(Trait::Opaque) && wrapper.script_after.is_none();
            is_looked_through || rule.is_one_word()
        })
    });
    if starts_anything {
        Err(RuleError::StartsAnything(rule.name()))
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::OperatorRules;

    fn load(rule: &str) -> Result<(), String> {
        let text = format!("[[rule]]\njustification = 'house rule'\n{rule}");
        OperatorRules::load(&text)
            .map(|_| ())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn what_starts_anything_cannot_be_allowed() {
        let allowing = |prefix: &str, example: &str| {
            load(&format!(
                "prefix = {prefix}\ndecision = 'allow'\nmatch = ['{example}']"
            ))
        };
        assert_eq!(
            allowing("['env']", "env ls").unwrap_err(),
            "the command rule for `env` cannot allow it, since it starts whatever its words name: write a rule for what it starts"
        );
        assert!(allowing("['timeout', '5']", "timeout 5 ls").is_err());
        assert!(allowing("['sh']", "sh x.sh").is_err());
        assert!(allowing("[['make', 'npx']]", "make").is_err());
        assert_eq!(allowing("['sh', 'tools/x.sh']", "sh tools/x.sh -v"), Ok(()));
        assert_eq!(allowing("['uv', 'run']", "uv run pytest"), Ok(()));
        assert_eq!(allowing("['make']", "make test"), Ok(()));
    }

    #[test]
    fn the_example_of_the_operator_can_be_used() {
        let text = include_str!("../../../deploy/rules.example.toml");
        assert_eq!(OperatorRules::load(text).unwrap().len(), 3);
    }

    #[test]
    fn what_is_allowed_is_named_word_by_word() {
        let error = |example: &str| {
            load(&format!(
                "prefix = ['git', 'push']\ndecision = 'allow'\nmatch = ['{example}']"
            ))
            .unwrap_err()
        };
        for example in ["git -c a=b push", "/tmp/git push", "git push $X"] {
            assert!(error(example).contains(example), "{example}");
        }
    }
}
