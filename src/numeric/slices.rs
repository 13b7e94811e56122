//! Long work in slices. A caller that watches a clock or listens for messages regains control after every
//! slice.
//!
//! Long work is an `async` function that counts what it does ([`Slice::spend`]). It waits only for the
//! caller's next call, so no executor is needed. Where slices end changes no number: the same operations run
//! in the same order.

use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

/// Numbers processed in one slice: some ten milliseconds.
pub(crate) const WORK: usize = 1 << 20;

/// Work that runs slice by slice.
pub struct Task<T> {
    work: Pin<Box<dyn Future<Output = T> + Send>>,
}

impl<T> Task<T> {
    /// Creates a task; nothing runs before the first slice.
    pub(crate) fn new(work: impl Future<Output = T> + Send + 'static) -> Self {
        Task { work: Box::pin(work) }
    }

    /// Runs one slice. Returns the result after the last one; it must not be called after that.
    pub(crate) fn advance(&mut self) -> Option<T> {
        match self.work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(result) => Some(result),
            Poll::Pending => None,
        }
    }
}

/// Runs sliced work to its end without stopping.
pub(crate) fn at_once<T>(work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    loop {
        if let Poll::Ready(result) = work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return result;
        }
    }
}

/// Counts the work of a slice and ends the slice when there has been enough.
#[derive(Debug)]
pub struct Slice {
    spent: usize,
    enough: usize,
}

impl Default for Slice {
    fn default() -> Slice {
        Slice { spent: 0, enough: WORK }
    }
}

impl Slice {
    /// For fast passes over the samples: eight times as many numbers, still less than a tenth of a second.
    pub(crate) fn long() -> Slice {
        Slice { spent: 0, enough: 8 * WORK }
    }

    /// Counts processed numbers, and ends the slice if they are enough.
    pub async fn spend(&mut self, numbers: usize) {
        self.spent += numbers;
        if self.spent >= self.enough {
            self.spent = 0;
            Break(false).await;
        }
    }
}

/// Returns control to the caller once.
struct Break(bool);

impl Future for Break {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if self.0 {
            return Poll::Ready(());
        }
        self.0 = true;
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn sum(numbers: Vec<u64>) -> u64 {
        let (mut slice, mut sum) = (Slice::default(), 0);
        for chunk in numbers.chunks(1000) {
            sum += chunk.iter().sum::<u64>();
            slice.spend(WORK / 4).await;
        }
        sum
    }

    #[test]
    fn slices_end_where_the_work_is_enough_and_give_the_same_result() {
        let numbers: Vec<u64> = (0..10_000).collect();
        let mut task = Task::new(sum(numbers.clone()));
        let mut slices = 1;
        let result = loop {
            match task.advance() {
                Some(result) => break result,
                None => slices += 1,
            }
        };
        assert_eq!((result, slices), (at_once(sum(numbers)), 3));
    }
}
