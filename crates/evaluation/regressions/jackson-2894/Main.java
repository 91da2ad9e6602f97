import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;

/** A box of things that is made by a method and not by a constructor. */
public class Main {
    public static class Box<T> {
        private final List<T> things;

        private Box(List<T> things) {
            this.things = things;
        }

        @JsonCreator
        public static <T> Box<T> of(@JsonProperty("things") List<T> things) {
            return new Box<>(things);
        }
    }

    public static class Tea {
        public int grams;
    }

    public static void main(String[] arguments) throws Exception {
        ObjectMapper mapper = new ObjectMapper();
        String text = "{\"things\": [{\"grams\": 100}, {\"grams\": 250}]}";
        Box<Tea> box = mapper.readValue(text, new TypeReference<Box<Tea>>() {});
        for (Object thing : box.things) {
            System.out.println(thing.getClass().getSimpleName());
        }
    }
}
