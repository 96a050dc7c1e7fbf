//! Takes off what letters are disguised by: look-alikes of other alphabets, invisible tags, base64.

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// Letters of other alphabets that look like a Latin one, with that one.
const LOOK_ALIKES: &[(&str, char)] = &[
    ("АаΑαɑ", 'a'),
    ("ВвΒβЬь", 'b'),
    ("СсϹϲⅽ", 'c'),
    ("Ԁԁ", 'd'),
    ("ЕеЁёΕε℮", 'e'),
    ("Ϝ", 'f'),
    ("Ԍԍ", 'g'),
    ("НнΗһҺ", 'h'),
    ("ІіΙιӀӏ", 'i'),
    ("Јј", 'j'),
    ("КкΚκ", 'k'),
    ("Լ", 'l'),
    ("МмΜ", 'm'),
    ("ΝПп", 'n'),
    ("ОоΟοՕօ", 'o'),
    ("РрΡρ", 'p'),
    ("Ԛԛ", 'q'),
    ("гЯя", 'r'),
    ("Ѕѕ", 's'),
    ("ТтΤτ", 't'),
    ("υՍս", 'u'),
    ("νѴѵ", 'v'),
    ("Ԝԝω", 'w'),
    ("ХхΧχ", 'x'),
    ("УуΥγ", 'y'),
    ("Ζ", 'z'),
];

/// Shorter runs of letters are words.
const ENCODED_LEAST: usize = 12;
/// Longer ones are files.
const ENCODED_MOST: usize = 4_096;

/// Takes base64 in both alphabets, with its padding or without.
const LENIENT: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_padding_mode(DecodePaddingMode::Indifferent)
    .with_decode_allow_trailing_bits(true);

/// The text with look-alikes as the letters that they look like, and tags as what they stand for.
pub(super) fn lift(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\u{E0020}'..='\u{E007E}' => char::from_u32(u32::from(c) - 0xE0000).unwrap_or(c),
            _ if c.is_ascii() => c,
            _ => LOOK_ALIKES
                .iter()
                .find(|(alike, _)| alike.contains(c))
                .map_or(c, |(_, letter)| *letter),
        })
        .collect()
}

/// Texts that stand in it in base64.
pub(super) fn encoded(text: &str) -> impl Iterator<Item = String> + '_ {
    let stands = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '-' | '_' | '=');
    text.split(move |c| !stands(c))
        .filter(|run| (ENCODED_LEAST..=ENCODED_MOST).contains(&run.len()))
        .filter_map(|run| {
            let run = run.replace('-', "+").replace('_', "/");
            let decoder = GeneralPurpose::new(&alphabet::STANDARD, LENIENT);
            String::from_utf8(decoder.decode(run).ok()?).ok()
        })
}
