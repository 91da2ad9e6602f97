import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.logging.LogManager;
import java.util.stream.Stream;
import weka.classifiers.Classifier;
import weka.classifiers.Evaluation;
import weka.classifiers.bayes.NaiveBayes;
import weka.classifiers.functions.Logistic;
import weka.classifiers.lazy.IBk;
import weka.classifiers.trees.J48;
import weka.clusterers.SimpleKMeans;
import weka.core.Attribute;
import weka.core.DenseInstance;
import weka.core.Instances;
import weka.core.UnassignedClassException;

/** Learns to classify generated points with several methods, and puts them into clusters. */
public class Workload {
    public static void main(String[] args) throws Exception {
        // It keeps settings and packages in a folder of the user.
        Path folder = Files.createTempDirectory("weka");
        System.setProperty("user.home", folder.toString());
        System.setProperty("WEKA_HOME", folder.toString());
        System.setProperty("weka.core.loadPackages", "false");
        System.setProperty("java.awt.headless", "true");
        // It looks for native libraries, and logs that there are none.
        LogManager.getLogManager().reset();
        try {
            work(Integer.parseInt(args[0]));
        } finally {
            delete(folder);
        }
    }

    private static void work(int scale) throws Exception {
        long checksum = 0;
        for (int round = 0; round < scale; round++) {
            Instances points = points(120, round);
            points.setClassIndex(points.numAttributes() - 1);
            for (Classifier classifier : new Classifier[] {new J48(), new NaiveBayes(), new IBk(3), new Logistic()}) {
                Evaluation evaluation = new Evaluation(points);
                evaluation.crossValidateModel(classifier, points, 3, new Random(1));
                checksum = checksum * 31 + Math.round(evaluation.correct());
                checksum = checksum * 31 + Math.round(evaluation.kappa() * 1000);
            }
            J48 tree = new J48();
            tree.buildClassifier(points);
            checksum = checksum * 31 + tree.toString().hashCode();
            checksum = checksum * 31 + clusters(points(80, round));
        }
        System.out.println("checksum " + checksum);
        try {
            new J48().buildClassifier(points(5, 0));
        } catch (UnassignedClassException e) {
            System.out.println("expected: " + e.getMessage());
        }
    }

    private static long clusters(Instances points) throws Exception {
        SimpleKMeans means = new SimpleKMeans();
        means.setNumClusters(3);
        means.setSeed(7);
        means.buildClusterer(points);
        return Math.round(means.getSquaredError() * 1000) * 31 + Arrays.toString(means.getClusterSizes()).hashCode();
    }

    private static Instances points(int count, int seed) {
        ArrayList<Attribute> attributes = new ArrayList<>();
        attributes.add(new Attribute("x"));
        attributes.add(new Attribute("y"));
        attributes.add(new Attribute("colour", Arrays.asList("red", "green", "blue")));
        attributes.add(new Attribute("class", Arrays.asList("near", "far")));
        Instances points = new Instances("points", attributes, count);
        Random random = new Random(seed);
        for (int i = 0; i < count; i++) {
            double x = random.nextDouble() * 10;
            double y = random.nextDouble() * 10;
            double noise = random.nextInt(12) == 0 ? 1 : 0;
            points.add(new DenseInstance(1, new double[] {x, y, random.nextInt(3), (x * x + y * y > 60 ? 1 : 0) * (1 - noise)}));
        }
        return points;
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        }
    }
}
