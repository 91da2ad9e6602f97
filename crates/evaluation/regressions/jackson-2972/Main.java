import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;

/** A price that is not given is nothing, not null. */
public class Main {
    @JsonDeserialize(using = PriceReader.class)
    public static class Price {
        final int cents;

        Price(int cents) {
            this.cents = cents;
        }
    }

    public static class PriceReader extends JsonDeserializer<Price> {
        @Override
        public Price deserialize(JsonParser parser, DeserializationContext context)
                throws java.io.IOException {
            return new Price(parser.getIntValue());
        }

        @Override
        public Price getNullValue(DeserializationContext context) {
            return new Price(0);
        }
    }

    public static void main(String[] arguments) throws Exception {
        ObjectMapper mapper = new ObjectMapper();
        JsonNode order = mapper.readTree("{\"tea\": 320, \"water\": null}");
        for (String what : new String[] {"tea", "water"}) {
            Price price = mapper.treeToValue(order.get(what), Price.class);
            System.out.println(what + ": " + (price == null ? "no price" : price.cents + " cents"));
        }
    }
}
