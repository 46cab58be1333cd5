//! How much of the answer to a command is shown.

/// What is written behind a command to be shown the details at once.
const DETAILS: [&str; 5] = ["details", "all", "show", "详情", "全部"];

/// How much of an answer is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layer {
    /// A few lines.
    Brief,
    /// Everything.
    Details,
}

impl Layer {
    /// Returns the code on buttons.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Brief => "less",
            Self::Details => "more",
        }
    }

    /// Returns the layer that the arguments of a command ask for.
    pub fn written(arguments: &str) -> Self {
        let written = arguments.trim().to_lowercase();
        if DETAILS.contains(&written.as_str()) {
            Self::Details
        } else {
            Self::Brief
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Layer;

    #[test]
    fn details_are_asked_for_in_words() {
        assert_eq!(Layer::written(" Details "), Layer::Details);
        assert_eq!(Layer::written("详情"), Layer::Details);
        assert_eq!(Layer::written(""), Layer::Brief);
        assert_eq!(Layer::written("tomorrow"), Layer::Brief);
    }
}
