import org.yaml.snakeyaml.Yaml;

public class Main {
    public static void main(String[] args) {
        String text = "base: &base {host: localhost, port: 80}\n"
                + "mine:\n"
                + "  <<: *base\n"
                + "  port: 8080\n";
        System.out.println(new Yaml().load(text).toString());
    }
}
