//! Buttons as Discord lays them out: at most five rows of at most five
//! (<https://docs.discord.com/developers/components/reference#action-row>).
//!
//! A card for many calls has more rows than that. Its rows are put side by side then; beyond 25
//! buttons all but the last row become menus, of which picking an entry is a press.

use sayso_channel::{Button, ButtonLook};
use serenity::builder::{
    CreateActionRow, CreateButton, CreateSelectMenu, CreateSelectMenuKind, CreateSelectMenuOption,
};
use serenity::model::application::ButtonStyle;

/// The most rows of a message.
const ROWS: usize = 5;
/// The most buttons of a row.
const COLUMNS: usize = 5;
/// The most entries of a menu.
const ENTRIES: usize = 25;
/// The most buttons that one message can carry: four menus, and a row of buttons.
pub(crate) const MOST: usize = (ROWS - 1) * ENTRIES + COLUMNS;
/// What the name of such a menu begins with; the tokens are its values.
const MENU: &str = "press:";

/// Lays out the buttons of a part.
pub(crate) fn rows(buttons: &[Vec<Button>]) -> Vec<CreateActionRow> {
    let rows: Vec<Vec<&Button>> = buttons
        .iter()
        .flat_map(|row| row.chunks(COLUMNS))
        .map(|row| row.iter().collect())
        .collect();
    let count: usize = rows.iter().map(Vec::len).sum();
    if count > ROWS * COLUMNS {
        return menus_and_last_row(rows);
    }
    let rows = if rows.len() > ROWS {
        side_by_side(rows)
    } else {
        rows
    };
    rows.into_iter().map(button_row).collect()
}

/// Returns what was pressed: the token of a button, or of the entry that was picked in a menu.
pub(crate) fn pressed<'a>(custom_id: &'a str, values: &'a [String]) -> &'a str {
    match values {
        [picked] if custom_id.starts_with(MENU) => picked,
        _ => custom_id,
    }
}

/// Joins rows, and tears them apart only where whole ones do not fit. The last stays alone: it is
/// about all of them.
fn side_by_side(mut rows: Vec<Vec<&Button>>) -> Vec<Vec<&Button>> {
    let last = rows.pop().unwrap_or_default();
    let mut joined: Vec<Vec<&Button>> = Vec::new();
    for row in &rows {
        match joined.last_mut() {
            Some(open) if open.len() + row.len() <= COLUMNS => open.extend(row),
            _ => joined.push(row.clone()),
        }
    }
    joined.push(last);
    if joined.len() <= ROWS {
        return joined;
    }
    let all: Vec<&Button> = joined.concat();
    all.chunks(COLUMNS).map(<[&Button]>::to_vec).collect()
}

fn menus_and_last_row(mut rows: Vec<Vec<&Button>>) -> Vec<CreateActionRow> {
    let last = rows.pop().unwrap_or_default();
    let entries = rows.concat();
    let menus = entries.chunks(ENTRIES).take(ROWS - 1).enumerate();
    menus
        .map(|(index, entries)| menu(index, entries))
        .chain([button_row(last)])
        .collect()
}

fn menu(index: usize, entries: &[&Button]) -> CreateActionRow {
    let labels = (entries.first(), entries.last());
    let placeholder = match labels {
        (Some(first), Some(last)) => format!("{} … {}", first.label, last.label),
        _ => String::new(),
    };
    let options = entries
        .iter()
        .map(|entry| CreateSelectMenuOption::new(entry.label.clone(), entry.token.clone()))
        .collect();
    let kind = CreateSelectMenuKind::String { options };
    CreateActionRow::SelectMenu(
        CreateSelectMenu::new(format!("{MENU}{index}"), kind).placeholder(placeholder),
    )
}

fn button_row(row: Vec<&Button>) -> CreateActionRow {
    CreateActionRow::Buttons(row.into_iter().map(button).collect())
}

fn button(button: &Button) -> CreateButton {
    CreateButton::new(button.token.clone())
        .label(button.label.clone())
        .style(match button.look {
            ButtonLook::Plain | ButtonLook::Stop => ButtonStyle::Secondary,
            ButtonLook::Yes => ButtonStyle::Success,
            ButtonLook::No => ButtonStyle::Danger,
        })
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn card(calls: usize) -> Vec<Vec<Button>> {
        let button = |label: String| Button {
            token: format!("t {label}"),
            label,
            key: None,
            look: ButtonLook::Yes,
        };
        let pair = |number| vec![button(format!("✓ {number}")), button(format!("✗ {number}"))];
        let all = vec![button("all".to_owned()), button("none".to_owned())];
        (1..=calls).map(pair).chain([all]).collect()
    }

    /// Shows each row: how many buttons, or `menu` and how many entries.
    fn layout(calls: usize) -> Vec<String> {
        let rows = serde_json::to_value(rows(&card(calls))).unwrap();
        let rows = rows.as_array().unwrap();
        rows.iter()
            .map(|row| {
                let components = row["components"].as_array().unwrap();
                match &components[0]["options"] {
                    Value::Array(options) => format!("menu {}", options.len()),
                    _ => components.len().to_string(),
                }
            })
            .collect()
    }

    #[test]
    fn rows_are_kept_while_they_fit() {
        assert_eq!(layout(1), ["2", "2"]);
        assert_eq!(layout(4), ["2", "2", "2", "2", "2"]);
    }

    #[test]
    fn more_rows_stand_side_by_side() {
        assert_eq!(layout(5), ["4", "4", "2", "2"]);
        assert_eq!(layout(8), ["4", "4", "4", "4", "2"]);
        assert_eq!(layout(9), ["5", "5", "5", "5"]);
        assert_eq!(layout(11), ["5", "5", "5", "5", "4"]);
    }

    #[test]
    fn more_buttons_than_fit_are_menus() {
        assert_eq!(layout(12), ["menu 24", "2"]);
        assert_eq!(
            layout(50),
            ["menu 25", "menu 25", "menu 25", "menu 25", "2"]
        );
    }

    #[test]
    fn no_button_is_lost() {
        for calls in 0..=50 {
            let shown = serde_json::to_string(&rows(&card(calls))).unwrap();
            for button in card(calls).iter().flatten() {
                assert!(shown.contains(&format!("\"{}\"", button.token)), "{calls}");
            }
        }
    }

    #[test]
    fn picking_an_entry_is_a_press() {
        assert_eq!(pressed("press:0", &["token".to_owned()]), "token");
        assert_eq!(pressed("token", &[]), "token");
        assert_eq!(
            pressed("cmd:autonomy", &["full".to_owned()]),
            "cmd:autonomy"
        );
    }

    #[test]
    fn looks_are_colours() {
        let rows = serde_json::to_value(rows(&card(1))).unwrap();
        assert_eq!(rows[0]["components"][0]["style"], 3);
        assert_eq!(rows[0]["components"][0]["custom_id"], "t ✓ 1");
    }
}
