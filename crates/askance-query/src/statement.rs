//! What may be asked: a query, and what explains one. Everything that could change something, read a file or set an
//! option is refused before it is planned.

use datafusion::error::DataFusionError;
use datafusion::sql::parser::{DFParser, Statement};
use datafusion::sql::sqlparser::ast::Statement as SqlStatement;

use crate::failure::QueryFailure;

/// The single statement of a text.
///
/// # Errors
/// If it is no SQL, more than one statement, or one that is not a question.
pub(crate) fn question(sql: &str) -> Result<Statement, QueryFailure> {
    let mut statements = DFParser::parse_sql(sql).map_err(|error| syntax(&error))?;
    let Some(statement) = statements.pop_front() else {
        return Err(QueryFailure::new("the query is empty")
            .hint("ask something: askance query run.askance 'SELECT * FROM call LIMIT 10'"));
    };
    if !statements.is_empty() {
        return Err(
            QueryFailure::new("a query is one statement, and this is several")
                .hint("ask one after the other"),
        );
    }
    match is_question(&statement) {
        true => Ok(statement),
        false => Err(QueryFailure::new(
            "only questions can be asked: a query cannot change anything, read files or set options",
        )
        .hint("begin with SELECT, WITH, VALUES, EXPLAIN, DESCRIBE or SHOW")),
    }
}

fn is_question(statement: &Statement) -> bool {
    match statement {
        Statement::Statement(statement) => is_sql_question(statement),
        Statement::Explain(explain) => is_question(&explain.statement),
        _ => false,
    }
}

fn is_sql_question(statement: &SqlStatement) -> bool {
    match statement {
        SqlStatement::Query(_)
        | SqlStatement::ShowTables { .. }
        | SqlStatement::ShowColumns { .. }
        | SqlStatement::ShowFunctions { .. }
        | SqlStatement::ExplainTable { .. } => true,
        SqlStatement::Explain { statement, .. } => is_sql_question(statement),
        _ => false,
    }
}

fn syntax(error: &DataFusionError) -> QueryFailure {
    let text = error.strip_backtrace();
    let text = text.trim_start_matches("SQL error: ");
    let text = text.strip_prefix("ParserError(\"").unwrap_or(text);
    let text = text.trim_end_matches("\")");
    QueryFailure::new(format!("this is no SQL that can be understood: {text}"))
        .hint("docs/query.md has twenty queries to begin with")
}
