//! No page holds a text of its own: what people read stands in the catalogue.

use std::fs;
use std::path::{Path, PathBuf};

/// Text between tags of a `view!` macro: a string literal that stands where a child may stand.
fn texts(source: &str) -> Vec<String> {
    let mut texts = Vec::new();
    for (place, line) in source.lines().enumerate() {
        if line.trim_start().starts_with("//") {
            continue;
        }
        let mut rest = line;
        let mut before = String::new();
        while let Some(start) = rest.find('"') {
            before.push_str(&rest[..start]);
            let Some(length) = rest[start + 1..].find('"') else {
                break;
            };
            let literal = &rest[start + 1..start + 1 + length];
            let end = before.trim_end().chars().next_back();
            // A block of Rust has a blank behind its brace, a child in braces has none.
            let is_child = matches!(end, Some('>' | '}')) || before.ends_with('{');
            let is_words = literal.chars().filter(|c| c.is_alphabetic()).count() > 1;
            if is_child && is_words && !before.trim_end().ends_with("=>") {
                texts.push(format!("line {}: {literal}", place + 1));
            }
            before.push('"');
            rest = &rest[start + 1 + length + 1..];
        }
    }
    texts
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn a_text_between_tags_is_found() {
    let source = r#"view! { <p>"Hello"</p> {x}" and "{y} <a href="/x" class="y">{z}</a> }"#;
    assert_eq!(texts(source), ["line 1: Hello", "line 1:  and "]);
}

#[test]
fn no_page_and_no_part_holds_a_text_of_its_own() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    for folder in ["pages", "parts", "charts"] {
        let folder = root.join(folder);
        if folder.is_dir() {
            sources(&folder, &mut files);
        }
    }
    files.push(root.join("plain.rs"));
    assert!(files.len() > 20);
    for file in files {
        let found = texts(&fs::read_to_string(&file).unwrap());
        assert!(found.is_empty(), "{}: {found:?}", file.display());
    }
}
