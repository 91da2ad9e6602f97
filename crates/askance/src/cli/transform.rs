//! Transformations by their names.

use debug_engine::transform::{Balancing, Transformations};

use super::failure::Failure;

/// The names in a list, and what they ask for.
pub(crate) fn parse(list: &str) -> Result<(Vec<String>, Transformations), Failure> {
    let names: Vec<String> = list
        .split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect();
    let mut transformations = Transformations::default();
    for name in &names {
        match name.as_str() {
            "balance" => {
                transformations.balancing.get_or_insert_default();
            }
            "unrestricted" => {
                let balancing: &mut Balancing = transformations.balancing.get_or_insert_default();
                balancing.unrestricted = true;
            }
            "closed" => transformations.open_again = false,
            "compress" => transformations.compression = true,
            _ => {
                return Err(
                    Failure::mistake(format!("there is no transformation {name:?}"))
                        .hint("there are balance, unrestricted, closed and compress"),
                );
            }
        }
    }
    Ok((names, transformations))
}
