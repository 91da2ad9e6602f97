//! Whatever calls a batch holds, its rows and what stands elsewhere say the same of them.

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::columns_builder::batch::Rows;

/// A call as the pass saw it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Seen {
    start: [u64; 2],
    caller: u32,
    size: u32,
    end: [u64; 2],
}

/// Distances of every sort that rows tell apart; few that are far, so that there are blocks without.
fn gap() -> impl Strategy<Value = u64> {
    prop_oneof![
        400 => 0..100u64,
        1 => (u64::from(FAR) - 3)..(u64::from(FAR) + 3),
        1 => Just(1 << 20),
    ]
}

/// How far the pass gets between two batches.
fn leap() -> impl Strategy<Value = u64> {
    prop_oneof![4 => 0..100u64, 1 => Just(1 << 29), 1 => Just(1 << 32), 1 => Just(5 << 32)]
}

/// From the call before: of the start, and of the end from it; how far back the caller is, the size, whether the end
/// stands elsewhere.
type Drawn = ([u64; 2], [u64; 2], u32, u32, bool);

fn drawn() -> impl Strategy<Value = Drawn> {
    let near_or_far = |most: u32| prop_oneof![400 => 0..100u32, 1 => 0..most];
    (
        [gap(), gap()],
        [gap(), gap()],
        near_or_far(200_000),
        near_or_far(200_000),
        prop::bool::weighted(0.002),
    )
}

/// Fills a batch whose first call is `first`, from a place on.
fn fill(batch: &mut Batch, first: u32, base: [u64; 2], calls: &[Drawn]) -> Vec<Seen> {
    batch.clear(first, base);
    batch.calls = calls.len();
    let mut start = base;
    let mut seen = Vec::new();
    for (index, (gaps, lengths, back, size, is_elsewhere)) in (first..).zip(calls) {
        start = [0, 1].map(|at| start[at] + gaps[at]);
        let end = [0, 1].map(|at| start[at] + lengths[at]);
        let caller = index.checked_sub(back + 1).unwrap_or(NO_CALL);
        let size = size + 1;
        batch.rows.begin(index, 7, caller, start);
        if *is_elsewhere {
            batch.rows.end_elsewhere(index);
            let row = [far_end_key(index, size), end[0], end[1]];
            batch.ends.elsewhere.push(row);
        } else {
            batch.rows.end(index, size, end);
        }
        seen.push(Seen {
            start,
            caller,
            size,
            end,
        });
    }
    seen
}

/// What a reader of the files would find, by the columns' rules.
#[derive(Debug, Default)]
struct Reader {
    block: [u64; 2],
    far_parents: Vec<FarParentRow>,
    far_starts: BTreeMap<u64, [u64; 2]>,
    far_ends: BTreeMap<u32, (u32, [u64; 2])>,
}

impl Reader {
    fn take(&mut self, packed: &Packed) {
        self.far_parents.extend(&packed.far_parents);
        let starts = packed.far_starts.iter();
        self.far_starts
            .extend(starts.map(|&[index, events, values]| (index, [events, values])));
        let ends = packed.far_ends.iter();
        self.far_ends.extend(
            ends.map(|&[key, events, values]| (key as u32, ((key >> 32) as u32, [events, values]))),
        );
    }

    fn read(&self, index: u32, tree: u32, places: [u32; 2]) -> Seen {
        let [distance, size] = halves(tree);
        let [[from, length], [values_from, values_length]] = places.map(halves);
        let caller = match distance {
            0 => NO_CALL,
            FAR => {
                let after = self.far_parents.partition_point(|row| row[0] <= index);
                self.far_parents[after - 1][1]
            }
            near => index - u32::from(near),
        };
        let start = match [from, values_from] {
            [FAR, FAR] => self.far_starts[&u64::from(index)],
            [events, values] => [
                self.block[0] + u64::from(events),
                self.block[1] + u64::from(values),
            ],
        };
        let (size, end) = match size {
            FAR => self.far_ends[&index],
            size => (
                size.into(),
                [
                    start[0] + u64::from(length),
                    start[1] + u64::from(values_length),
                ],
            ),
        };
        Seen {
            start,
            caller,
            size,
            end,
        }
    }
}

fn halves(number: u32) -> [u16; 2] {
    [number as u16, (number >> 16) as u16]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn rows_say_what_was_seen(
        first in 0..300_000u32,
        batches in vec(([leap(), leap()], vec(drawn(), 0..300)), 1..4),
    ) {
        let mut first = first.next_multiple_of(BLOCK as u32);
        let (mut batch, mut packed) = (Batch::default(), Packed::default());
        let (mut before, mut reader) = (Before::default(), Reader::default());
        let mut base = [1, 1];
        for (leaps, mut calls) in batches {
            base = [0, 1].map(|at| base[at] + leaps[at]);
            // A batch ends where rows begin anew.
            calls.truncate(ROWS - Rows::of(first));
            let seen = fill(&mut batch, first, base, &calls);
            packed.pack(&batch, &mut before);
            reader.take(&packed);
            let mut blocks = packed.blocks.iter();
            for (index, seen) in (first..).zip(&seen) {
                if (index as usize).is_multiple_of(BLOCK) {
                    let Some(&[events, values, _]) = blocks.next() else {
                        panic!("a block begins at {index}");
                    };
                    reader.block = [events, values];
                }
                let row = Rows::of(index);
                let read = reader.read(index, packed.tree[row], packed.places[row]);
                prop_assert_eq!(read, *seen, "call {}", index);
            }
            first += calls.len() as u32;
            base = seen.last().map_or(base, |last| last.start);
        }
    }
}
