//! The views that come with Askance: a file each, whose first line says what it shows.

use datafusion::error::Result;
use datafusion::prelude::SessionContext;

/// A query with a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View {
    pub name: &'static str,
    file: &'static str,
}

/// All of them.
pub const VIEWS: &[View] = &[
    View {
        name: "returned_null",
        file: include_str!("views/returned_null.sql"),
    },
    View {
        name: "last_writer",
        file: include_str!("views/last_writer.sql"),
    },
    View {
        name: "first_write",
        file: include_str!("views/first_write.sql"),
    },
    View {
        name: "only_failing_tests",
        file: include_str!("views/only_failing_tests.sql"),
    },
    View {
        name: "hottest",
        file: include_str!("views/hottest.sql"),
    },
    View {
        name: "swallowed_exceptions",
        file: include_str!("views/swallowed_exceptions.sql"),
    },
    View {
        name: "shared_writes",
        file: include_str!("views/shared_writes.sql"),
    },
];

impl View {
    /// What it shows.
    #[must_use]
    pub fn about(&self) -> &'static str {
        let first = self.file.lines().next().unwrap_or_default();
        first.trim_start_matches("-- ")
    }

    #[must_use]
    pub fn sql(&self) -> &'static str {
        self.file
    }
}

/// Makes those views known that a query may name: planning all of them would take longer than most queries.
pub(crate) async fn register_named(context: &SessionContext, sql: &str) -> Result<()> {
    let sql = sql.to_lowercase();
    // A listing of all tables has the views among them.
    let all = ["information_schema", "show tables"]
        .iter()
        .any(|words| sql.contains(words));
    for view in VIEWS {
        if (all || sql.contains(view.name)) && !context.table_exist(view.name)? {
            let planned = context.sql(view.sql()).await?;
            context.register_table(view.name, planned.into_view())?;
        }
    }
    Ok(())
}
