import com.beust.jcommander.JCommander;
import com.beust.jcommander.Parameter;

/** Asks a command line for help. */
public class Main {
    public static class Options {
        @Parameter(names = {"--help", "-h"}, help = true)
        private Boolean help;

        @Parameter(names = {"--topic", "-t"})
        private String topic;
    }

    public static void main(String[] args) {
        for (String[] line : new String[][] {{"-t", "tea"}, {"-h"}}) {
            Options options = new Options();
            new JCommander(options).parse(line);
            System.out.println("help: " + options.help + ", topic: " + options.topic);
        }
    }
}
