//! Steps with a heading and a time each, and a summary at the end.
//!
//! A failed step ends the run and is named; nothing after it is pretended to have run.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};

/// The steps that have passed so far.
pub struct Steps {
    started: Instant,
    passed: Vec<(&'static str, Duration)>,
}

impl Steps {
    /// No step done yet; the clock starts now.
    pub fn begin() -> Self {
        Self {
            started: Instant::now(),
            passed: Vec::new(),
        }
    }

    /// Does one step under its heading and returns what it made.
    pub fn step<T>(&mut self, name: &'static str, work: impl FnOnce() -> Result<T>) -> Result<T> {
        println!("\n=== {name} ===");
        let started = Instant::now();
        let made = work().with_context(|| format!("step \"{name}\" failed"))?;
        let took = started.elapsed();
        println!("--- {name}: passed in {}", seconds(took));
        self.passed.push((name, took));
        Ok(made)
    }

    /// Prints what passed and how long all of it took.
    pub fn finish(self) {
        println!("\n=== summary ===");
        for (name, took) in &self.passed {
            println!("{:>9}  {name}", seconds(*took));
        }
        println!(
            "{:>9}  all {} steps passed",
            seconds(self.started.elapsed()),
            self.passed.len()
        );
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use anyhow::bail;

    use super::*;

    #[test]
    fn a_failed_step_is_named_and_not_counted_as_passed() {
        let mut steps = Steps::begin();
        steps.step("first", || Ok(())).unwrap();
        let error = steps
            .step("second", || -> Result<()> { bail!("broken") })
            .unwrap_err();
        assert_eq!(error.to_string(), "step \"second\" failed");
        assert_eq!(steps.passed.len(), 1);
    }
}
