//! A call tree that another tool wrote down, as `askance import` keeps it.
//!
//! It lives in the folder `imported` of a trace: a small description, and columns that are mapped and
//! used in place, so that opening a tree of a hundred million calls takes no time and no memory.
//!
//! | file | content |
//! |---|---|
//! | `tree.json` | version, number of calls and of routines; written last, so without it there is no tree |
//! | `parents`, `sizes`, `jumps` | the tree in preorder, 4 bytes a call each |
//! | `largest` | the largest subtree that begins in each 64 calls, 4 bytes each; older trees have none |
//! | `routines` | the routine of each call, 2 bytes up to 32,768 routines, 3 up to 8,388,608, else 4; the topmost bit: chained to the sibling before it |
//! | `names_at`, `names` | the routines' names; the lowest bit of an offset: trusted |
//! | `ids` | the numbers that the calls had in the file, 8 bytes each; not there if each is one more than the one before it |
//! | `texts_at`, `texts` | `before`, `after`, `returns` and `lines` of each call as JSON; not there if no call has any |
//! | `chains` | the long chains of siblings, three numbers each |
//!
//! So the tree takes 14.06 bytes a call, and with very many routines 15.06 or 16.06. The first version of the
//! format had 4 bytes in `routines`, and always `ids` and `texts_at`; its trees are still read.

mod columns;
mod description;
mod error;
mod ids;
mod import;
mod line;
mod numbering;
mod routines;
mod texts;
mod view;

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

use debug_engine::transform::NodeKind;
use debug_engine::tree::{LongChains, SizeMaxima};
use debug_engine::view::render::Bounds;
use debug_engine::view::{CallRangeView, NodeView};
use debug_engine::{ExecutionTree, NodeId, RoutineId, Target};
use trace_store::{Map, StoreError};

use description::Description;
pub use error::ImportError;
use ids::Ids;
pub use import::{Imported, import};
use java_analysis::call_range_view;
use java_analysis::calls::Scope;
use java_analysis::lines::CallLines;
use java_analysis::recording::{CodeOfCall, Recording};
use java_names::glob::Glob;
use java_names::names::is_end_of;
use routines::Routines;
use texts::Texts;
use trace_format::files;

const NO_PARENT: u32 = u32::MAX;

mod file {
    pub(super) const DESCRIPTION: &str = "tree.json";
    pub(super) const PARENTS: &str = "parents";
    pub(super) const SIZES: &str = "sizes";
    pub(super) const LARGEST: &str = "largest";
    pub(super) const JUMPS: &str = "jumps";
    pub(super) const ROUTINES: &str = "routines";
    pub(super) const NAMES: &str = "names";
    pub(super) const NAMES_AT: &str = "names_at";
    pub(super) const IDS: &str = "ids";
    pub(super) const TEXTS: &str = "texts";
    pub(super) const TEXTS_AT: &str = "texts_at";
    pub(super) const CHAINS: &str = "chains";
}

/// Why an imported tree cannot be looked at.
#[derive(Debug, thiserror::Error)]
pub enum OpenImportedError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the imported tree at {} is damaged: {what}", .folder.display())]
    Damaged { folder: PathBuf, what: &'static str },
    #[error("the imported tree at {} was made by a newer version of askance", .0.display())]
    Version(PathBuf),
}

const WRONG_LENGTH: &str = "a column has the wrong length";

/// An imported call tree.
pub struct ImportedTree {
    folder: PathBuf,
    description: Description,
    parents: Map,
    sizes: Map,
    jumps: Map,
    routines: Routines,
    names: Map,
    names_at: Map,
    ids: Ids,
    texts: Option<Texts>,
    chains: LongChains,
    maxima: Option<SizeMaxima>,
    trusted: BTreeSet<RoutineId>,
}

impl ImportedTree {
    /// Whether a trace's folder holds an imported tree.
    #[must_use]
    pub fn is_at(folder: &Path) -> bool {
        folder
            .join(files::IMPORTED)
            .join(file::DESCRIPTION)
            .is_file()
    }

    /// Opens the tree in a trace's folder.
    ///
    /// # Errors
    /// If it is not there, or not whole.
    pub fn open(folder: &Path) -> Result<ImportedTree, OpenImportedError> {
        let inside = folder.join(files::IMPORTED);
        let damaged = |what| OpenImportedError::Damaged {
            folder: folder.to_owned(),
            what,
        };
        let map = |name: &str| Map::open(&inside.join(name));
        let description = map(file::DESCRIPTION)?;
        let description: Description = serde_json::from_slice(description.bytes())
            .map_err(|_| damaged("its description cannot be read"))?;
        if !description.is_known() {
            return Err(OpenImportedError::Version(folder.to_owned()));
        }
        let nodes = description.nodes as usize;
        let routines = Routines::new(map(file::ROUTINES)?, description.routine_bytes, nodes);
        let ids = match description.first_id {
            Some(first) => Ids::From(first),
            None => Ids::Listed(map(file::IDS)?),
        };
        let texts = match description.has_texts {
            true => Some(Texts {
                texts: map(file::TEXTS)?,
                starts: map(file::TEXTS_AT)?,
            }),
            false => None,
        };
        let chains = map(file::CHAINS)?;
        let (rows, _) = chains.u32s().as_chunks::<3>();
        let mut tree = ImportedTree {
            folder: folder.to_owned(),
            parents: map(file::PARENTS)?,
            sizes: map(file::SIZES)?,
            jumps: map(file::JUMPS)?,
            routines: routines.ok_or_else(|| damaged(WRONG_LENGTH))?,
            names: map(file::NAMES)?,
            names_at: map(file::NAMES_AT)?,
            ids,
            texts,
            chains: LongChains::from_rows(rows.to_vec()),
            maxima: read_maxima(&inside.join(file::LARGEST), description.nodes),
            trusted: BTreeSet::new(),
            description,
        };
        let columns = [&tree.parents, &tree.sizes, &tree.jumps];
        let is_whole = columns.iter().all(|column| column.u32s().len() == nodes)
            && tree.ids.has(nodes)
            && tree.texts.as_ref().is_none_or(|texts| texts.has(nodes))
            && tree.names_at.u64s().len() == tree.description.routines as usize + 1;
        if nodes == 0 || !is_whole {
            return Err(damaged(WRONG_LENGTH));
        }
        let entries = (0..).zip(tree.names_at.u64s());
        tree.trusted = entries
            .filter(|&(_, entry)| entry & 1 == 1)
            .map(|(routine, _)| RoutineId(routine))
            .collect();
        Ok(tree)
    }

    /// The file that it came from.
    #[must_use]
    pub fn imported_from(&self) -> &str {
        &self.description.from
    }

    /// How many different routines there are.
    #[must_use]
    pub fn routine_count(&self) -> u32 {
        self.description.routines
    }

    /// How many calls are trusted.
    #[must_use]
    pub fn trusted_calls(&self) -> u64 {
        let mut count = 0;
        self.visit_nodes_of(&|routine| self.trusted.contains(&routine), &mut |_| {
            count += 1
        });
        count
    }

    /// What it takes on disk.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let maps = [
            &self.parents,
            &self.sizes,
            &self.jumps,
            &self.names,
            &self.names_at,
        ];
        let mapped: usize = maps.iter().map(|map| map.bytes().len()).sum();
        let texts = self.texts.as_ref().map_or(0, Texts::bytes);
        (mapped + self.routines.bytes() + self.ids.bytes() + texts) as u64
    }

    fn name(&self, routine: RoutineId) -> &str {
        slice(&self.names, self.names_at.u64s(), routine.0 as usize, 1)
            .and_then(|bytes| std::str::from_utf8(bytes).ok())
            .unwrap_or("?")
    }

    /// What was said about a call, as JSON; empty if nothing was.
    fn text(&self, node: NodeId) -> &[u8] {
        let texts = self.texts.as_ref();
        texts.map_or(&[], |texts| texts.get(node.index()))
    }

    fn routines(&self) -> impl Iterator<Item = (RoutineId, &str)> {
        (0..self.description.routines).map(|number| {
            let routine = RoutineId(number);
            (routine, self.name(routine))
        })
    }
}

fn read_maxima(path: &Path, nodes: u32) -> Option<SizeMaxima> {
    let largest = Map::open(path).ok()?.u32s().to_vec();
    let is_whole = largest.len() == nodes.div_ceil(SizeMaxima::BLOCK) as usize;
    is_whole.then(|| SizeMaxima::from_blocks(largest))
}

/// The bytes between two neighbouring offsets, of which the lowest bits are something else.
fn slice<'map>(bytes: &'map Map, offsets: &[u64], index: usize, flags: u32) -> Option<&'map [u8]> {
    let start = offsets.get(index)? >> flags;
    let end = offsets.get(index + 1)? >> flags;
    let range = usize::try_from(start).ok()?..usize::try_from(end).ok()?;
    bytes.bytes().get(range)
}

/// `shop.Cart.add` is `add` of the class `shop.Cart`.
fn split_name(name: &str) -> (&str, &str) {
    name.rsplit_once('.').unwrap_or(("", name))
}

impl ExecutionTree for ImportedTree {
    fn len(&self) -> u32 {
        self.description.nodes
    }

    fn parent(&self, node: NodeId) -> Option<NodeId> {
        let parent = self.parents.u32s()[node.index()];
        (parent != NO_PARENT).then_some(NodeId(parent))
    }

    fn subtree_size(&self, node: NodeId) -> u32 {
        self.sizes.u32s()[node.index()]
    }

    fn is_complete(&self, _: NodeId) -> bool {
        true
    }

    fn routine(&self, node: NodeId) -> RoutineId {
        self.routines.get(node.index()).routine
    }

    fn first_largest(&self, range: Range<u32>) -> Option<(u32, NodeId)> {
        let sizes = self.sizes.u32s();
        let maxima = self.maxima.as_ref()?;
        maxima.first_largest(range, |position| sizes[position as usize])
    }

    fn jump(&self, node: NodeId) -> Option<NodeId> {
        Some(NodeId(self.jumps.u32s()[node.index()]))
    }

    fn chained_to_next(&self, node: NodeId) -> bool {
        let next = node.0.saturating_add(self.subtree_size(node));
        next < self.len()
            && self.parent(NodeId(next)) == self.parent(node)
            && self.routines.get(next as usize).is_chained
    }

    fn chain_around(&self, node: NodeId) -> Option<(NodeId, NodeId)> {
        Some(self.chains.around(self, node))
    }

    fn incomplete_nodes(&self) -> Vec<NodeId> {
        Vec::new()
    }
}

impl Recording for ImportedTree {
    fn folder(&self) -> &Path {
        &self.folder
    }

    fn number(&self) -> u32 {
        0
    }

    fn code_of(&self, node: NodeId) -> CodeOfCall {
        let name = self.name(self.routine(node));
        let (class, method) = split_name(name);
        CodeOfCall {
            class: class.to_owned(),
            method: method.to_owned(),
            descriptor: String::new(),
            routine: name.to_owned(),
            file: None,
            lines: view::lines(self.text(node)),
            has_names: true,
        }
    }

    fn view(&self, node: NodeId, _: Bounds) -> NodeView {
        view::node_view(node, self.name(self.routine(node)), self.text(node))
    }

    fn exact_view(&self, node: NodeId, bounds: Bounds) -> NodeView {
        self.view(node, bounds)
    }

    /// The file says which lines a call executed; what of it had a part in the result is not known.
    fn call_range(&self, target: Target, kind: NodeKind, bounds: Bounds) -> CallRangeView {
        call_range_view::of_views(self, target, kind, bounds)
    }

    fn lines_to_blame(&self, node: NodeId, _: Option<&str>) -> CallLines {
        let lines = view::lines(self.text(node));
        CallLines {
            executed: lines.clone(),
            slice: Vec::new(),
            narrowest: lines,
        }
    }

    fn source(&self, _: NodeId, _: &[u32]) -> Option<String> {
        None
    }

    fn find(&self, name: &str) -> Option<NodeId> {
        let wanted: BTreeSet<RoutineId> = self
            .routines()
            .filter(|(_, found)| is_end_of(found, name))
            .map(|(routine, _)| routine)
            .collect();
        if wanted.is_empty() {
            return None;
        }
        let mut entries = (0..).zip(self.routines.iter());
        let found = entries.find(|(_, entry)| wanted.contains(&entry.routine));
        found.map(|(node, _)| NodeId(node))
    }

    fn routines_matching(&self, pattern: &Glob) -> BTreeSet<RoutineId> {
        self.routines()
            .filter(|(_, name)| pattern.matches(split_name(name).0) || pattern.matches(name))
            .map(|(routine, _)| routine)
            .collect()
    }

    fn each_routine(&self, visit: &mut dyn FnMut(RoutineId, &str)) {
        for (routine, name) in self.routines() {
            visit(routine, name);
        }
    }

    fn routine_name(&self, routine: RoutineId) -> String {
        self.name(routine).to_owned()
    }

    fn routines_beside(&self, node: NodeId, scope: Scope) -> BTreeSet<RoutineId> {
        let class = |name| split_name(name).0;
        let here = class(self.name(self.routine(node)));
        let is_beside = |other: &str| match scope {
            Scope::Class => other == here,
            Scope::Package => split_name(other).0 == split_name(here).0,
        };
        self.routines()
            .filter(|(_, name)| is_beside(class(name)))
            .map(|(routine, _)| routine)
            .collect()
    }

    fn never_asked(&self) -> BTreeSet<RoutineId> {
        self.trusted.clone()
    }

    fn foreign_id(&self, node: NodeId) -> Option<u64> {
        self.ids.get(node.index())
    }
}
