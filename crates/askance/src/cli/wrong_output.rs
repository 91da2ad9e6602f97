//! What somebody says of the program's output before the first question: `--expect-output`, `--wrong-output`.

use java_analysis::output_symptom::{OutputSymptom, OutputSymptomError};
use java_analysis::recording::Recording as _;
use java_model::run::JavaRun;

use super::ask_options::{OutputArguments, SearchArguments};
use super::failure::{Exit, Failure};
use super::output;

/// What is wrong with the output, if that is said. It is told to whoever sits there.
pub(crate) fn symptom(
    run: &JavaRun,
    said: &OutputArguments,
) -> Result<Option<OutputSymptom>, Failure> {
    let found = match (&said.expect_output, &said.wrong_output) {
        (Some(path), _) => {
            let read = std::fs::read(path);
            let expected = read.map_err(|error| {
                let path = path.display();
                Failure::mistake(format!("{path} cannot be read: {error}"))
            })?;
            OutputSymptom::by_expectation(run, &String::from_utf8_lossy(&expected))
        }
        (None, Some(text)) => OutputSymptom::by_text(run, text),
        (None, None) => return Ok(None),
    };
    match found {
        Ok(symptom) if symptom.root.is_none() => Err(Failure::mistake(
            "no call was recorded that could have printed it",
        )),
        Ok(symptom) => {
            output::talk(&format!("askance: {symptom}"));
            Ok(Some(symptom))
        }
        // Something else may be wrong with the run, and then that is asked about.
        Err(error @ OutputSymptomError::AsExpected) => match run.wrong_by_itself(None) {
            Some(_) => {
                output::talk(&format!("askance: {error}"));
                Ok(None)
            }
            None => Err(Failure {
                exit: Exit::Nothing,
                ..failure(&error)
            }),
        },
        Err(error) => Err(failure(&error)),
    }
}

fn failure(error: &OutputSymptomError) -> Failure {
    let failure = Failure::mistake(error.to_string());
    match error {
        OutputSymptomError::NotRecorded => failure.hint("record the program again"),
        OutputSymptomError::AsExpected => {
            failure.hint("leave out --expect-output to search all the same")
        }
        OutputSymptomError::NotFound(_) => failure.hint("askance output T shows what was printed"),
        _ => failure,
    }
}

/// That nothing is known of what a program printed whose calls come from elsewhere.
pub(crate) fn check_imported(said: &OutputArguments) -> Result<(), Failure> {
    match is_said(said) {
        true => Err(Failure::mistake(
            "what the program of an imported call tree printed is not known",
        )),
        false => Ok(()),
    }
}

fn is_said(said: &OutputArguments) -> bool {
    said.expect_output.is_some() || said.wrong_output.is_some()
}

/// That a program which still runs has not printed all of its output.
pub(crate) fn check_live(search: &SearchArguments) -> Result<(), Failure> {
    match is_said(&search.output) {
        true => Err(Failure::mistake(
            "what is wrong with the output can be told when the program has ended",
        )
        .hint("leave out --live, or say it in the dialogue: w output:3")),
        false => Ok(()),
    }
}
