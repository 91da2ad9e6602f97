import org.yaml.snakeyaml.Yaml;

public class Main {
    public static class Item {
        private String name = "tea";
        private int price = 4;

        public String getName() {
            return name;
        }

        public void setName(String name) {
            this.name = name;
        }

        public int getPrice() {
            return price;
        }

        public void setPrice(int price) {
            this.price = price;
        }
    }

    public static void main(String[] args) {
        System.out.print(new Yaml().dumpAsMap(new Item()));
    }
}
