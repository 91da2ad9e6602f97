//! The classes of the JDK, and of what other languages bring along, whose objects show what they hold.

/// A class whose fields show what a developer wants to see of its objects.
#[derive(Debug)]
pub(crate) struct Followed {
    /// Internal name.
    pub(crate) name: &'static str,
    /// Whether its objects change by its own code, which must then be rewritten.
    pub(crate) changes: bool,
    /// Other classes whose code writes to its objects (iterators that remove, nodes that move), rewritten with it.
    pub(crate) written_by: &'static [&'static str],
    /// The fields that say what its objects are, if the others are caches and machinery.
    only: Option<&'static [&'static str]>,
}

impl Followed {
    /// Whether a field of its objects is noted.
    pub(crate) fn notes(&self, field: &str) -> bool {
        match self.only {
            Some(only) => only.contains(&field),
            None => !is_bookkeeping(field),
        }
    }
}

const fn changing(name: &'static str) -> Followed {
    written_by(name, &[])
}

const fn written_by(name: &'static str, written_by: &'static [&'static str]) -> Followed {
    Followed {
        name,
        changes: true,
        written_by,
        only: None,
    }
}

const fn fixed(name: &'static str) -> Followed {
    Followed {
        name,
        changes: false,
        written_by: &[],
        only: None,
    }
}

/// A class whose objects never change in these fields.
const fn value(name: &'static str, only: &'static [&'static str]) -> Followed {
    Followed {
        only: Some(only),
        ..fixed(name)
    }
}

/// A class of whose objects only these fields say what they are, and whose code and that of these classes changes them.
const fn changing_value(
    name: &'static str,
    only: &'static [&'static str],
    by: &'static [&'static str],
) -> Followed {
    Followed {
        only: Some(only),
        ..written_by(name, by)
    }
}

/// The class that `StringBuilder` and `StringBuffer` have their content from.
pub(super) const BUILDER: &str = "java/lang/AbstractStringBuilder";

/// Up to Java 8 it sets single characters by itself.
pub(super) const BUFFER: &str = "java/lang/StringBuffer";

const FOLLOWED: &[Followed] = &[
    changing(BUILDER),
    changing(BUFFER),
    changing("java/util/ArrayList"),
    changing("java/util/ArrayList$SubList"),
    changing("java/util/AbstractList$SubList"),
    changing("java/util/SubList"),
    written_by("java/util/LinkedList", &["java/util/LinkedList$ListItr"]),
    changing("java/util/LinkedList$Node"),
    changing("java/util/ArrayDeque"),
    changing("java/util/PriorityQueue"),
    changing("java/util/Vector"),
    written_by("java/util/HashMap", &["java/util/HashMap$TreeNode"]),
    changing("java/util/HashMap$Node"),
    changing("java/util/HashMap$TreeNode"),
    changing("java/util/LinkedHashMap"),
    changing("java/util/LinkedHashMap$Entry"),
    changing("java/util/TreeMap"),
    changing("java/util/TreeMap$Entry"),
    written_by("java/util/Hashtable", &["java/util/Hashtable$Enumerator"]),
    changing("java/util/Hashtable$Entry"),
    written_by(
        "java/util/IdentityHashMap",
        &[
            "java/util/IdentityHashMap$IdentityHashMapIterator",
            "java/util/IdentityHashMap$EntryIterator$Entry",
        ],
    ),
    written_by(
        "java/util/EnumMap",
        &[
            "java/util/EnumMap$EnumMapIterator",
            "java/util/EnumMap$EntryIterator$Entry",
        ],
    ),
    fixed("java/util/EnumSet"),
    written_by(
        "java/util/RegularEnumSet",
        &["java/util/RegularEnumSet$EnumSetIterator"],
    ),
    written_by(
        "java/util/JumboEnumSet",
        &["java/util/JumboEnumSet$EnumSetIterator"],
    ),
    changing("java/util/BitSet"),
    changing("java/util/Arrays$ArrayList"),
    changing("java/util/AbstractMap$SimpleEntry"),
    fixed("java/util/Properties"),
    fixed("java/util/HashSet"),
    fixed("java/util/TreeSet"),
    fixed("java/util/AbstractMap$SimpleImmutableEntry"),
    fixed("java/util/KeyValueHolder"),
    fixed("java/util/HashMap$KeySet"),
    fixed("java/util/HashMap$Values"),
    fixed("java/util/HashMap$EntrySet"),
    fixed("java/util/LinkedHashMap$LinkedKeySet"),
    fixed("java/util/LinkedHashMap$LinkedValues"),
    fixed("java/util/LinkedHashMap$LinkedEntrySet"),
    fixed("java/util/TreeMap$KeySet"),
    fixed("java/util/TreeMap$Values"),
    fixed("java/util/TreeMap$EntrySet"),
    fixed("java/util/Hashtable$KeySet"),
    fixed("java/util/Hashtable$ValueCollection"),
    fixed("java/util/Hashtable$EntrySet"),
    fixed("java/util/IdentityHashMap$KeySet"),
    fixed("java/util/IdentityHashMap$Values"),
    fixed("java/util/IdentityHashMap$EntrySet"),
    fixed("java/util/EnumMap$KeySet"),
    fixed("java/util/EnumMap$Values"),
    fixed("java/util/EnumMap$EntrySet"),
    fixed("java/util/ImmutableCollections$ListN"),
    fixed("java/util/ImmutableCollections$List12"),
    fixed("java/util/ImmutableCollections$SubList"),
    fixed("java/util/ImmutableCollections$SetN"),
    fixed("java/util/ImmutableCollections$Set12"),
    fixed("java/util/ImmutableCollections$MapN"),
    fixed("java/util/ImmutableCollections$Map1"),
    fixed("java/util/Collections$SingletonList"),
    fixed("java/util/Collections$SingletonSet"),
    fixed("java/util/Collections$SingletonMap"),
    fixed("java/util/Collections$CopiesList"),
    fixed("java/util/Collections$UnmodifiableCollection"),
    fixed("java/util/Collections$UnmodifiableList"),
    fixed("java/util/Collections$UnmodifiableMap"),
    fixed("java/util/Collections$CheckedCollection"),
    fixed("java/util/Collections$CheckedMap"),
    written_by(
        "java/util/Collections$SynchronizedCollection",
        &["java/util/Collections$SynchronizedList"],
    ),
    fixed("java/util/Collections$SynchronizedList"),
    changing("java/util/Collections$SynchronizedMap"),
    fixed("java/util/Collections$SetFromMap"),
    fixed("java/util/Collections$AsLIFOQueue"),
    fixed("java/util/Optional"),
    fixed("java/util/OptionalInt"),
    fixed("java/util/OptionalLong"),
    fixed("java/util/OptionalDouble"),
    fixed("java/util/UUID"),
    fixed("java/math/BigInteger"),
    fixed("java/math/BigDecimal"),
    fixed("java/time/LocalDate"),
    fixed("java/time/LocalTime"),
    fixed("java/time/LocalDateTime"),
    fixed("java/time/Instant"),
    fixed("java/time/Duration"),
    value("java/time/Period", &["years", "months", "days"]),
    value("java/time/Year", &["year"]),
    value("java/time/YearMonth", &["year", "month"]),
    value("java/time/MonthDay", &["month", "day"]),
    value("java/time/ZoneOffset", &["totalSeconds"]),
    value("java/time/ZoneRegion", &["id"]),
    value("java/time/OffsetTime", &["time", "offset"]),
    value("java/time/OffsetDateTime", &["dateTime", "offset"]),
    value("java/time/ZonedDateTime", &["dateTime", "offset", "zone"]),
    changing_value("java/util/Date", &["fastTime", "cdate"], &[]),
    changing_value("sun/util/calendar/CalendarDate", &["normalized"], &[]),
    changing_value(
        "java/util/Calendar",
        &["time", "isTimeSet"],
        &["java/util/GregorianCalendar"],
    ),
    value("java/io/File", &["path"]),
    value(
        "java/net/URI",
        &[
            "string",
            "scheme",
            "schemeSpecificPart",
            "authority",
            "path",
            "query",
            "fragment",
        ],
    ),
    value("java/net/URL", &["protocol", "authority", "file", "ref"]),
    value("java/nio/charset/Charset", &["name"]),
    value("java/util/Currency", &["currencyCode"]),
    value("java/util/Locale", &["baseLocale", "localeExtensions"]),
    value("java/util/regex/Pattern", &["pattern"]),
    value(
        "sun/util/locale/BaseLocale",
        &["language", "script", "region", "variant"],
    ),
    value("sun/nio/fs/UnixPath", &["path"]),
    value("sun/nio/fs/WindowsPath", &["path"]),
    changing("java/util/concurrent/atomic/AtomicInteger"),
    changing("java/util/concurrent/atomic/AtomicLong"),
    changing("java/util/concurrent/atomic/AtomicBoolean"),
    changing("java/util/concurrent/atomic/AtomicReference"),
    changing("java/util/concurrent/atomic/AtomicIntegerArray"),
    changing("java/util/concurrent/atomic/AtomicLongArray"),
    changing("java/util/concurrent/atomic/AtomicReferenceArray"),
    changing("java/util/concurrent/atomic/LongAdder"),
    changing("java/util/concurrent/atomic/Striped64"),
    changing("java/util/concurrent/atomic/Striped64$Cell"),
    written_by(
        "java/util/concurrent/ConcurrentHashMap",
        &[
            "java/util/concurrent/ConcurrentHashMap$TreeNode",
            "java/util/concurrent/ConcurrentHashMap$TreeBin",
        ],
    ),
    changing("java/util/concurrent/ConcurrentHashMap$Node"),
    changing("java/util/concurrent/ConcurrentHashMap$TreeNode"),
    changing("java/util/concurrent/ConcurrentHashMap$TreeBin"),
    fixed("java/util/concurrent/ConcurrentHashMap$ForwardingNode"),
    changing("java/util/concurrent/ConcurrentHashMap$CounterCell"),
    fixed("java/util/concurrent/ConcurrentHashMap$CollectionView"),
    fixed("java/util/concurrent/ConcurrentHashMap$KeySetView"),
    fixed("java/util/concurrent/ConcurrentHashMap$MapEntry"),
    written_by(
        "java/util/concurrent/ConcurrentLinkedQueue",
        &["java/util/concurrent/ConcurrentLinkedQueue$Itr"],
    ),
    changing("java/util/concurrent/ConcurrentLinkedQueue$Node"),
    written_by(
        "java/util/concurrent/ConcurrentLinkedDeque",
        &["java/util/concurrent/ConcurrentLinkedDeque$AbstractItr"],
    ),
    changing("java/util/concurrent/ConcurrentLinkedDeque$Node"),
    changing("java/util/concurrent/CopyOnWriteArrayList"),
    fixed("java/util/concurrent/CopyOnWriteArraySet"),
    changing("java/util/concurrent/LinkedBlockingQueue"),
    changing("java/util/concurrent/LinkedBlockingQueue$Node"),
    changing("java/util/concurrent/LinkedBlockingDeque"),
    changing("java/util/concurrent/LinkedBlockingDeque$Node"),
    changing("java/util/concurrent/ArrayBlockingQueue"),
    changing("java/util/concurrent/PriorityBlockingQueue"),
    changing("java/util/concurrent/ConcurrentSkipListMap"),
    changing("java/util/concurrent/ConcurrentSkipListMap$Node"),
    changing("java/util/concurrent/ConcurrentSkipListMap$Index"),
    fixed("java/util/concurrent/ConcurrentSkipListMap$KeySet"),
    fixed("java/util/concurrent/ConcurrentSkipListMap$Values"),
    fixed("java/util/concurrent/ConcurrentSkipListMap$EntrySet"),
    fixed("java/util/concurrent/ConcurrentSkipListSet"),
    value("kotlin/Pair", &["first", "second"]),
    value("kotlin/Triple", &["first", "second", "third"]),
    value("kotlin/ranges/IntProgression", &["first", "last"]),
    value("kotlin/ranges/LongProgression", &["first", "last"]),
    value("scala/Some", &["value"]),
    value(
        "scala/collection/immutable/$colon$colon",
        &["head", "next", "tl"],
    ),
    value("scala/collection/immutable/Vector", &["prefix1"]),
    value("scala/collection/immutable/Map$Map1", &["key1", "value1"]),
    value(
        "scala/collection/immutable/Map$Map2",
        &["key1", "value1", "key2", "value2"],
    ),
    value(
        "scala/collection/immutable/Map$Map3",
        &["key1", "value1", "key2", "value2", "key3", "value3"],
    ),
    value(
        "scala/collection/immutable/Map$Map4",
        &[
            "key1", "value1", "key2", "value2", "key3", "value3", "key4", "value4",
        ],
    ),
    value("scala/collection/immutable/Set$Set1", &["elem1"]),
    value("scala/collection/immutable/Set$Set2", &["elem1", "elem2"]),
    value(
        "scala/collection/immutable/Set$Set3",
        &["elem1", "elem2", "elem3"],
    ),
    value(
        "scala/collection/immutable/Set$Set4",
        &["elem1", "elem2", "elem3", "elem4"],
    ),
    value("scala/Tuple2", &["_1", "_2"]),
    value("scala/Tuple3", &["_1", "_2", "_3"]),
];

/// What is followed of objects of this class, its superclasses aside.
pub(crate) fn followed(name: &str) -> Option<&'static Followed> {
    FOLLOWED.iter().find(|class| class.name == name)
}

/// Fields that say nothing about the content, and would only be noise.
pub(super) fn is_bookkeeping(field: &str) -> bool {
    matches!(
        field,
        "modCount"
            | "keySet"
            | "values"
            | "entrySet"
            | "navigableKeySet"
            | "descendingMap"
            | "maybeLatin1"
            | "toStringCache"
            | "sizeCtl"
            | "transferIndex"
            | "cellsBusy"
            | "lockState"
            | "waiter"
            | "lock"
            | "takeLock"
            | "putLock"
            | "notEmpty"
            | "notFull"
            | "allocationSpinLock"
            | "itrs"
            | "mutex"
    )
}

/// Whether objects of this class are meant to be shared by threads without further ado. Their writes
/// are ordered against those of other threads one by one.
pub(super) fn is_concurrent(class: &str) -> bool {
    class.starts_with("java/util/concurrent/")
}
