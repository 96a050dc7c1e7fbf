//! The direction of the workspace: who may depend on whom, read from `cargo metadata`.
//!
//! `gate <- ports <- engine`; adapters know gate and ports; only `server` knows them all. A package
//! that is not in the table is a breach too: whoever adds one decides where it stands.

use anyhow::{Result, bail};

use crate::workspace::{Dependency, Package, Workspace};

/// What a package may depend on inside the workspace.
struct Room {
    package: &'static str,
    may_use: &'static [&'static str],
}

const DOMAIN: &[&str] = &["replygate-gate"];
const SEAMS: &[&str] = &["replygate-gate", "replygate-ports"];

/// For tests only, so that no room ships with it.
const TESTKIT: &str = "replygate-testkit";

const ROOMS: &[Room] = &[
    room("replygate-gate", &[]),
    room("replygate-ports", DOMAIN),
    room("replygate-engine", SEAMS),
    room("replygate-embedded", SEAMS),
    room("replygate-cluster", SEAMS),
    room("replygate-channels", SEAMS),
    room("replygate-agents", SEAMS),
    room("replygate-app", DOMAIN),
    room(
        "replygate",
        &[
            "replygate-gate",
            "replygate-ports",
            "replygate-engine",
            "replygate-embedded",
            "replygate-cluster",
            "replygate-channels",
            "replygate-agents",
            "replygate-app",
        ],
    ),
    room(
        TESTKIT,
        &["replygate-gate", "replygate-ports", "replygate-engine"],
    ),
    room("replygate-end2end", &[]),
    room("xtask", &[]),
    room("xtask-bindgen", &[]),
];

/// Drivers and frameworks: the three inner rooms work in words of their own.
const DRIVERS: &[&str] = &[
    "axum",
    "hyper",
    "lapin",
    "leptos",
    "redis",
    "reqwest",
    "rusqlite",
    "sqlx",
    "tower",
    "tower-http",
];

/// The inner rooms and what else, from outside the workspace, must stay out of them.
const INNER: &[(&str, &[&str])] = &[
    (
        "replygate-gate",
        &["async-trait", "futures", "rand", "tokio"],
    ),
    ("replygate-ports", &["tokio"]),
    ("replygate-engine", &[]),
];

const fn room(package: &'static str, may_use: &'static [&'static str]) -> Room {
    Room { package, may_use }
}

/// Fails with one line for each dependency that points the wrong way.
pub fn check(workspace: &Workspace) -> Result<()> {
    let found = breaches(&workspace.packages);
    if found.is_empty() {
        println!(
            "{} packages, all pointing inwards",
            workspace.packages.len()
        );
        return Ok(());
    }
    bail!(
        "dependencies point the wrong way:\n  {}",
        found.join("\n  ")
    );
}

fn breaches(packages: &[Package]) -> Vec<String> {
    packages
        .iter()
        .flat_map(|package| {
            let Some(room) = ROOMS.iter().find(|room| room.package == package.name) else {
                return vec![format!(
                    "{}: not in the table of xtask/src/layers.rs",
                    package.name
                )];
            };
            package
                .dependencies
                .iter()
                .filter(|dependency| !is_allowed(room, dependency))
                .map(|dependency| describe(room, dependency))
                .collect()
        })
        .collect()
}

fn is_allowed(room: &Room, dependency: &Dependency) -> bool {
    let name = dependency.name.as_str();
    let for_tests = dependency.kind.as_deref() == Some("dev");
    if ROOMS.iter().any(|known| known.package == name) {
        return room.may_use.contains(&name) || (for_tests && name == TESTKIT);
    }
    for_tests || !is_kept_out(room.package, name)
}

fn is_kept_out(package: &str, dependency: &str) -> bool {
    INNER
        .iter()
        .find(|(inner, _)| *inner == package)
        .is_some_and(|(_, own)| DRIVERS.contains(&dependency) || own.contains(&dependency))
}

fn describe(room: &Room, dependency: &Dependency) -> String {
    let allowed = if room.may_use.is_empty() {
        "none".to_owned()
    } else {
        room.may_use.join(", ")
    };
    format!(
        "{} must not depend on {} (of the workspace it may use: {allowed})",
        room.package, dependency.name
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, dependencies: &[(&str, Option<&str>)]) -> Package {
        Package {
            name: name.to_owned(),
            dependencies: dependencies
                .iter()
                .map(|(name, kind)| Dependency {
                    name: (*name).to_owned(),
                    kind: kind.map(str::to_owned),
                })
                .collect(),
            targets: Vec::new(),
        }
    }

    fn breach_of(name: &str, dependency: (&str, Option<&str>)) -> bool {
        !breaches(&[package(name, &[dependency])]).is_empty()
    }

    #[test]
    fn this_workspace_keeps_its_direction() {
        check(&Workspace::read().unwrap()).unwrap();
    }

    #[test]
    fn adapters_never_depend_on_the_engine_or_on_each_other() {
        for adapter in ["embedded", "cluster", "channels", "agents"] {
            let adapter = format!("replygate-{adapter}");
            assert!(!breach_of(&adapter, ("replygate-ports", None)));
            assert!(breach_of(&adapter, ("replygate-engine", None)));
            assert!(breach_of(&adapter, ("replygate", None)));
        }
        assert!(breach_of(
            "replygate-embedded",
            ("replygate-channels", None)
        ));
    }

    #[test]
    fn the_console_knows_the_domain_only() {
        assert!(!breach_of("replygate-app", ("replygate-gate", None)));
        assert!(breach_of("replygate-app", ("replygate-ports", None)));
    }

    #[test]
    fn the_testkit_is_for_tests_only() {
        assert!(!breach_of("replygate-engine", (TESTKIT, Some("dev"))));
        assert!(breach_of("replygate-engine", (TESTKIT, None)));
        assert!(breach_of("replygate", (TESTKIT, None)));
    }

    #[test]
    fn a_build_script_points_inwards_too() {
        assert!(breach_of(
            "replygate-gate",
            ("replygate-ports", Some("build"))
        ));
    }

    #[test]
    fn no_driver_enters_an_inner_room() {
        assert!(breach_of("replygate-gate", ("tokio", None)));
        assert!(breach_of("replygate-ports", ("sqlx", None)));
        assert!(breach_of("replygate-engine", ("axum", None)));
        assert!(!breach_of("replygate-embedded", ("sqlx", None)));
        assert!(!breach_of("replygate-engine", ("tokio", None)));
    }

    #[test]
    fn an_unknown_package_must_be_given_its_place() {
        let found = breaches(&[package("replygate-extra", &[])]);
        assert_eq!(
            found,
            ["replygate-extra: not in the table of xtask/src/layers.rs"]
        );
    }
}
