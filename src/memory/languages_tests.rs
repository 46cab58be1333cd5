//! Memories in other languages than English and Chinese are found by other forms of their words.

use sayso_core::transcript::{Owner, Taint, TurnId, UserId};
use sayso_store::Store;
use tempfile::TempDir;

use super::{Memory as _, MemoryKind, MemorySearch as _, NewMemory, Question, StoredMemory};

const LIN: Owner = Owner::User(UserId(1));

async fn remembering(texts: &[&str]) -> (StoredMemory, TempDir) {
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path().join("sayso.db");
    let memory = StoredMemory::new(Store::open(&place).await.unwrap());
    for text in texts {
        let new = NewMemory {
            kind: MemoryKind::Fact,
            text: (*text).to_owned(),
            turn: TurnId(1),
            taint: Taint::default(),
        };
        memory.remember(LIN, new).await.unwrap();
    }
    (memory, directory)
}

/// Asks with both ways of recall, which must agree.
async fn found(memory: &StoredMemory, question: &str) -> Vec<String> {
    let recalled = memory.recall(LIN, question, 5).await.unwrap();
    let question = Question {
        text: question,
        limit: 5,
        in_view: &[],
    };
    let looked_back = memory.search_transcript(LIN, &question).await.unwrap();
    assert_eq!(recalled, looked_back, "{}", question.text);
    recalled.into_iter().map(|memory| memory.text).collect()
}

/// Memories of a person in one language: a cat, a sister, a flat and a journey.
struct Person {
    memories: [&'static str; 4],
    /// Questions, and the place of the memory that each is about.
    questions: &'static [(&'static str, usize)],
}

const PEOPLE: [Person; 11] = [
    Person {
        memories: [
            "Мою кошку зовут Мурка",
            "Моя сестра живёт в Казани",
            "Ключи от квартиры лежат у соседей",
            "Летом мы ездили на Байкал",
        ],
        questions: &[
            ("кошка", 0),
            ("кошке", 0),
            ("Как зовут мою кошку?", 0),
            ("Где живут мои сёстры?", 1),
            ("У какого соседа ключ?", 2),
            ("Когда мы ездим на Байкал?", 3),
        ],
    },
    Person {
        memories: [
            "Unsere Katze frisst nur Huhn",
            "Meine Schwester wohnt in Köln",
            "Die Schlüssel liegen bei den Nachbarn",
            "Im Sommer waren wir an der Ostsee",
        ],
        questions: &[
            ("Was fressen Katzen?", 0),
            ("Katzen", 0),
            ("Wo wohnen meine Schwestern?", 1),
            ("Welcher Nachbar hat den Schlüssel?", 2),
            ("Was machten wir in den Sommern?", 3),
        ],
    },
    Person {
        memories: [
            "Nuestro gato solo come pollo",
            "Mi hermana vive en Sevilla",
            "Las llaves están con los vecinos",
            "En verano viajamos a la costa",
        ],
        questions: &[
            ("¿Qué comen los gatos?", 0),
            ("¿Dónde viven mis hermanas?", 1),
            ("¿Qué vecino tiene la llave?", 2),
            ("¿Adónde viajaron en verano?", 3),
        ],
    },
    Person {
        memories: [
            "Notre chat ne mange que du poulet",
            "Ma sœur habite à Lyon",
            "Les clés sont chez les voisins",
            "En été nous avons voyagé en Bretagne",
        ],
        questions: &[
            ("Que mangent les chats ?", 0),
            ("Où habitent mes sœurs ?", 1),
            ("Quel voisin a la clé ?", 2),
            ("Où est-ce que nous voyageons en été ?", 3),
        ],
    },
    Person {
        memories: [
            "Il nostro gatto mangia solo pollo",
            "Mia sorella abita a Torino",
            "Le chiavi sono dai vicini",
            "In estate abbiamo viaggiato in Puglia",
        ],
        questions: &[
            ("Che cosa mangiano i gatti?", 0),
            ("Dove abitano le mie sorelle?", 1),
            ("Quale vicino ha la chiave?", 2),
        ],
    },
    Person {
        memories: [
            "O nosso gato só come frango",
            "A minha irmã mora no Porto",
            "As chaves estão com os vizinhos",
            "No verão viajamos para o Algarve",
        ],
        questions: &[
            ("O que comem os gatos?", 0),
            ("Onde moram as minhas irmãs?", 1),
            ("Que vizinho tem a chave?", 2),
        ],
    },
    Person {
        memories: [
            "Onze kat eet alleen kip",
            "Mijn zus woont in Utrecht",
            "De sleutels liggen bij de buren",
            "In de zomer reisden we naar Zeeland",
        ],
        questions: &[
            ("Wat eten onze katten?", 0),
            ("Waar wonen mijn zussen?", 1),
            ("Waar is de sleutel?", 2),
        ],
    },
    Person {
        memories: [
            "Vår katt äter bara kyckling",
            "Min syster bor i Lund",
            "Nycklarna ligger hos grannen",
            "På sommaren reste vi till Gotland",
        ],
        questions: &[
            ("Vad äter katterna?", 0),
            ("Vilka grannar har nyckeln?", 2),
            ("Vart reser vi i sommar?", 3),
        ],
    },
    Person {
        memories: [
            "Kedimiz sadece tavuk yiyor",
            "Kız kardeşim İzmir'de oturuyor",
            "Anahtarlar komşularda duruyor",
            "Yazın Bodrum'a gittik",
        ],
        questions: &[
            ("Kediler ne yer?", 0),
            ("kardeşimin evi nerede?", 1),
            ("Anahtar hangi komşuda?", 2),
        ],
    },
    Person {
        memories: [
            "Nasz kot je tylko kurczaka",
            "Moja siostra mieszka w Krakowie",
            "Klucze leżą u sąsiadów",
            "Latem byliśmy nad morzem",
        ],
        questions: &[
            ("Gdzie mieszkają moje siostry?", 1),
            ("U którego sąsiada jest klucz?", 2),
        ],
    },
    Person {
        memories: [
            "Η γάτα μας τρώει μόνο κοτόπουλο",
            "Η αδελφή μου μένει στην Πάτρα",
            "Τα κλειδιά είναι στους γείτονες",
            "Το καλοκαίρι πήγαμε στη Νάξο",
        ],
        questions: &[("Τι τρώνε οι γάτες;", 0), ("Πού μένουν οι αδελφές μου;", 1)],
    },
];

#[tokio::test]
async fn chat_u7_memories_are_found_by_other_forms_of_their_words() {
    let mut missed = Vec::new();
    for person in &PEOPLE {
        let (memory, _directory) = remembering(&person.memories).await;
        for (question, wanted) in person.questions {
            let texts = found(&memory, question).await;
            if texts.first().map(String::as_str) != Some(person.memories[*wanted]) {
                missed.push((question, texts));
            }
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

#[tokio::test]
async fn chat_u7_words_of_grammar_bring_nothing() {
    let (memory, _directory) = remembering(&["Meine Katze frisst nur Huhn"]).await;
    assert!(found(&memory, "Wo wohnt meine Schwester?").await.is_empty());
    assert!(found(&memory, "meine Schwester").await.is_empty());
    let (memory, _directory) = remembering(&["Мою кошку зовут Мурка"]).await;
    assert!(found(&memory, "Где мой брат?").await.is_empty());
    let (memory, _directory) = remembering(&["Mi gato está en la cocina"]).await;
    assert!(found(&memory, "¿Dónde está mi hermana?").await.is_empty());
}

#[tokio::test]
async fn chat_u7_words_that_only_begin_alike_bring_nothing() {
    let (memory, _directory) = remembering(&[
        "Wir haben einen Katalog bestellt",
        "Gather the people",
        "Кошмар на улице",
    ])
    .await;
    for question in ["Was fressen Katzen?", "gato", "кошка"] {
        assert_eq!(found(&memory, question).await, [""; 0], "{question}");
    }
}

#[tokio::test]
async fn chat_u7_a_door_is_no_dutch_word_in_english() {
    let texts = ["The door code is 4711", "Ann paints doors"];
    let (memory, _directory) = remembering(&texts).await;
    assert_eq!(found(&memory, "door").await.len(), 2);
    assert_eq!(found(&memory, "door code").await[0], texts[0]);
}
