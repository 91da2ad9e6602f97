//! Work on pieces, by several threads.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// As many threads as the machine has cores.
#[must_use]
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// What `work` makes of each piece, in the order of the pieces. Every thread has a state of its
/// own, which goes from piece to piece.
pub fn each<Piece: Sync, State, Made: Send>(
    threads: usize,
    pieces: &[Piece],
    state: impl Fn() -> State + Sync,
    work: impl Fn(&mut State, &Piece) -> Made + Sync,
) -> Vec<Made> {
    let next = AtomicUsize::new(0);
    let take = || {
        let mut state = state();
        let mut made = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(piece) = pieces.get(number) else {
                return made;
            };
            made.push((number, work(&mut state, piece)));
        }
    };
    let mut made = thread::scope(|scope| {
        let others: Vec<_> = (1..threads.min(pieces.len()))
            .map(|_| scope.spawn(take))
            .collect();
        let mut made = take();
        for other in others {
            made.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        made
    });
    made.sort_unstable_by_key(|(number, _)| *number);
    made.into_iter().map(|(_, made)| made).collect()
}

#[cfg(test)]
mod tests {
    use super::each;

    #[test]
    fn keeps_the_order_of_the_pieces() {
        let pieces: Vec<u32> = (0..1000).collect();
        let made = each(4, &pieces, || 0, |_, piece| piece * 2);
        let expected: Vec<u32> = pieces.iter().map(|piece| piece * 2).collect();
        assert_eq!(made, expected);
        assert!(each(4, &[], || 0, |_, piece: &u32| *piece).is_empty());
    }
}
