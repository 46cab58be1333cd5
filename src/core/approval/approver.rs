//! Who may approve a call.

/// Who may approve a call. The asker may deny it in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Approver {
    /// The person who asked, and owners.
    Asker,
    /// Owners alone: it reaches past the space of the person who asked.
    Owner,
}

impl Approver {
    /// Returns the name in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Asker => "asker",
            Self::Owner => "owner",
        }
    }

    /// Reads the name in the database. What is not known needs an owner.
    pub fn from_stored(name: &str) -> Self {
        if name == Self::Asker.as_str() {
            Self::Asker
        } else {
            Self::Owner
        }
    }
}
