//! What the numbers were measured on. Must never name more of a machine than its make.

/// One line: processor, cores, memory, system.
pub(crate) fn describe() -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let processor = field("/proc/cpuinfo", "model name").unwrap_or_else(|| "unknown".to_owned());
    let memory = field("/proc/meminfo", "MemTotal").unwrap_or_else(|| "unknown".to_owned());
    format!(
        "{processor}, {cores} cores, {memory} memory, {} {}",
        std::env::consts::OS,
        std::env::consts::ARCH
    )
}

/// The value behind a name in a file of `name: value` lines.
pub(crate) fn field(file: &str, name: &str) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}
