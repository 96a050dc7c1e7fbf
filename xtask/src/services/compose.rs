//! Starting services with Docker.

use std::process::{Command, Stdio};

use anyhow::Result;

use super::Service;
use crate::command;
use crate::workspace::Workspace;

/// Whether a daemon runs here and knows compose files.
pub fn works() -> bool {
    let quiet = |arguments: &[&str]| {
        let mut docker = Command::new("docker");
        docker
            .args(arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        docker.status().is_ok_and(|status| status.success())
    };
    quiet(&["info"]) && quiet(&["compose", "version"])
}

/// Starts them as the compose file says.
pub fn start(workspace: &Workspace, services: &[Service]) -> Result<()> {
    let mut docker = Command::new("docker");
    docker
        .current_dir(&workspace.root)
        .args(["compose", "up", "--detach", "--wait"])
        .args(services.iter().copied().map(name));
    command::run(&mut docker)
}

/// Its name in the compose file.
const fn name(service: Service) -> &'static str {
    match service {
        Service::Postgres => "postgres",
        Service::Redis => "redis",
        Service::Rabbit => "rabbitmq",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_service_is_in_the_compose_file() {
        let root = Workspace::read().unwrap().root;
        let file = std::fs::read_to_string(root.join("docker-compose.yml")).unwrap();
        for service in Service::ALL {
            assert!(file.contains(&format!("\n  {}:\n", name(service))));
        }
    }
}
