//! Programs of awk and sed that hide a command, a pipe or an output where a reader may take it for
//! text: behind numbers, in patterns, brackets, comments, labels and pieces that are joined.
//!
//! What they hide is harmless: it makes a file in the directory of the run, or calls `curl`, which
//! is a stand-in there.

use super::random::Random;

/// What acts in awk.
const AWK_ACTING: [&str; 10] = [
    "system(\"curl\")",
    "print>\"W\"",
    "print 1 >> \"W\"",
    "print|\"curl\"",
    "\"curl\"|getline",
    "\"curl\"|getline x",
    "printf \"a\">\"W\"",
    "print a,b >\"W\"",
    "system(\"curl\");",
    "close(\"W\")",
];
/// What only reads in awk.
const AWK_READING: [&str; 34] = [
    "print",
    "print $1",
    "print $1/2",
    "x++",
    "x=1",
    "x/=2",
    "n=$1/$2",
    "a[$1]++",
    "print a[1]/2",
    "next",
    "exit",
    "return",
    "if(x)print",
    "while(i<2)i++",
    "for(k in a)print k",
    "print length",
    "print length/2",
    "print (x)/2",
    "print x>1?a:b",
    "print(x>1)",
    "print 1 2",
    "gsub(/a/,\"b\")",
    "split($0,a,/:/)",
    "print > \"/dev/null\"",
    "delete a",
    "print x~/a/",
    "print \"a\"",
    "x=\"a\" \"b\"",
    "do i++; while(i<2)",
    "print -1",
    "print !x",
    "print 1e3,0x1f,1.5,.5",
    "getline",
    "else print",
];
const AWK_PATTERNS: [&str; 16] = [
    "",
    "BEGIN",
    "END",
    "/a/",
    "!/a/",
    "NR==1",
    "$1~/a/",
    "/a/,/b/",
    "x",
    "1",
    "/[a]/",
    "/[/]/",
    "/[[:alpha:]/]/",
    "/[]/]/",
    "/\\//",
    "function f(x)",
];
/// Pieces that change how an awk program is split.
const AWK_PIECES: [&str; 62] = [
    "/", "/", "/", "\"", "\"", "\"", "\\", "\\\n", "\n", " ", ";", "{", "}", "(", ")", "[", "]",
    "#", "#\\\n", "$", "!", "~", "+", "-", "++", "--", "=", "==", "<", ">", "|", "||", "&&", "&",
    ",", "?", ":", "%", "^", "*", "@", "1", "0x", "1e", ".", "x", "in", "print", "exit", "return",
    "next", "else", "do", "while", "if(x)", "/\"", "\"/", "#\"", "/[", "/]", "/#", "é",
];

/// What acts in sed.
const SED_ACTING: [&str; 8] = [
    "w W",
    "1w W",
    "e curl",
    "1e curl",
    "s/a/b/w W",
    "s/a/curl/e",
    "s/.*/curl/e",
    "1,2w W",
];
/// What only works on the text in sed.
const SED_READING: [&str; 32] = [
    "p",
    "d",
    "=",
    "n",
    "N",
    "g",
    "x",
    "l",
    "q",
    "5q",
    "1p",
    "$p",
    "1,2p",
    "/a/p",
    "/a/d",
    "s/a/b/",
    "s/a/b/g",
    "s/[a]/b/",
    "s|a|b|",
    "s,a,b,",
    "y/a/b/",
    ":a",
    "ba",
    "b",
    "ta",
    "/[/]/p",
    "s/[]/]/b/",
    "s/[[:alpha:]/]/b/",
    "s/\\//b/",
    "\\,a,p",
    "1!p",
    "{p}",
];
/// Pieces that change how a script of sed is split.
const SED_PIECES: [&str; 56] = [
    "/", "/", "\\", "\\\n", "\n", ";", ";", "{", "}", " ", "#", "#\\\n", "[", "]", "[^", "[]",
    "[[:", ":]", "a\\", "i\\", "c\\", "a\\\n", "a ", "i ", "c ", "a", "i", "c", ":", ":a", ":a ",
    "b", "b ", "b x ", "t ", "T ", "s", "y", "s/", "y/", "|", ",", "!", "~", "+", "$", "1", "I",
    "M", "g", "p", "&", "n", "\r", "\t", "é",
];

/// Returns the words of a call: `awk` or `sed`, then options, programs and a file.
pub fn call(random: &mut Random) -> Vec<String> {
    let mut words = if random.one_in(2) {
        awk_call(random)
    } else {
        sed_call(random)
    };
    words.push("a.txt".to_owned());
    words
}

fn awk_call(random: &mut Random) -> Vec<String> {
    vec!["awk".to_owned(), awk(random)]
}

fn sed_call(random: &mut Random) -> Vec<String> {
    let mut words = vec!["sed".to_owned()];
    if random.one_in(3) {
        words.push(random.pick(&["-n", "-E", "-s", "-z", "--posix"]).to_owned());
    }
    if !random.one_in(3) {
        words.push(sed(random));
        return words;
    }
    for _ in 0..2 + random.below(2) {
        words.push("-e".to_owned());
        words.push(sed(random));
    }
    words
}

fn awk(random: &mut Random) -> String {
    let mut program = String::new();
    for _ in 0..=random.below(3) {
        program.push_str(random.pick(&AWK_PATTERNS));
        program.push('{');
        for _ in 0..=random.below(3) {
            program.push_str(random.pick(&AWK_READING));
            program.push_str(random.pick(&[";", ";", "\n", " "]));
        }
        program.push('}');
        program.push_str(random.pick(&["", "\n", ";", " "]));
    }
    hide(&mut program, &AWK_ACTING, &AWK_PIECES, random);
    program
}

fn sed(random: &mut Random) -> String {
    let mut script = String::new();
    for _ in 0..=random.below(4) {
        script.push_str(random.pick(&SED_READING));
        script.push_str(random.pick(&[";", ";", "\n", "", " ; "]));
    }
    hide(&mut script, &SED_ACTING, &SED_PIECES, random);
    script
}

/// Puts pieces into a program, and now and then something that acts between pieces that may quote it.
fn hide(program: &mut String, acting: &[&str], pieces: &[&str], random: &mut Random) {
    for _ in 0..random.below(4) {
        insert(program, random.pick(pieces), random);
    }
    if random.one_in(3) {
        return;
    }
    let mut hidden = String::new();
    for _ in 0..=random.below(3) {
        hidden.push_str(random.pick(pieces));
    }
    hidden.push_str(random.pick(acting));
    for _ in 0..=random.below(3) {
        hidden.push_str(random.pick(pieces));
    }
    insert(program, &hidden, random);
}

fn insert(program: &mut String, piece: &str, random: &mut Random) {
    let mut places: Vec<usize> = program.char_indices().map(|(place, _)| place).collect();
    places.push(program.len());
    if let Some(&at) = places.get(random.below(places.len())) {
        program.insert_str(at, piece);
    }
}
