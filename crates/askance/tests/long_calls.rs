//! Calls with many events: every event can be reached from every other, by whoever walked before.

use crate::support::{run, source};
use debug_engine::NodeId;
use frame_replay::Program;
use java_analysis::happening::{Happening, Moment};
use java_analysis::moment::Moments;
use java_model::run::JavaRun;

const LOOP: &str = "
import java.util.*;
public class Loop {
    static int[] data = new int[10];
    static int twice(int n) {
        if (n % 100 == 0) throw new IllegalArgumentException();
        return 2 * n;
    }
    public static void main(String[] args) {
        List<Integer> list = new ArrayList<>();
        int failed = 0;
        for (int i = 0; i < 4000; i++) {
            data[i % 10] = i;
            if (i % 7 == 0) {
                list.add(i);
            }
            try {
                data[0] += twice(i);
            } catch (IllegalArgumentException e) {
                failed++;
            }
        }
        System.out.println(list.size() + failed + data[0]);
    }
}
";

#[test]
fn every_event_of_a_long_call_is_found_again() {
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), "Loop.java", LOOP);
    let said = run(folder.path(), ["record", "-o", "trace", "Loop.java"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let java = JavaRun::open(&folder.path().join("trace"), None, &mut |_, _| {}).unwrap();
    let program = Program::of(java.trace());
    let main = java.find_method("Loop.main").unwrap();

    let all: Vec<Moment> = moments(&java, &program, main).collect();
    assert!(all.len() > 30_000, "only {} events", all.len());
    let numbers: Vec<u64> = all.iter().map(|moment| moment.event).collect();
    assert_eq!(numbers, (0..all.len() as u64).collect::<Vec<_>>());

    // One walk that jumps about, and walks that begin where others have been.
    let mut jumping = moments(&java, &program, main);
    let mut random = 88_172_645_463_325_252_u64;
    for _ in 0..200 {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let event = random % all.len() as u64;
        let at = event as usize;
        let mut fresh = moments(&java, &program, main);
        for walk in [&mut jumping, &mut fresh] {
            assert_eq!(walk.at(event).as_ref(), all.get(at));
            assert_eq!(walk.next().as_ref(), all.get(at + 1));
            let written = |moment: &Moment| moment.assigns("failed");
            let last = all[..at].iter().rfind(|moment| written(moment));
            assert_eq!(walk.last_before(event, written).as_ref(), last);
        }
        if let Happening::Write(write) = &all[at].what {
            fresh.go_before(write.position);
            let found = fresh.find(|moment| moment.what == all[at].what);
            assert_eq!(found.as_ref(), Some(&all[at]));
        }
        let locals = fresh.locals_at(&all[at]);
        assert_eq!(jumping.locals_at(&all[at]), locals);
    }
    assert_eq!(jumping.count_events(), all.len() as u64);
    assert_eq!(jumping.at(all.len() as u64), None);
    assert_eq!(jumping.at(0).as_ref(), all.first());
}

fn moments<'run>(run: &'run JavaRun, program: &'run Program, node: NodeId) -> Moments<'run> {
    Moments::of(run, program, node).unwrap()
}
