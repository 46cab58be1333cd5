//! Projects that are read, followed and searched, on disk.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use sayso_core::redact::{KnownSecret, Redactor};
use sayso_tools::{CodeMapRequest, CodePlaces, CodeSearch as _};
use tempfile::TempDir;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::{CodeIndexes, IndexState};

/// How long a change may take until it is found.
const SOON: Duration = Duration::from_secs(20);

/// A project and a data directory.
struct Place {
    _directory: TempDir,
    root: PathBuf,
    data: PathBuf,
}

impl Place {
    fn new() -> Self {
        let directory = TempDir::new().unwrap();
        let here = directory.path().canonicalize().unwrap();
        let (root, data) = (here.join("shop"), here.join("data"));
        fs::create_dir_all(root.join("src")).unwrap();
        fs::create_dir(&data).unwrap();
        let place = Self {
            _directory: directory,
            root,
            data,
        };
        place.write(
            "src/cart.py",
            "class Cart:\n    def add_item(self, item):\n        self.items.append(item)\n",
        );
        place.write(
            "src/price.py",
            "def total_price(cart):\n    return sum(cart.items)\n",
        );
        place
    }

    fn write(&self, path: &str, text: &str) {
        fs::write(self.root.join(path), text).unwrap();
    }

    fn indexes(&self) -> CodeIndexes {
        CodeIndexes::new(
            [("shop".to_owned(), self.root.clone())],
            &self.data,
            &Redactor::new([]).unwrap(),
        )
    }

    fn kept(&self) -> PathBuf {
        self.data.join("code-index/shop.index")
    }
}

/// Indexes that are kept up until this is ended.
struct Kept {
    indexes: CodeIndexes,
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl Kept {
    fn start(place: &Place) -> Self {
        let (indexes, stop) = (place.indexes(), CancellationToken::new());
        let task = tokio::spawn(indexes.clone().keep_up(stop.clone()));
        Self {
            indexes,
            stop,
            task,
        }
    }

    fn state(&self) -> IndexState {
        self.indexes.state("shop").unwrap()
    }

    /// Waits for a state.
    async fn comes_to(&self, is_so: impl Fn(IndexState) -> bool) {
        let begun = Instant::now();
        while !is_so(self.state()) {
            assert!(begun.elapsed() < SOON, "{:?}", self.state());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    async fn finds(&self, text: &str) -> Vec<String> {
        let CodePlaces { places, .. } = self.indexes.search("shop", text, 5).await;
        places.into_iter().map(|place| place.path).collect()
    }

    /// Waits until a search begins with this file.
    async fn comes_to_find(&self, text: &str, path: &str) {
        let begun = Instant::now();
        while self.finds(text).await.first().map(String::as_str) != Some(path) {
            assert!(begun.elapsed() < SOON, "{:?}", self.finds(text).await);
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    async fn end(mut self) {
        self.stop.cancel();
        (&mut self.task).await.unwrap();
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

fn is_read(state: IndexState) -> bool {
    state.is_read
}

#[tokio::test]
async fn a_project_is_read_and_its_changes_are_followed() {
    let place = Place::new();
    let kept = Kept::start(&place);
    kept.comes_to(is_read).await;
    let found = kept
        .indexes
        .search("shop", "add an item to the cart", 1)
        .await;
    let first = &found.places[0];
    assert_eq!((first.path.as_str(), first.first), ("src/cart.py", 1));
    assert!(first.text.contains("def add_item"), "{}", first.text);
    place.write(
        "src/price.py",
        "def total_price(cart):\n    return apply_discount(cart)\n",
    );
    kept.comes_to_find("apply the discount", "src/price.py")
        .await;
    // In a folder that is new, and one in it.
    fs::create_dir_all(place.root.join("lib/mail")).unwrap();
    place.write(
        "lib/mail/receipt.py",
        "def send_receipt(order):\n    pass\n",
    );
    kept.comes_to_find("send the receipt", "lib/mail/receipt.py")
        .await;
    fs::remove_file(place.root.join("src/cart.py")).unwrap();
    kept.comes_to(|state| state.files == 2).await;
    kept.end().await;
}

#[tokio::test]
async fn what_is_ignored_or_keeps_secrets_is_not_read() {
    let place = Place::new();
    place.write(".gitignore", "generated/\n");
    fs::create_dir(place.root.join("generated")).unwrap();
    place.write("generated/zebra.py", "def zebra():\n    pass\n");
    place.write(".env", "ZEBRA_KEY=1\n");
    std::os::unix::fs::symlink("/etc/passwd", place.root.join("src/zebra.py")).unwrap();
    let kept = Kept::start(&place);
    kept.comes_to(is_read).await;
    assert_eq!(kept.finds("zebra").await, Vec::<String>::new());
    let of_another = kept.indexes.search("other", "cart", 5).await;
    assert_eq!(of_another, CodePlaces::default());
    kept.end().await;
}

#[tokio::test]
async fn the_next_run_knows_what_this_one_read() {
    let place = Place::new();
    let kept = Kept::start(&place);
    kept.comes_to(is_read).await;
    kept.end().await;
    let bytes = fs::read(place.kept()).unwrap();
    let next = place.indexes();
    let index = next.projects.get("shop").unwrap();
    index.load();
    assert_eq!(
        index.search("total price", 1).places[0].path,
        "src/price.py"
    );
    // One that was cut off is read anew.
    fs::write(place.kept(), &bytes[..bytes.len() / 2]).unwrap();
    let kept = Kept::start(&place);
    kept.comes_to(is_read).await;
    assert_eq!(kept.state().files, 2);
    kept.end().await;
    assert_eq!(fs::read(place.kept()).unwrap().len(), bytes.len());
}

#[tokio::test]
async fn a_project_that_goes_keeps_what_was_known_of_it() {
    let place = Place::new();
    let kept = Kept::start(&place);
    kept.comes_to(is_read).await;
    let away: &Path = &place.data.join("away");
    fs::rename(&place.root, away).unwrap();
    kept.comes_to(|state| state.is_gone).await;
    assert_eq!(kept.state().files, 2);
    kept.end().await;
}

#[tokio::test]
async fn a_look_that_is_stopped_forgets_nothing() {
    let place = Place::new();
    let kept = Kept::start(&place);
    kept.comes_to(is_read).await;
    kept.end().await;
    let bytes = fs::read(place.kept()).unwrap();
    let next = place.indexes();
    let index = next.projects.get("shop").unwrap();
    index.load();
    let stop = CancellationToken::new();
    stop.cancel();
    assert_eq!(index.look(&stop), None);
    index.keep_changes();
    assert_eq!(index.state().files, 2);
    assert_eq!(fs::read(place.kept()).unwrap(), bytes);
}

#[tokio::test]
async fn a_change_is_found_at_once_and_kept_later() {
    let place = Place::new();
    let kept = Kept::start(&place);
    kept.comes_to(is_read).await;
    let begun = Instant::now();
    while !place.kept().exists() {
        assert!(begun.elapsed() < SOON);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let first = fs::read(place.kept()).unwrap();
    place.write("src/mail.py", "def send_receipt(order):\n    pass\n");
    kept.comes_to_find("send the receipt", "src/mail.py").await;
    let index = kept.indexes.projects.get("shop").unwrap();
    assert!(index.keep_at().unwrap() > Instant::now() + Duration::from_secs(30));
    assert_eq!(fs::read(place.kept()).unwrap(), first);
    kept.end().await;
    assert_ne!(fs::read(place.kept()).unwrap(), first);
}

#[tokio::test]
async fn what_cannot_be_read_as_code_stops_nothing() {
    let place = Place::new();
    // Bytes under the name of a source, a file of 2 GiB without any, and links that lead in a circle.
    fs::write(place.root.join("src/binary.rs"), [0, 159, 146, 150]).unwrap();
    let large = fs::File::create(place.root.join("src/large.py")).unwrap();
    large.set_len(2 << 30).unwrap();
    std::os::unix::fs::symlink(&place.root, place.root.join("src/again")).unwrap();
    std::os::unix::fs::symlink("there", place.root.join("here")).unwrap();
    std::os::unix::fs::symlink("here", place.root.join("there")).unwrap();
    let kept = Kept::start(&place);
    kept.comes_to(is_read).await;
    let state = kept.state();
    assert_eq!(
        (state.files, state.is_cut, state.is_gone),
        (2, false, false)
    );
    assert_eq!(kept.finds("add an item").await[0], "src/cart.py");
    kept.end().await;
}

/// How many files a large project has; `SAYSO_MANY_FILES` says more.
const MANY_FILES: usize = 21_000;

#[tokio::test]
async fn of_very_many_files_the_first_are_read() {
    let wanted = std::env::var("SAYSO_MANY_FILES").ok();
    let files = wanted.map_or(MANY_FILES, |files| files.parse().unwrap());
    let place = Place::new();
    for number in 0..files {
        let folder = place.root.join(format!("src/part{}", number / 1000));
        if number % 1000 == 0 {
            fs::create_dir(&folder).unwrap();
        }
        fs::write(folder.join(format!("{number}.py")), "").unwrap();
    }
    let kept = Kept::start(&place);
    let begun = Instant::now();
    while !kept.state().is_read {
        assert!(begun.elapsed() < 10 * SOON, "{:?}", kept.state());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let state = kept.state();
    assert!(state.is_cut, "{state:?}");
    assert_eq!(state.files, sayso_codebase::MAX_FILES);
    assert_eq!(kept.finds("add an item").await[0], "src/cart.py");
    kept.end().await;
}

#[tokio::test]
async fn a_project_that_vanishes_while_it_is_read_comes_again() {
    let place = Place::new();
    for number in 0..2_000 {
        place.write(&format!("src/part_{number}.py"), "def part():\n    pass\n");
    }
    let kept = Kept::start(&place);
    kept.comes_to(|state| state.of.is_some()).await;
    let away: &Path = &place.data.join("away");
    fs::rename(&place.root, away).unwrap();
    kept.comes_to(|state| state.is_gone || state.is_read).await;
    fs::rename(away, &place.root).unwrap();
    // A folder that has gone is looked for again after half a minute.
    let begun = Instant::now();
    while kept.state().files != 2_002 || kept.state().is_gone {
        assert!(begun.elapsed() < 3 * SOON, "{:?}", kept.state());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(kept.finds("add an item").await[0], "src/cart.py");
    kept.end().await;
}

#[tokio::test]
async fn a_change_is_found_in_each_project_that_has_the_file() {
    let place = Place::new();
    let roots = [
        ("all".to_owned(), place.root.clone()),
        ("part".to_owned(), place.root.join("src")),
        ("shop".to_owned(), place.root.clone()),
    ];
    let names = ["all", "part", "shop"];
    let indexes = CodeIndexes::new(roots, &place.data, &Redactor::new([]).unwrap());
    let stop = CancellationToken::new();
    let task = tokio::spawn(indexes.clone().keep_up(stop.clone()));
    let begun = Instant::now();
    let mut is_written = false;
    loop {
        let states: Vec<_> = names.map(|name| indexes.state(name).unwrap()).into();
        if !is_written && states.iter().all(|state| state.is_read) {
            // After the second look, which follows the first watches.
            tokio::time::sleep(Duration::from_secs(2)).await;
            place.write("src/mail.py", "def send_receipt(order):\n    pass\n");
            is_written = true;
        }
        if states.iter().all(|state| state.files == 3) {
            break;
        }
        assert!(begun.elapsed() < SOON, "{states:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    stop.cancel();
    task.await.unwrap();
}

#[tokio::test]
async fn a_map_names_the_files_and_hides_secrets() {
    let place = Place::new();
    place.write(
        "src/cart.py",
        "def add_item(cart, item):\n    return total_price(cart)\n",
    );
    place.write(
        "src/price.py",
        "def total_price(cart, key='sk-canary-0815'):\n    return 0\n",
    );
    let redactor = Redactor::new([KnownSecret::new(
        "shop-key",
        "sk-canary-0815".to_owned().into(),
    )])
    .unwrap();
    let roots = [("shop".to_owned(), place.root.clone())];
    let indexes = CodeIndexes::new(roots, &place.data, &redactor);
    let stop = CancellationToken::new();
    let task = tokio::spawn(indexes.clone().keep_up(stop.clone()));
    let begun = Instant::now();
    while !indexes.state("shop").unwrap().is_read {
        assert!(begun.elapsed() < SOON);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let wanted = CodeMapRequest {
        message: "the price of the cart is wrong".to_owned(),
        in_view: Vec::new(),
        tokens: 200,
    };
    let map = indexes.map("shop", wanted.clone()).await.unwrap().text;
    let (first, rest) = map.split_once('\n').unwrap();
    assert!(first.starts_with("most likely: src/"), "{map}");
    assert!(
        rest.contains("src/price.py\n    1 def total_price(cart"),
        "{map}"
    );
    assert!(!map.contains("canary"), "{map}");
    assert_eq!(indexes.map("other", wanted.clone()).await, None);
    let no_room = CodeMapRequest {
        tokens: 1,
        ..wanted
    };
    assert_eq!(indexes.map("shop", no_room).await, None);
    stop.cancel();
    task.await.unwrap();
}
