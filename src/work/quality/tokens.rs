//! Walks over a syntax tree: its leaves, its comments and the text of nodes.

use tree_sitter::{Node, TreeCursor};

/// Returns the text of a node.
pub(crate) fn text_of<'t>(node: Node<'_>, text: &'t str) -> &'t str {
    text.get(node.byte_range()).unwrap_or_default()
}

/// Returns the line of a node; lines count from 1.
pub(crate) fn line_of(node: Node<'_>) -> usize {
    node.start_position().row + 1
}

/// Returns the named children of a node that are no comments.
pub(crate) fn parts(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    let children = node.named_children(&mut cursor);
    children.filter(|child| !is_comment(*child)).collect()
}

/// Returns whether a node is a comment.
pub(crate) fn is_comment(node: Node<'_>) -> bool {
    matches!(node.kind(), "comment" | "line_comment" | "block_comment")
}

/// What a walk does after a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// It goes on to the children.
    Into,
    /// It goes on beside the node.
    Over,
}

/// Walks over a tree in the order of the text, without recursion: trees may be deep. `enter` is called
/// before the children of a node, and `leave` after them, unless they were passed over.
pub(crate) fn walk<'t>(
    root: Node<'t>,
    mut enter: impl FnMut(Node<'t>) -> Step,
    mut leave: impl FnMut(Node<'t>),
) {
    let mut cursor = root.walk();
    let mut step = enter(root);
    loop {
        if step == Step::Into {
            if cursor.goto_first_child() {
                step = enter(cursor.node());
                continue;
            }
            leave(cursor.node());
        }
        match next_sibling(&mut cursor, root, &mut leave) {
            Some(node) => step = enter(node),
            None => return,
        }
    }
}

fn next_sibling<'t>(
    cursor: &mut TreeCursor<'t>,
    root: Node<'t>,
    leave: &mut impl FnMut(Node<'t>),
) -> Option<Node<'t>> {
    loop {
        if cursor.node() == root {
            return None;
        }
        if cursor.goto_next_sibling() {
            return Some(cursor.node());
        }
        if !cursor.goto_parent() {
            return None;
        }
        leave(cursor.node());
    }
}

/// Walks over a tree in the order of the text.
pub(crate) fn visit<'t>(root: Node<'t>, enter: impl FnMut(Node<'t>) -> Step) {
    walk(root, enter, |_| {});
}

/// Returns the leaves of a tree that are no comments, in their order. A string is one leaf.
pub(crate) fn leaves(root: Node<'_>) -> Vec<Node<'_>> {
    let mut leaves = Vec::new();
    visit(root, |node| {
        if is_comment(node) {
            return Step::Over;
        }
        if node.child_count() == 0 && node.start_byte() < node.end_byte() {
            leaves.push(node);
        }
        Step::Into
    });
    leaves
}

/// Returns a number for a text, the same in every process (FNV-1a of 64 bits).
pub(crate) fn hash<'t>(pieces: impl IntoIterator<Item = &'t str>) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for piece in pieces {
        for byte in piece.bytes().chain([0]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    hash
}
