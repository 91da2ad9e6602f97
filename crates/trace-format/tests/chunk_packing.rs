//! Chunks are unpacked to what was packed, whatever they hold.

use std::num::NonZeroU8;

use proptest::prelude::*;
use trace_format::chunk::encode_chunk;
use trace_format::packing::{ChunkPacker, unpack};
use trace_format::{ChunkHeader, Stream, ThreadNumber};

fn header(stream: Stream, payload: &[u8]) -> ChunkHeader {
    ChunkHeader {
        stream,
        complete: true,
        thread: ThreadNumber(1),
        length: payload.len() as u32,
        base: 7,
        stamp: 3,
        packed: None,
    }
}

/// Content as it is recorded: records of a size, of which some bytes change from one to the next and others never do.
fn records() -> impl Strategy<Value = Vec<u8>> {
    let record = prop::collection::vec((prop_oneof![Just(0u8), any::<u8>()], any::<bool>()), 1..80);
    (record, 0usize..9000, any::<u8>()).prop_map(|(record, length, step)| {
        let mut bytes = Vec::with_capacity(length);
        for round in 0.. {
            for &(byte, changes) in &record {
                if bytes.len() == length {
                    return bytes;
                }
                let change = if changes {
                    step.wrapping_mul(round as u8)
                } else {
                    0
                };
                bytes.push(byte.wrapping_add(change));
            }
        }
        bytes
    })
}

fn content() -> impl Strategy<Value = Vec<u8>> {
    let sparse = prop::collection::vec(prop_oneof![4 => Just(0u8), 1 => any::<u8>()], 0..5000);
    prop_oneof![
        records(),
        sparse,
        prop::collection::vec(any::<u8>(), 0..3000)
    ]
}

proptest! {
    #[test]
    fn what_is_packed_is_unpacked(parts in prop::collection::vec(content(), 1..3), stream in 0usize..3) {
        let payload = parts.concat();
        let stream = Stream::ALL[stream];
        let mut packer = ChunkPacker::default();
        // What it packed before has no influence.
        for _ in 0..2 {
            let mut header = header(stream, &payload);
            let stored = header.pack(&payload, &mut packer);
            prop_assert_eq!(stored.len(), header.stored() as usize);
            prop_assert!(stored.len() <= payload.len());
            prop_assert_eq!(ChunkHeader::decode(&header.encode()), Ok(header));
            let mut unpacked = vec![9];
            prop_assert_eq!(header.unpack(stored, &mut unpacked), Some(()));
            prop_assert_eq!(&unpacked[1..], &payload[..]);
            let mut chunk = Vec::new();
            encode_chunk(&header, stored, &mut chunk);
            prop_assert_eq!(chunk.len() as u64, header.stride());
        }
    }

    /// Whatever a damaged chunk holds, so many bytes come of it or none.
    #[test]
    fn damage_is_found_or_harmless(
        stored in prop::collection::vec(any::<u8>(), 0..600), length in 0usize..5000, distance in any::<NonZeroU8>(),
    ) {
        let mut out = Vec::new();
        if unpack(&stored, distance, length, &mut out).is_some() {
            prop_assert_eq!(out.len(), length);
        }
    }

    #[test]
    fn what_is_cut_off_is_not_unpacked(payload in records(), cut in any::<prop::sample::Index>()) {
        let mut header = header(Stream::Events, &payload);
        let mut packer = ChunkPacker::default();
        let stored = header.pack(&payload, &mut packer);
        prop_assume!(header.packed.is_some());
        let cut = &stored[..cut.index(stored.len())];
        prop_assert_eq!(header.unpack(cut, &mut Vec::new()), None);
    }
}

#[test]
fn what_repeats_takes_little_and_noise_no_more_than_it_is() {
    let store: Vec<u8> = (0..20_000u32)
        .flat_map(|index| {
            [
                &[0x17, 9, 1, 2, 0][..],
                &(index as u16).to_le_bytes(),
                &index.to_le_bytes(),
            ]
            .concat()
        })
        .collect();
    let mut packer = ChunkPacker::default();
    let mut packed = header(Stream::Events, &store);
    packed.pack(&store, &mut packer);
    assert!(packed.stored() < packed.length / 2, "{packed:?}");
    let mut state = 1u64;
    let noise: Vec<u8> = (0..10_000)
        .map(|_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 56) as u8
        })
        .collect();
    let mut plain = header(Stream::Values, &noise);
    assert_eq!(plain.pack(&noise, &mut packer), noise);
    assert_eq!(plain.packed, None);
}
