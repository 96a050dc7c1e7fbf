//! From numbers to places on a drawing. Values are written with one decimal, so that a drawing is the same text wherever
//! it is made.

/// Where the highest of all is so many times as high as the middle one, even steps would press all others flat.
const TAIL: f64 = 30.0;

/// A scale from 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    /// The highest value; above 0.
    most: f64,
    /// The length on the drawing.
    length: f64,
    steps: Steps,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Steps {
    /// Each step of the scale adds the same.
    Even,
    /// Each step of the scale, from 1 on, is ten times the one before.
    Tenfold,
}

impl Scale {
    /// A scale up to a round number at or above `most`.
    pub(super) fn up_to(most: f64, length: f64) -> Self {
        Self {
            most: nice_above(most),
            length,
            steps: Steps::Even,
        }
    }

    /// A scale on which all of these can be told apart: a few that are very high do not press the others flat.
    pub(super) fn for_all(values: impl IntoIterator<Item = f64>, length: f64) -> Self {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_unstable_by(f64::total_cmp);
        let most = values.last().copied().unwrap_or_default();
        let middle = values.get(values.len() / 2).copied().unwrap_or_default();
        let even = Self::up_to(most, length);
        if most > TAIL * middle.max(1.0) {
            let steps = Steps::Tenfold;
            return Self { steps, ..even };
        }
        even
    }

    /// Whether each step is ten times the one before.
    pub(super) fn is_tenfold(self) -> bool {
        self.steps == Steps::Tenfold
    }

    /// The length of a value.
    pub(super) fn of(self, value: f64) -> f64 {
        let value = value.clamp(0.0, self.most);
        let share = match self.steps {
            Steps::Even => value / self.most,
            Steps::Tenfold => value.ln_1p() / self.most.ln_1p(),
        };
        share * self.length
    }

    /// Round values from 0 to the highest, at most five of them; where each is ten times the one before, as many as there
    /// are powers of ten.
    pub(super) fn ticks(self) -> Vec<f64> {
        if self.is_tenfold() {
            // Without 0, which has no room below 1.
            let powers = 0..=self.most.log10().floor() as i32;
            return powers.map(|power| 10f64.powi(power)).collect();
        }
        let step = nice_above(self.most / 4.0);
        let count = (self.most / step).floor() as usize;
        (0..=count).map(|place| place as f64 * step).collect()
    }
}

/// 1, 2 or 5 times a power of ten, at or above `value`.
fn nice_above(value: f64) -> f64 {
    if value <= 1.0 {
        return 1.0;
    }
    let power = 10f64.powf(value.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|factor| factor * power)
        .find(|nice| *nice >= value)
        .unwrap_or(10.0 * power)
}

/// A place on a drawing, with one decimal.
pub(super) fn place(value: f64) -> String {
    let tenths = (value * 10.0).round() as i64;
    if tenths % 10 == 0 {
        (tenths / 10).to_string()
    } else {
        let sign = if tenths < 0 { "-" } else { "" };
        format!("{sign}{}.{}", tenths.abs() / 10, tenths.abs() % 10)
    }
}

#[cfg(test)]
mod tests {
    use super::{Scale, nice_above, place};

    #[test]
    fn a_scale_ends_at_a_round_number() {
        for (value, nice) in [
            (0.0, 1.0),
            (1.0, 1.0),
            (3.0, 5.0),
            (12.0, 20.0),
            (99.0, 100.0),
            (101.0, 200.0),
        ] {
            assert!((nice_above(value) - nice).abs() < 1e-9, "{value}");
        }
    }

    #[test]
    fn ticks_are_round_and_few() {
        for most in [1.0, 7.0, 34.0, 1_234.0] {
            let ticks = Scale::up_to(most, 100.0).ticks();
            assert!((2..=5).contains(&ticks.len()), "{most}: {ticks:?}");
            assert!(ticks[0].abs() < 1e-9);
        }
    }

    #[test]
    fn a_few_very_high_values_do_not_press_the_others_flat() {
        let usual = [2.0, 3.0, 4.0, 5.0, 6.0];
        assert!(!Scale::for_all(usual, 100.0).is_tenfold());
        let tailed = Scale::for_all(usual.into_iter().chain([3_600.0]), 100.0);
        assert!(tailed.is_tenfold());
        assert!(tailed.of(3.0) > 15.0 && tailed.of(3.0) < tailed.of(6.0));
        assert!((tailed.of(5_000.0) - 100.0).abs() < 1e-9);
        assert!(tailed.of(0.0).abs() < 1e-9);
        assert_eq!(place(tailed.ticks().iter().sum()), "1111");
        assert!(!Scale::for_all([], 100.0).is_tenfold());
    }

    #[test]
    fn values_outside_stay_on_the_drawing() {
        let scale = Scale::up_to(10.0, 100.0);
        assert!((scale.of(5.0) - 50.0).abs() < 1e-9);
        assert!((scale.of(50.0) - 100.0).abs() < 1e-9);
        assert!(scale.of(-3.0).abs() < 1e-9);
    }

    #[test]
    fn places_have_one_decimal_and_no_more() {
        assert_eq!(place(3.0), "3");
        assert_eq!(place(3.12), "3.1");
        assert_eq!(place(-0.25), "-0.3");
    }
}
