import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Writes objects as JSON, reads them back, and changes trees. */
public class Workload {
    public static void main(String[] args) throws JsonProcessingException {
        int scale = Integer.parseInt(args[0]);
        ObjectMapper mapper = new ObjectMapper();
        long checksum = 0;
        for (int round = 0; round < scale; round++) {
            Order order = order(round, 40);
            String json = mapper.writeValueAsString(order);
            Order again = mapper.readValue(json, Order.class);
            checksum = checksum * 31 + json.hashCode();
            checksum = checksum * 31 + (mapper.writeValueAsString(again).equals(json) ? 1 : 0);
            checksum = checksum * 31 + change(mapper.readTree(json)).hashCode();
            Map<String, List<Integer>> map =
                mapper.readValue("{\"a\": [1, 2], \"b\": [], \"\\u00e4\": [" + round + "]}", new TypeReference<>() { });
            checksum = checksum * 31 + new TreeMap<>(map).toString().hashCode();
        }
        System.out.println("checksum " + checksum);
        try {
            mapper.readValue("{\"id\": 1, \"wrong\": 2}", Order.class);
        } catch (JsonProcessingException e) {
            System.out.println("expected: " + e.getOriginalMessage());
        }
    }

    private static String change(JsonNode tree) {
        ArrayNode items = (ArrayNode) tree.get("items");
        for (JsonNode item : items) {
            if (item.path("price").asDouble() > 50) {
                ((ObjectNode) item).put("dear", true).remove("name");
            }
        }
        ((ObjectNode) tree).putObject("added").putArray("list").add(1).add("two").addNull();
        return tree.toPrettyString() + tree.at("/items/3/kind").asText();
    }

    private static Order order(int id, int count) {
        List<Item> items = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            items.add(i % 3 == 0 ? new Book("title \"" + i + "\"", i * 3.5, i) : new Toy("toy \u00fc" + i, i + 0.25, i % 2 == 0));
        }
        Order order = new Order();
        order.id = id;
        order.items = items;
        order.tags.put("first", "x");
        order.tags.put("second", null);
        return order;
    }

    public static class Order {
        public int id;
        public List<Item> items;
        public Map<String, String> tags = new TreeMap<>();
        public long[] numbers = {1, -2, Long.MAX_VALUE};
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({@JsonSubTypes.Type(value = Book.class, name = "book"), @JsonSubTypes.Type(value = Toy.class, name = "toy")})
    public abstract static class Item {
        public final String name;
        public final double price;

        Item(String name, double price) {
            this.name = name;
            this.price = price;
        }
    }

    public static final class Book extends Item {
        private final int pages;

        @JsonCreator
        public Book(@JsonProperty("name") String name, @JsonProperty("price") double price, @JsonProperty("pages") int pages) {
            super(name, price);
            this.pages = pages;
        }

        public int getPages() {
            return pages;
        }
    }

    public static final class Toy extends Item {
        private final boolean safe;

        @JsonCreator
        public Toy(@JsonProperty("name") String name, @JsonProperty("price") double price, @JsonProperty("safe") boolean safe) {
            super(name, price);
            this.safe = safe;
        }

        public boolean isSafe() {
            return safe;
        }
    }
}
