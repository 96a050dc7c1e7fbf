//! What somebody wants to eat or drink, in their own words. Must never translate or count.

use super::clause::Clause;

/// What a shop like this sells: a clause with one of these is an order even without a verb.
const FOOD: &[&str] = &[
    "pizza*",
    "coke*",
    "coca*",
    "cola*",
    "soda*",
    "guarana*",
    "refrigerante*",
    "refri",
    "gaseosa*",
    "burger*",
    "hamburg*",
    "fries",
    "batata*",
    "papas",
    "empanada*",
    "salad*",
    "ensalada*",
    "juice*",
    "suco*",
    "jugo*",
    "beer*",
    "cerveja*",
    "cerveza*",
    "water",
    "agua*",
    "sandwich*",
    "lanche*",
    "dessert*",
    "sobremesa*",
    "postre*",
    "pepperoni",
    "calabresa*",
    "mussarela*",
    "mozzarella*",
    "margherita*",
    "margarita*",
    "sushi*",
    "taco*",
    "coffee*",
    "cafe*",
    "ice cream*",
    "sorvete*",
    "helado*",
    "garlic bread",
    "pao de alho",
];

/// Verbs that order whatever follows.
const ADD: &[&str] = &[
    "add",
    "include",
    "throw in",
    "adicion*",
    "acrescent*",
    "inclu*",
    "coloca*",
    "coloque",
    "poe",
    "bota",
    "agreg*",
    "anad*",
    "sumale",
    "ponme",
    "ponle",
    "pon",
];

/// Words before an item that do not belong to it.
const LEADS: &[&str] = &[
    "and", "e", "y", "also", "tambem", "tambien", "plus", "mais", "then", "me", "mim", "please",
    "por", "favor", "i", "ill", "id", "have", "want", "would", "like", "can", "could", "get",
    "you", "quero", "queria", "gostaria", "quiero", "quisiera", "de", "eu", "yo", "to", "la", "ai",
    "oh", "ah", "ok", "my", "order", "a", "ao", "al", "no", "pedido", "meu", "mi", "manda", "dame",
    "need", "preciso", "necesito", "pode", "puede", "puedes", "ve",
];

/// Of those, the ones that may begin an item: "a pizza", "la pizza".
const ARTICLES: &[&str] = &["a", "la"];

/// Words after an item that do not belong to it.
const TAILS: &[&str] = &[
    "too", "also", "please", "tambem", "tambien", "well", "as", "favor", "por", "order", "my",
    "the", "to", "pedido", "meu", "ao", "no", "mi", "al", "a", "then", "instead",
];

const JOINTS: &[&str] = &["and", "e", "y", "plus", "mais"];

/// The longest item that is repeated, in characters.
const LONGEST: usize = 80;

/// The items that a clause orders.
pub(super) fn ordered(clause: &Clause<'_>) -> Vec<String> {
    let verb = clause.find(ADD).filter(|(at, _)| !clause.is_negated(*at));
    let food = clause.find(FOOD).filter(|(at, _)| !clause.is_negated(*at));
    match (verb, food) {
        (Some((_, end)), _) => split(clause, end),
        (None, Some(_)) if !clause.asks => split(clause, 0),
        _ => Vec::new(),
    }
}

fn split(clause: &Clause<'_>, from: usize) -> Vec<String> {
    let mut items = Vec::new();
    let mut start = from;
    for at in from..=clause.len() {
        let is_joint = JOINTS.contains(&clause.word(at));
        if at == clause.len() || is_joint {
            items.extend(item(clause, start, at));
            start = at + 1;
        }
    }
    items
}

fn item(clause: &Clause<'_>, from: usize, to: usize) -> Option<String> {
    let (mut start, mut end) = (from, to);
    while start < end && TAILS.contains(&clause.word(end - 1)) {
        end -= 1;
    }
    while start < end && LEADS.contains(&clause.word(start)) && !begins_item(clause, start, end) {
        start += 1;
    }
    let text: String = clause.slice(start, end).chars().take(LONGEST).collect();
    (!text.is_empty()).then_some(text)
}

fn begins_item(clause: &Clause<'_>, at: usize, end: usize) -> bool {
    ARTICLES.contains(&clause.word(at)) && at + 1 < end && !LEADS.contains(&clause.word(at + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(text: &str) -> Vec<String> {
        Clause::all(text).iter().flat_map(ordered).collect()
    }

    #[test]
    fn items_are_taken_in_the_customers_words() {
        for (text, expected) in [
            ("Add a pepperoni pizza", &["a pepperoni pizza"][..]),
            ("And a 2L Coke too", &["a 2L Coke"]),
            (
                "Adiciona uma pizza de calabresa",
                &["uma pizza de calabresa"],
            ),
            ("E uma Coca 2L também", &["uma Coca 2L"]),
            ("e uma Guaraná 2L", &["uma Guaraná 2L"]),
            ("Agrega una pizza de pepperoni", &["una pizza de pepperoni"]),
            ("Y una Coca de 2L también", &["una Coca de 2L"]),
            (
                "I'd like a burger and fries, please",
                &["a burger", "fries"],
            ),
            ("Quero adicionar dois sucos ao meu pedido", &["dois sucos"]),
            ("add the daily special to my order", &["the daily special"]),
            ("Do you have pizza?", &[]),
            ("don't add the coke", &[]),
            ("thanks", &[]),
        ] {
            assert_eq!(items(text), expected, "{text}");
        }
    }
}
