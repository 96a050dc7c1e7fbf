//! From numbers to places on a drawing. Values are written with one decimal, so that a drawing is the same text wherever
//! it is made.

/// A linear scale from 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    /// The highest value; above 0.
    most: f64,
    /// The length on the drawing.
    length: f64,
}

impl Scale {
    /// A scale up to a round number at or above `most`.
    pub(super) fn up_to(most: f64, length: f64) -> Self {
        Self {
            most: nice_above(most),
            length,
        }
    }

    /// The length of a value.
    pub(super) fn of(self, value: f64) -> f64 {
        value.clamp(0.0, self.most) / self.most * self.length
    }

    /// Round values from 0 to the highest, at most five of them.
    pub(super) fn ticks(self) -> Vec<f64> {
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
