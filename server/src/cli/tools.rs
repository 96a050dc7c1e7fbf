//! `replygate tools test`: whether two calls of a tool are the same call, and by what. Works without a server and calls
//! nothing.

use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::{Args, Subcommand};
use replygate_gate::tools::{Change, Comparison, Difference, Recipe, differences};
use replygate_ports::settings::Choice;
use replygate_ports::tools::{Effect, Tool};
use serde_json::{Value, json};

use super::place::Place;
use crate::config::{Environment, keys};

/// Tools and what makes two of their calls the same.
#[derive(Args)]
pub(super) struct ToolsCommand {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Says whether two calls would be one, and by which fields; calls nothing
    Test(Test),
}

#[derive(Args)]
struct Test {
    /// The tool's name; one that the configuration has is tried with its own recipe
    tool: String,
    /// The arguments of the first call, a JSON object
    first: String,
    /// The arguments of the second call, a JSON object
    second: String,
    /// The recipe in place of the configuration's: a name, or a table as in the configuration file
    #[arg(long, value_name = "RECIPE")]
    recipe: Option<String>,
    /// Prints one JSON object in place of text
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: Place,
}

impl ToolsCommand {
    pub(super) fn run(self) -> anyhow::Result<ExitCode> {
        let Verb::Test(test) = self.verb;
        test.run()
    }
}

impl Test {
    fn run(self) -> anyhow::Result<ExitCode> {
        let tool = self.tool()?;
        let trial = Trial {
            first: arguments(&self.first, "first")?,
            second: arguments(&self.second, "second")?,
            tool,
        };
        if self.json {
            println!("{}", trial.json());
        } else {
            trial.print();
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The tool as it is set, with the recipe that is to be tried.
    fn tool(&self) -> anyhow::Result<Tool> {
        let config = self.place.config(&Environment::of_process())?;
        let is_it = |tool: &Tool| tool.name == self.tool || tool.model_name() == self.tool;
        let set = config.tools.into_iter().find(is_it);
        let unset = || Tool::new(&self.tool, Effect::Write, Choice::named("none"));
        let mut tool = set.unwrap_or_else(unset);
        if let Some(text) = &self.recipe {
            tool.recipe = recipe(text)?;
        }
        Ok(tool)
    }
}

fn recipe(text: &str) -> anyhow::Result<Recipe> {
    let value = if text.trim_start().starts_with('{') {
        keys::toml_value(text).context("--recipe is no table that TOML can read")?
    } else {
        Value::from(text.trim())
    };
    let recipe: Recipe =
        serde_json::from_value(value).with_context(|| format!("--recipe is {text}"))?;
    recipe.validate().map_err(|errors| {
        let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
        anyhow::anyhow!("{}", lines.join("\n"))
    })?;
    Ok(recipe)
}

fn arguments(text: &str, which: &str) -> anyhow::Result<Value> {
    let value: Value = serde_json::from_str(text)
        .with_context(|| format!("the {which} call's arguments are no JSON: {text}"))?;
    if !value.is_object() {
        bail!("the {which} call's arguments are {value}, allowed: a JSON object");
    }
    Ok(value)
}

/// Two calls side by side.
struct Trial {
    tool: Tool,
    first: Value,
    second: Value,
}

/// One field of both calls.
struct Pair<'a> {
    name: &'a str,
    first: Option<&'a str>,
    second: Option<&'a str>,
}

impl Pair<'_> {
    fn is_same(&self) -> bool {
        self.first == self.second
    }
}

impl Trial {
    fn sides(&self) -> (Comparison, Comparison) {
        let compare = |arguments| self.tool.recipe.compare(&self.tool.name, arguments);
        (compare(&self.first), compare(&self.second))
    }

    /// Reads are not guarded, whatever they are compared by.
    fn is_duplicate(&self, first: &Comparison, second: &Comparison) -> bool {
        let is_same = first.recipe == second.recipe && first.compared == second.compared;
        is_same && self.tool.effect == Effect::Write
    }

    fn json(&self) -> Value {
        let (first, second) = self.sides();
        let fields: Vec<Value> = pairs(&first, &second)
            .iter()
            .map(|pair| {
                json!({
                    "name": pair.name,
                    "first": pair.first,
                    "second": pair.second,
                    "same": pair.is_same(),
                })
            })
            .collect();
        let differences: Vec<Difference> = differences(&self.first, &self.second);
        json!({
            "tool": self.tool.name,
            "effect": self.tool.effect,
            "duplicate": self.is_duplicate(&first, &second),
            "recipe": [first.recipe, second.recipe],
            "missing": [first.missing, second.missing],
            "compared": fields,
            "ignored": [first.ignored, second.ignored],
            "differences": differences,
            "scope": self.tool.scope,
            "window_ms": self.tool.window_ms,
        })
    }

    fn print(&self) {
        let (first, second) = self.sides();
        println!("recipe     {}", told(&first, &second));
        for (which, side) in [("first", &first), ("second", &second)] {
            if let Some(missing) = &side.missing {
                println!(
                    "missing    the {which} call has no `{missing}`: all its arguments are compared"
                );
            }
        }
        for pair in pairs(&first, &second) {
            let (one, other) = (shown(pair.first), shown(pair.second));
            if pair.is_same() {
                println!("same       {} = {one}", pair.name);
            } else {
                println!("different  {} = {one} | {other}", pair.name);
            }
        }
        for path in left_out(&first, &second) {
            println!("left out   {path}");
        }
        for difference in differences(&self.first, &self.second) {
            let change = match difference.change {
                Change::Added => "only in the second",
                Change::Removed => "only in the first",
                Change::Changed => "written otherwise",
            };
            println!("written    {}: {change}", difference.path);
        }
        println!("{}", self.verdict(&first, &second));
    }

    fn verdict(&self, first: &Comparison, second: &Comparison) -> String {
        if self.tool.effect == Effect::Read {
            return "not guarded: a tool that only reads".to_owned();
        }
        if self.is_duplicate(first, second) {
            return format!(
                "a duplicate: within {} s of the first one's success the second is not carried out (scope {})",
                self.tool.window_ms / 1_000,
                self.tool.scope.as_str()
            );
        }
        "two calls: both are carried out".to_owned()
    }
}

fn told(first: &Comparison, second: &Comparison) -> String {
    if first.recipe == second.recipe {
        first.recipe.clone()
    } else {
        format!("{} | {}", first.recipe, second.recipe)
    }
}

fn shown(value: Option<&str>) -> &str {
    value.unwrap_or("(not there)")
}

/// The fields of both calls, those of the first one first.
fn pairs<'a>(first: &'a Comparison, second: &'a Comparison) -> Vec<Pair<'a>> {
    let value = |side: &'a Comparison, name: &str| {
        let found = side.compared.iter().find(|field| field.name == name);
        found.map(|field| field.value.as_str())
    };
    let mut names: Vec<&str> = Vec::new();
    for field in first.compared.iter().chain(&second.compared) {
        if !names.contains(&field.name.as_str()) {
            names.push(&field.name);
        }
    }
    names
        .into_iter()
        .map(|name| Pair {
            name,
            first: value(first, name),
            second: value(second, name),
        })
        .collect()
}

fn left_out<'a>(first: &'a Comparison, second: &'a Comparison) -> Vec<&'a str> {
    let both = first.ignored.iter().chain(&second.ignored);
    let mut paths: Vec<&str> = both.map(String::as_str).collect();
    paths.sort_unstable();
    paths.dedup();
    paths
}
