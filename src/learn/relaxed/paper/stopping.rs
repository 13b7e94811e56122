//! When to lower the learning rate and when to stop: epochs without improvement on the validation rows.

/// Epochs without improvement after which the learning rate falls to a tenth, each time.
const EPOCHS_PER_DROP: usize = 3;

/// What the losses of the epochs so far say.
#[derive(Debug, Clone)]
pub struct Plateau {
    /// The share of the least loss by which a loss must be less: 1e-4 as published.
    threshold: f64,
    least: f64,
    /// Epochs without improvement.
    pub idle: usize,
    drops: i32,
}

impl Plateau {
    /// The relative threshold of the released program.
    pub const PUBLISHED: f64 = 1e-4;

    /// Before the first epoch.
    pub fn new(threshold: f64) -> Plateau {
        Plateau { threshold, least: f64::INFINITY, idle: 0, drops: 0 }
    }

    /// Takes the loss of an epoch; true if it is an improvement, as the first one is.
    pub fn improves(&mut self, loss: f64) -> bool {
        let improved = self.least.is_infinite() || loss < self.least - self.threshold * self.least.abs();
        if improved {
            (self.least, self.idle) = (loss, 0);
        } else {
            self.idle += 1;
            self.drops += i32::from(self.idle.is_multiple_of(EPOCHS_PER_DROP));
        }
        improved
    }

    /// The learning rate that began at `first`.
    pub fn rate(&self, first: f64) -> f64 {
        first * libm::pow(0.1, f64::from(self.drops))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_falls_after_three_epochs_without_improvement() {
        let mut plateau = Plateau::new(Plateau::PUBLISHED);
        assert!(plateau.improves(1.0));
        // Less than the threshold is no improvement.
        assert!(!plateau.improves(0.99995) && !plateau.improves(1.0));
        assert_eq!(plateau.rate(0.5), 0.5);
        assert!(!plateau.improves(1.0));
        assert!((plateau.rate(0.5) - 0.05).abs() < 1e-12 && plateau.idle == 3);
        assert!(plateau.improves(0.9) && plateau.idle == 0);
    }
}
