import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import opennlp.tools.doccat.DoccatFactory;
import opennlp.tools.doccat.DoccatModel;
import opennlp.tools.doccat.DocumentCategorizerME;
import opennlp.tools.doccat.DocumentSample;
import opennlp.tools.postag.POSModel;
import opennlp.tools.postag.POSSample;
import opennlp.tools.postag.POSTaggerFactory;
import opennlp.tools.postag.POSTaggerME;
import opennlp.tools.stemmer.PorterStemmer;
import opennlp.tools.tokenize.SimpleTokenizer;
import opennlp.tools.util.InsufficientTrainingDataException;
import opennlp.tools.util.ObjectStream;
import opennlp.tools.util.TrainingParameters;

/** Learns the parts of speech and the subjects of sentences, and tells those of others. */
public class Workload {
    private static final String[] SUBJECTS = {"cat", "dog", "ship", "train"};
    private static final String[] VERBS = {"sees", "carries", "finds"};
    private static final String[] OBJECTS = {"bone", "mouse", "harbour", "station", "cargo"};

    public static void main(String[] args) throws IOException {
        int scale = Integer.parseInt(args[0]);
        long checksum = 0;
        for (int round = 0; round < scale; round++) {
            POSTaggerME tagger = new POSTaggerME(tagger(round));
            DocumentCategorizerME categorizer = new DocumentCategorizerME(categorizer(round));
            PorterStemmer stemmer = new PorterStemmer();
            for (int i = 0; i < 20; i++) {
                String[] words = SimpleTokenizer.INSTANCE.tokenize(sentence(i * 5 + round));
                checksum = checksum * 31 + String.join(" ", tagger.tag(words)).hashCode();
                checksum = checksum * 31 + categorizer.getBestCategory(categorizer.categorize(words)).hashCode();
                for (String word : words) {
                    checksum = checksum * 31 + stemmer.stem(word).hashCode();
                }
            }
        }
        System.out.println("checksum " + checksum);
        try {
            POSTaggerME.train("en", stream(new ArrayList<POSSample>()), parameters(), new POSTaggerFactory());
        } catch (InsufficientTrainingDataException e) {
            System.out.println("expected: " + e.getClass().getSimpleName());
        }
    }

    private static TrainingParameters parameters() {
        TrainingParameters parameters = TrainingParameters.defaultParams();
        parameters.put(TrainingParameters.ITERATIONS_PARAM, 15);
        parameters.put(TrainingParameters.CUTOFF_PARAM, 1);
        return parameters;
    }

    private static POSModel tagger(int seed) throws IOException {
        List<POSSample> samples = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            String[] words = SimpleTokenizer.INSTANCE.tokenize(sentence(i + seed));
            samples.add(new POSSample(words, new String[] {"DET", "NOUN", "VERB", "DET", "NOUN", "."}));
        }
        return POSTaggerME.train("en", stream(samples), parameters(), new POSTaggerFactory());
    }

    private static DoccatModel categorizer(int seed) throws IOException {
        List<DocumentSample> samples = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            String category = (i + seed) % 4 < 2 ? "animals" : "transport";
            samples.add(new DocumentSample(category, SimpleTokenizer.INSTANCE.tokenize(sentence(i + seed))));
        }
        return DocumentCategorizerME.train("en", stream(samples), parameters(), new DoccatFactory());
    }

    private static String sentence(int number) {
        return "The " + SUBJECTS[number % 4] + " " + VERBS[number % 3] + " a " + OBJECTS[number % 5] + ".";
    }

    private static <T> ObjectStream<T> stream(List<T> samples) {
        return new ObjectStream<>() {
            private Iterator<T> rest = samples.iterator();

            @Override
            public T read() {
                return rest.hasNext() ? rest.next() : null;
            }

            @Override
            public void reset() {
                rest = samples.iterator();
            }

            @Override
            public void close() {}
        };
    }
}
