//! Classes of characters, over all scripts. It never looks at more than one grapheme cluster.

/// True for white space of any kind, line breaks and blank letters included.
#[must_use]
pub fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{2800}' | '\u{3164}' | '\u{FFA0}')
}

/// True for characters without ink: zero-width, direction marks, variation selectors, tags, control characters.
#[must_use]
pub fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{115F}' | '\u{1160}' | '\u{180B}'..='\u{180F}'
            | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
            | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFC}'
            | '\u{E0000}'..='\u{E0FFF}')
}

/// True for a grapheme cluster that is an emoji or a pictograph: joined sequences, flags, skin tones and keycaps included.
#[must_use]
pub fn is_emoji(cluster: &str) -> bool {
    let Some(first) = cluster.chars().find(|c| !is_invisible(*c)) else {
        return false;
    };
    !is_full_stop(first) && !is_cry(first) && (cluster.contains('\u{20E3}') || is_pictograph(first))
}

fn is_pictograph(c: char) -> bool {
    matches!(c,
        '\u{1F000}'..='\u{1FAFF}' | '\u{2600}'..='\u{27BF}' | '\u{2300}'..='\u{23FF}' | '\u{2190}'..='\u{21FF}'
        | '\u{25A0}'..='\u{25FF}' | '\u{2900}'..='\u{297F}' | '\u{2B00}'..='\u{2BFF}' | '\u{3030}' | '\u{303D}' | '\u{3297}' | '\u{3299}'
        | '\u{00A9}' | '\u{00AE}' | '\u{2122}' | '\u{2139}' | '\u{24C2}' | '\u{20E3}')
}

/// True for an emoji that only colours a text (faces, hands, hearts), where an object would stand for a word ("I want a 🍕").
#[must_use]
pub fn is_gesture(cluster: &str) -> bool {
    cluster.chars().find(|c| !is_invisible(*c)).is_some_and(|c| {
        matches!(c,
            '\u{1F600}'..='\u{1F64F}' | '\u{1F910}'..='\u{1F93E}' | '\u{1F970}'..='\u{1F97F}' | '\u{1F9D0}' | '\u{1FAE0}'..='\u{1FAFF}'
            | '\u{1F440}'..='\u{1F450}' | '\u{1F493}'..='\u{1F49F}' | '\u{2639}'..='\u{263B}' | '\u{2764}' | '\u{2763}' | '\u{270A}'..='\u{270D}'
            | '\u{2728}' | '\u{1F525}' | '\u{1F389}')
    })
}

/// True for the marks of a question in any script that end it, the emoji forms included.
#[must_use]
pub fn is_question(c: char) -> bool {
    is_cry(c) && !matches!(c, '!' | '！' | '‼' | '՜' | '︕' | '﹗' | '❕' | '❗')
}

/// True for the marks of a question or an exclamation in any script, the emoji forms included.
#[must_use]
pub fn is_cry(c: char) -> bool {
    matches!(
        c,
        '!' | '?'
            | '؟'
            | '！'
            | '？'
            | '‼'
            | '⁇'
            | '⁈'
            | '⁉'
            | '‽'
            | '՞'
            | '՜'
            | '፧'
            | '⸮'
            | '︕'
            | '︖'
            | '﹖'
            | '﹗'
            | '❓'
            | '❔'
            | '❕'
            | '❗'
    )
}

/// True for marks that end a statement in any script, except the Latin full stop, which [`is_dot`] names.
#[must_use]
pub fn is_full_stop(c: char) -> bool {
    matches!(
        c,
        '।' | '॥'
            | '۔'
            | '。'
            | '｡'
            | '．'
            | '։'
            | '።'
            | '᙮'
            | '᠃'
            | '᠉'
            | '។'
            | '៕'
            | '။'
            | '︒'
            | '﹒'
            | '꓿'
            | '܀'
    )
}

/// True for a dot that makes an ellipsis when repeated.
#[must_use]
pub fn is_dot(c: char) -> bool {
    matches!(c, '.' | '。' | '｡' | '．' | '﹒' | '۔' | '・' | '･' | '·')
}

/// True for a character that is an ellipsis by itself.
#[must_use]
pub fn is_ellipsis(c: char) -> bool {
    matches!(c, '…' | '‥' | '⋯' | '︙' | '᠁')
}

/// True for marks inside a sentence (commas, semicolons, colons, dashes of all scripts): what follows them is still to come.
#[must_use]
pub fn is_pause(c: char) -> bool {
    matches!(
        c,
        ',' | '،'
            | '，'
            | '、'
            | '﹐'
            | '﹑'
            | '､'
            | '︐'
            | '︑'
            | '՝'
            | '፣'
            | '᠂'
            | ';'
            | '；'
            | '؛'
            | '﹔'
            | '፤'
            | ':'
            | '：'
            | '﹕'
            | '︰'
            | '፥'
            | '-'
            | '‐'
            | '‑'
            | '‒'
            | '–'
            | '—'
            | '―'
            | '−'
            | '﹣'
            | '－'
            | '⸺'
            | '⸻'
            | '﹘'
    )
}

/// True for an opening bracket or quotation mark that has a partner of its own.
#[must_use]
pub fn is_opening(c: char) -> bool {
    partner(c).is_some() || matches!(c, '¿' | '¡')
}

/// The closing partner of an opening bracket or quotation mark.
#[must_use]
pub fn partner(c: char) -> Option<char> {
    Some(match c {
        '(' => ')',
        '[' => ']',
        '{' => '}',
        '（' => '）',
        '［' => '］',
        '｛' => '｝',
        '「' => '」',
        '『' => '』',
        '｢' => '｣',
        '【' => '】',
        '《' => '》',
        '〈' => '〉',
        '〔' => '〕',
        '〖' => '〗',
        '“' => '”',
        '«' => '»',
        '‹' => '›',
        _ => return None,
    })
}

/// True for closing brackets and quotes of all scripts, and for the marks that chats use as formatting (`*bold*`, `_italic_`, a friendly tilde).
#[must_use]
pub fn is_closing(c: char) -> bool {
    matches!(
        c,
        ')' | ']'
            | '}'
            | '）'
            | '］'
            | '｝'
            | '」'
            | '』'
            | '｣'
            | '】'
            | '》'
            | '〉'
            | '〕'
            | '〗'
            | '〙'
            | '〛'
            | '”'
            | '’'
            | '»'
            | '›'
            | '"'
            | '\''
            | '`'
            | '´'
            | '＂'
            | '＇'
            | '﹂'
            | '﹄'
            | '〞'
            | '〟'
            | '*'
            | '_'
            | '~'
            | '～'
            | '〜'
            | '>'
    )
}

/// True for a letter, digit or mark that belongs to a word in any script.
#[must_use]
pub fn is_word(c: char) -> bool {
    c.is_alphanumeric()
        || matches!(c,
            '\u{0300}'..='\u{036F}' | '\u{0610}'..='\u{061A}' | '\u{0640}' | '\u{064B}'..='\u{065F}' | '\u{0670}'
            | '\u{0900}'..='\u{0963}' | '\u{0971}'..='\u{097F}' | '\u{200C}' | '\u{200D}' | '\u{3099}' | '\u{309A}')
}

/// True for apostrophes that join two halves of a word.
#[must_use]
pub fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | 'ʼ' | '＇' | '´' | '`')
}

/// True for characters of scripts that write words without blanks between them: Han and kana.
#[must_use]
pub fn is_unspaced(c: char) -> bool {
    is_kana(c)
        || matches!(c, '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}' | '々' | '〇')
}

/// True for hiragana and katakana, half-width forms included.
#[must_use]
pub fn is_kana(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{30FA}' | '\u{30FC}'..='\u{30FF}' | '\u{31F0}'..='\u{31FF}' | '\u{FF66}'..='\u{FF9D}')
}
