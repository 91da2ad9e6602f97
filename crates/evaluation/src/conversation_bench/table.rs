//! The tables for `docs/conversation.md`.

use std::fmt::Write as _;

use super::COMMAND;
use super::asking::{AskedCase, ConversationOutcome, Read, UNKNOWN};
use super::case::CorpusPart;
use super::ranking::Top;
use super::statistics::{mean, percentile};

/// A question that is longer does not fit into a terminal.
const SCREEN: usize = 24;
/// After how many answers the suspects are looked at again.
const AFTER: [usize; 4] = [0, 1, 3, 5];

/// Everything that was measured.
#[must_use]
pub fn to_markdown(all: &[AskedCase], seed: u64) -> String {
    let groups = Groups::of(all);
    let mut text = format!("Made by `{COMMAND}` with the seed {seed}.\n");
    text += &questions_table(&groups);
    text += &reading_table(&groups);
    text += &suspects_table(&groups);
    text
}

/// The conversations of one part, or of one program, in one manner.
struct Group<'a> {
    name: String,
    manner: &'a str,
    asked: Vec<&'a AskedCase>,
}

struct Groups<'a>(Vec<Group<'a>>);

impl<'a> Groups<'a> {
    /// Parts in their order, the programs of mutants below them, each in every manner.
    fn of(all: &'a [AskedCase]) -> Groups<'a> {
        let mut manners: Vec<&str> = Vec::new();
        for asked in all {
            if !manners.contains(&asked.manner.as_str()) {
                manners.push(&asked.manner);
            }
        }
        let mut groups = Vec::new();
        let mut add = |name: String, is_in: &dyn Fn(&AskedCase) -> bool| {
            for &manner in &manners {
                let asked = all.iter().filter(|one| one.manner == manner && is_in(one));
                let asked: Vec<&AskedCase> = asked.collect();
                if !asked.is_empty() {
                    groups.push(Group {
                        name: name.clone(),
                        manner,
                        asked,
                    });
                }
            }
        };
        for part in CorpusPart::ALL {
            add(format!("**{}**", part.name()), &|one| one.part == part);
            if part == CorpusPart::Mutants {
                for program in programs(all, part) {
                    add(program.to_owned(), &|one| {
                        one.part == part && one.program == program
                    });
                }
            }
        }
        Groups(groups)
    }
}

fn programs(all: &[AskedCase], part: CorpusPart) -> Vec<&str> {
    let mut programs: Vec<&str> = Vec::new();
    for asked in all.iter().filter(|one| one.part == part) {
        if !programs.contains(&asked.program.as_str()) {
            programs.push(&asked.program);
        }
    }
    programs
}

impl Group<'_> {
    fn count(&self, outcomes: &[ConversationOutcome]) -> usize {
        let counted = self.asked.iter();
        counted
            .filter(|one| outcomes.contains(&one.outcome))
            .count()
    }

    /// How many questions each took.
    fn questions(&self) -> Vec<usize> {
        self.asked.iter().map(|one| one.questions.len()).collect()
    }

    fn each_question<T>(&self, of: impl Fn(&Read) -> T) -> Vec<T> {
        let read = self.asked.iter().flat_map(|one| &one.questions);
        read.map(of).collect()
    }
}

fn questions_table(groups: &Groups<'_>) -> String {
    let mut text = String::from(
        "\n| of | asked by | cases | right | wrong | suspects | nothing | gave up | questions | median | one in ten \
         above | worst | don't know |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for group in &groups.0 {
        let questions = group.questions();
        let as_numbers: Vec<f64> = questions.iter().map(|&count| count as f64).collect();
        let unknown = group.each_question(|read| read.answer.starts_with(UNKNOWN));
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {:.2} | {} | {} | {} | {} |",
            group.name,
            group.manner,
            group.asked.len(),
            group.count(&[ConversationOutcome::Right]),
            group.count(&[ConversationOutcome::Wrong]),
            group.count(&[ConversationOutcome::Among, ConversationOutcome::NotAmong]),
            group.count(&[ConversationOutcome::Nothing]),
            group.count(&[ConversationOutcome::TooMany, ConversationOutcome::Failed]),
            mean(&as_numbers),
            percentile(&questions, 50),
            percentile(&questions, 90),
            percentile(&questions, 100),
            unknown.iter().filter(|is_unknown| **is_unknown).count(),
        );
    }
    text
}

fn reading_table(groups: &Groups<'_>) -> String {
    let mut text = format!(
        "\n| of | asked by | questions | characters: median | one in ten above | most | above {SCREEN} lines | \
         characters until the end: median | one in ten above |\n|---|---|--:|--:|--:|--:|--:|--:|--:|\n"
    );
    for group in &groups.0 {
        let characters = group.each_question(|read| read.characters);
        let lines = group.each_question(|read| read.lines);
        let until = |one: &&AskedCase| one.questions.iter().map(|read| read.characters).sum();
        let until: Vec<usize> = group.asked.iter().map(until).collect();
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            group.name,
            group.manner,
            characters.len(),
            percentile(&characters, 50),
            percentile(&characters, 90),
            percentile(&characters, 100),
            lines.iter().filter(|&&lines| lines > SCREEN).count(),
            percentile(&until, 50),
            percentile(&until, 90),
        );
    }
    text
}

fn suspects_table(groups: &Groups<'_>) -> String {
    let mut text = String::from("\n| of | asked by | cases | Ochiai: first 1 / 3 / 5 |");
    for after in AFTER {
        let _ = match after {
            0 => write!(text, " suspects: first 1 / 3 / 5 |"),
            1 => write!(text, " after 1 answer |"),
            more => write!(text, " after {more} |"),
        };
    }
    let _ = writeln!(text, "\n|---|---|--:|--:|{}", "--:|".repeat(AFTER.len()));
    for group in &groups.0 {
        let tops = |of: &dyn Fn(&AskedCase) -> Option<Top>| {
            let tops: Vec<Top> = group.asked.iter().filter_map(|one| of(one)).collect();
            shares(&tops)
        };
        let _ = write!(
            text,
            "| {} | {} | {} | {} |",
            group.name,
            group.manner,
            group.asked.len(),
            tops(&|one| one.ochiai)
        );
        for after in AFTER {
            let at = |one: &AskedCase| {
                let last = one.suspects.len().checked_sub(1)?;
                one.suspects.get(after.min(last)).copied()
            };
            let _ = write!(text, " {} |", tops(&at));
        }
        text.push('\n');
    }
    text
}

/// `34 / 54 / 62 %`, or a dash where nothing is ranked.
fn shares(tops: &[Top]) -> String {
    if tops.is_empty() {
        return "–".to_owned();
    }
    let share = |place: usize| {
        let chances: Vec<f64> = tops.iter().map(|top| top.0[place]).collect();
        100.0 * mean(&chances)
    };
    format!("{:.0} / {:.0} / {:.0} %", share(0), share(1), share(2))
}
