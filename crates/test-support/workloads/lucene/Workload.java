import java.io.IOException;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.queryparser.classic.ParseException;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;

/** Indexes texts in memory, deletes and changes some, and searches. */
public class Workload {
    private static final String[] WORDS =
        ("call tree debugger question answer records running program thread object field value write reader "
            + "chunk index searching strategies divided weighted balanced oracle trusted buggy").split(" ");

    private static final String[] QUERIES = {
        "debugger AND question", "\"tree debugger\"~4", "strateg*", "oracle -trusted", "thread^3 object",
        "balnced~2", "title:number AND (run OR write)", "[chunk TO field]",
    };

    public static void main(String[] args) throws Exception {
        int scale = Integer.parseInt(args[0]);
        long checksum = 0;
        Analyzer analyzer = new EnglishAnalyzer();
        for (int round = 0; round < scale; round++) {
            try (Directory directory = new ByteBuffersDirectory()) {
                index(directory, analyzer, round);
                checksum = checksum * 31 + search(directory, analyzer);
            }
        }
        System.out.println("checksum " + checksum);
        try {
            new QueryParser("body", analyzer).parse("body:(");
        } catch (ParseException e) {
            System.out.println("expected: " + e.getMessage().lines().findFirst().orElse(""));
        }
    }

    private static void index(Directory directory, Analyzer analyzer, int seed) throws IOException {
        IndexWriterConfig config = new IndexWriterConfig(analyzer);
        // In this thread, so that the segments are the same each time.
        config.setMergeScheduler(new SerialMergeScheduler()).setMaxBufferedDocs(20);
        try (IndexWriter writer = new IndexWriter(directory, config)) {
            for (int i = 0; i < 120; i++) {
                writer.addDocument(document(i, seed));
            }
            for (int i = 0; i < 120; i += 9) {
                writer.updateDocument(new Term("id", "d" + i), document(i, seed + 1));
            }
            writer.deleteDocuments(new Term("id", "d7"), new Term("id", "d70"));
            writer.forceMerge(2);
        }
    }

    private static Document document(int number, int seed) {
        StringBuilder body = new StringBuilder();
        for (int i = 0; i < 60; i++) {
            body.append(WORDS[(number * 31 + i * i + seed * 7) % WORDS.length]).append(i % 11 == 10 ? ". " : " ");
        }
        Document document = new Document();
        document.add(new StringField("id", "d" + number, Field.Store.YES));
        document.add(new TextField("title", "number " + number % 10, Field.Store.YES));
        document.add(new TextField("body", body.toString(), Field.Store.NO));
        document.add(new IntPoint("size", number));
        document.add(new NumericDocValuesField("rank", number * 7919 % 101));
        return document;
    }

    private static long search(Directory directory, Analyzer analyzer) throws Exception {
        long hash = 0;
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
            IndexSearcher searcher = new IndexSearcher(reader);
            for (String text : QUERIES) {
                Query query = new QueryParser("body", analyzer).parse(text);
                for (ScoreDoc found : searcher.search(query, 20).scoreDocs) {
                    hash = hash * 31 + found.doc + Float.floatToIntBits(found.score);
                }
            }
            Sort byRank = new Sort(new SortField("rank", SortField.Type.LONG, true));
            for (ScoreDoc found : searcher.search(IntPoint.newRangeQuery("size", 10, 90), 30, byRank).scoreDocs) {
                hash = hash * 31 + searcher.storedFields().document(found.doc).get("id").hashCode();
            }
        }
        return hash;
    }
}
