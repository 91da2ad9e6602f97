//! Which classes are the user's own, and which belong to libraries.
//!
//! Suspects are the classes of the project: those of class folders, of the jar that the program was started from, of
//! jars that were built here, and of packages whose sources are here. Whatever else comes from an archive is a
//! library: trusted, as the JDK is, and not rewritten. Of a call of it there is then what its caller gave and got.
//! Where nothing tells that a class is a library's, it is the user's own.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use trace_format::RecordOptions;

use crate::filter::Glob;

/// Parts of the names of classes that frameworks make while the program runs: proxies, mocks and the like. They come
/// with the location of the class that they stand for.
const GENERATED: &[&str] = &[
    "$$EnhancerBy",
    "$$FastClassBy",
    "$$SpringCGLIB$$",
    "$$KeyFactoryBy",
    "$MockitoMock$",
    "$HibernateProxy$",
    "$HibernateInstantiator$",
    "$ByteBuddy$",
    "_$$_jvst",
    "_$$_javassist",
    "$auxiliary$",
    "$$Lambda",
];

/// Main classes, by the beginnings of their names, that run code which is not theirs: their archives are libraries.
const LAUNCHERS: &[&str] = &[
    "groovy/",
    "org/codehaus/groovy/",
    "scala/tools/",
    "dotty/tools/",
    "org/jetbrains/kotlin/",
    "clojure/main",
    "org/jruby/",
    "org/python/util/",
    "org/springframework/boot/loader/",
    "org/apache/tools/ant/",
    "org/apache/catalina/startup/",
    "org/eclipse/jetty/start/",
];

/// Folders, the last two parts of their paths, into which builds put the archives that they make.
const BUILT: &[&[&str]] = &[
    &["target"],
    &["build", "libs"],
    &["out", "artifacts"],
    &["dist"],
];

/// See the module's header.
#[derive(Debug)]
pub(crate) struct OwnCode {
    /// What the user counts as own besides what is found to be.
    suspects: Vec<Glob>,
    /// Packages whose sources are here, as `a/b`.
    packages: HashSet<String>,
    /// The project's folder.
    project: PathBuf,
    /// The class that the program was started with, as `a/b/C`, or its archive.
    main: OnceLock<Main>,
    /// What was decided of archives.
    archives: Mutex<HashMap<String, Archive>>,
}

#[derive(Debug, PartialEq, Eq)]
enum Main {
    Class(String),
    Archive(PathBuf),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Archive {
    Own,
    Library,
}

/// What a class is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    Own,
    /// Of a library; whether this is the first class of it that was met.
    Library {
        is_first: bool,
    },
    /// Made while the program ran.
    Generated,
}

impl OwnCode {
    fn new(suspects: &[String], packages: &[String], project: PathBuf) -> OwnCode {
        OwnCode {
            suspects: suspects.iter().map(|text| Glob::new(text)).collect(),
            packages: packages
                .iter()
                .map(|package| package.replace('.', "/"))
                .collect(),
            project,
            main: OnceLock::new(),
            archives: Mutex::default(),
        }
    }

    pub(crate) fn of_options(options: &RecordOptions) -> OwnCode {
        let project = options.project.clone();
        OwnCode::new(&options.suspect, &options.own_packages, project)
    }

    /// What the JVM was started with: a class or an archive, and the program's arguments.
    pub(crate) fn started_with(&self, java_command: &str) {
        let first = java_command.split(' ').next().unwrap_or_default();
        let main = match is_archive(first) {
            true => Main::Archive(canonical(Path::new(first))),
            // With a module's name before it.
            false => {
                let class = first.rsplit('/').next().unwrap_or(first);
                Main::Class(class.replace('.', "/"))
            }
        };
        // Set once: there is one program in a JVM.
        let _ = self.main.set(main);
    }

    /// What a class is, by its internal name and the location that its loader gave it.
    pub(crate) fn origin(&self, class: &str, location: Option<&str>) -> Origin {
        if self.suspects.iter().any(|glob| glob.matches(class)) {
            return Origin::Own;
        }
        if GENERATED.iter().any(|part| class.contains(part)) || is_jdk_proxy(class) {
            return Origin::Generated;
        }
        if self.has_sources(class) {
            return Origin::Own;
        }
        match location.map(CodeOrigin::of) {
            Some(CodeOrigin::Archive(archive)) => self.in_archive(class, archive),
            Some(CodeOrigin::Image) => Origin::Library { is_first: false },
            Some(CodeOrigin::Folder) | None => Origin::Own,
        }
    }

    /// Whether the sources of the class's package are here, or those of one above it. A package of one word, such as
    /// `org`, stands for itself only.
    fn has_sources(&self, class: &str) -> bool {
        let Some((package, _)) = class.rsplit_once('/') else {
            return false;
        };
        let mut packages =
            std::iter::successors(Some(package), |package| Some(package.rsplit_once('/')?.0));
        packages.any(|each| (each == package || each.contains('/')) && self.packages.contains(each))
    }

    fn in_archive(&self, class: &str, archive: &str) -> Origin {
        let mut archives = self.archives.lock().unwrap_or_else(PoisonError::into_inner);
        let known = archives.get(archive).copied();
        // The program begins in its own code.
        let is_main = matches!(self.main.get(), Some(Main::Class(main)) if main == class)
            && !LAUNCHERS.iter().any(|launcher| class.starts_with(launcher));
        let decided = match known {
            Some(known) if !is_main => known,
            _ if is_main || self.is_own_archive(archive) => Archive::Own,
            _ => Archive::Library,
        };
        archives.insert(archive.to_owned(), decided);
        match decided {
            Archive::Own => Origin::Own,
            Archive::Library => Origin::Library {
                is_first: known.is_none(),
            },
        }
    }

    fn is_own_archive(&self, archive: &str) -> bool {
        let path = canonical(Path::new(archive));
        if matches!(self.main.get(), Some(Main::Archive(main)) if *main == path) {
            return true;
        }
        let Some(folder) = path.strip_prefix(&self.project).ok().and_then(Path::parent) else {
            return false;
        };
        BUILT
            .iter()
            .any(|parts| folder.ends_with(parts.iter().collect::<PathBuf>()))
    }
}

/// Whether the JDK has made it to stand for interfaces; for one that is not public, in its package.
fn is_jdk_proxy(class: &str) -> bool {
    let simple = class.rsplit('/').next().unwrap_or(class);
    let number = simple.strip_prefix("$Proxy");
    number.is_some_and(|number| number.bytes().all(|digit| digit.is_ascii_digit()))
}

/// What a location stands for.
#[derive(Debug, PartialEq, Eq)]
enum CodeOrigin<'l> {
    /// A folder of class files, also one within an archive.
    Folder,
    /// An archive, by its path; of one within another, by the location.
    Archive(&'l str),
    /// The JDK's own.
    Image,
}

impl<'l> CodeOrigin<'l> {
    /// From protocol and path: `file:/a/b.jar`, `jar:file:/a.jar!/lib/b.jar!/`.
    fn of(location: &'l str) -> CodeOrigin<'l> {
        let (protocol, path) = location.split_once(':').unwrap_or(("", location));
        if protocol == "jrt" {
            return CodeOrigin::Image;
        }
        let inner = path.trim_end_matches('/').trim_end_matches('!');
        match is_archive(inner) {
            true if protocol == "file" => CodeOrigin::Archive(inner),
            true => CodeOrigin::Archive(location),
            false => CodeOrigin::Folder,
        }
    }
}

fn is_archive(path: &str) -> bool {
    [".jar", ".war", ".ear", ".zip"]
        .iter()
        .any(|extension| path.ends_with(extension))
}

fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIBRARY: Origin = Origin::Library { is_first: true };

    fn check(class: &str, location: Option<&str>, expected: Origin) {
        let own = OwnCode::new(
            &["org.suspect.*".to_owned()],
            &["shop.cart".to_owned()],
            PathBuf::from("/home/me/shop"),
        );
        own.started_with("com.tool.Main -v x.jar");
        assert_eq!(
            own.origin(class, location),
            expected,
            "{class} {location:?}"
        );
    }

    #[test]
    fn class_folders_are_own_and_archives_are_libraries() {
        check(
            "Main",
            Some("file:/home/me/shop/target/classes/"),
            Origin::Own,
        );
        check("a/B", Some("file:/elsewhere/classes/"), Origin::Own);
        check(
            "a/B",
            Some("file:/home/me/.m2/repository/a/a-1.jar"),
            LIBRARY,
        );
        check("a/B", Some("file:/home/me/shop/lib/a.jar"), LIBRARY);
        check(
            "a/B",
            Some("file:/home/me/shop/target/dependency/a.jar"),
            LIBRARY,
        );
        check(
            "a/B",
            Some("jrt:/jdk.compiler"),
            Origin::Library { is_first: false },
        );
        check("a/B", None, Origin::Own);
    }

    #[test]
    fn archives_within_archives() {
        let app = "jar:file:/srv/app.jar!/BOOT-INF/";
        check("a/B", Some(&format!("{app}classes!/")), Origin::Own);
        check("a/B", Some(&format!("{app}lib/a.jar!/")), LIBRARY);
        check(
            "a/B",
            Some("jar:nested:/srv/app.jar/!BOOT-INF/classes/!/"),
            Origin::Own,
        );
        check(
            "a/B",
            Some("vfs:/deployments/a.war/WEB-INF/lib/b.jar/"),
            LIBRARY,
        );
    }

    #[test]
    fn what_was_built_here_what_has_sources_here_and_what_the_user_names_is_own() {
        check(
            "a/B",
            Some("file:/home/me/shop/core/target/core-1.jar"),
            Origin::Own,
        );
        check(
            "a/B",
            Some("file:/home/me/shop/build/libs/shop.jar"),
            Origin::Own,
        );
        check(
            "shop/cart/Cart",
            Some("file:/home/me/.m2/shop.jar"),
            Origin::Own,
        );
        check(
            "shop/cart/sub/Item",
            Some("file:/home/me/.m2/shop.jar"),
            Origin::Own,
        );
        check(
            "shop/other/Cart",
            Some("file:/home/me/.m2/shop.jar"),
            LIBRARY,
        );
        check("org/suspect/A", Some("file:/a.jar"), Origin::Own);
    }

    #[test]
    fn the_archive_of_the_main_class_is_own() {
        let own = OwnCode::new(&[], &[], PathBuf::from("/home/me"));
        own.started_with("com.tool.Main -v");
        let jar = Some("file:/opt/tool.jar");
        assert_eq!(own.origin("com/tool/Main", jar), Origin::Own);
        assert_eq!(own.origin("com/tool/Other", jar), Origin::Own);
        let library = Some("file:/opt/library.jar");
        assert_eq!(own.origin("a/B", library), LIBRARY);
        assert_eq!(
            own.origin("a/C", library),
            Origin::Library { is_first: false }
        );
        let own = OwnCode::new(&[], &[], PathBuf::from("/home/me"));
        own.started_with("/opt/tool.jar -v");
        assert_eq!(own.origin("com/tool/Other", jar), Origin::Own);
    }

    #[test]
    fn the_archive_of_a_launcher_is_a_library() {
        let own = OwnCode::new(&[], &[], PathBuf::from("/home/me"));
        own.started_with("groovy.ui.GroovyMain wages.groovy");
        let jar = Some("file:/opt/groovy.jar");
        assert_eq!(own.origin("groovy/ui/GroovyMain", jar), LIBRARY);
        let script = Some("file:/groovy/script");
        assert_eq!(own.origin("wages", script), Origin::Own);
    }

    #[test]
    fn what_frameworks_make_is_generated() {
        let folder = Some("file:/home/me/shop/target/classes/");
        check("shop/cart/Cart$$SpringCGLIB$$0", folder, Origin::Generated);
        check("shop/A$$SpringCGLIB$$0", folder, Origin::Generated);
        check("shop/A$MockitoMock$12", folder, Origin::Generated);
        check("org/framework/$Proxy41", None, Origin::Generated);
        check("shop/$ProxyOfMine", folder, Origin::Own);
    }
}
