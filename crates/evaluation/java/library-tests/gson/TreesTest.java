import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import com.google.gson.JsonSyntaxException;
import com.google.gson.stream.JsonReader;
import java.io.StringReader;
import org.junit.Test;

/** JSON read and written. */
public class TreesTest {
    private static void same(String json) {
        assertEquals(json, JsonParser.parseString(json).toString());
    }

    @Test public void objects() {
        same("{\"a\":1,\"b\":{\"c\":[]}}");
    }

    @Test public void arrays() {
        same("[1,2.5,-3e2,\"x\",null,true]");
    }

    @Test public void escapes() {
        assertEquals("a\"b\\c\n\u00e9", JsonParser.parseString("\"a\\\"b\\\\c\\n\\u00e9\"").getAsString());
        assertEquals("\"\\u003ctag\\u003e\"", new Gson().toJson("<tag>"));
    }

    @Test public void numbers() {
        assertEquals(12345678901L, JsonParser.parseString("12345678901").getAsLong());
        assertEquals(-0.25, JsonParser.parseString("-2.5e-1").getAsDouble(), 0);
        assertEquals(7, new JsonPrimitive(7).getAsInt());
        assertEquals(new JsonPrimitive(7), new JsonPrimitive(7L));
    }

    @Test public void members() {
        JsonObject object = new JsonObject();
        object.addProperty("n", 1);
        object.add("list", new JsonArray());
        object.getAsJsonArray("list").add("x");
        assertEquals("{\"n\":1,\"list\":[\"x\"]}", object.toString());
        assertTrue(object.has("n"));
        object.remove("n");
        assertFalse(object.has("n"));
        assertEquals(1, object.size());
    }

    @Test public void order() {
        JsonObject object = JsonParser.parseString("{\"z\":1,\"a\":2,\"m\":3}").getAsJsonObject();
        assertEquals("[z, a, m]", object.keySet().toString());
        object.remove("a");
        object.addProperty("a", 4);
        assertEquals("{\"z\":1,\"m\":3,\"a\":4}", object.toString());
    }

    @Test public void manyMembers() {
        JsonObject object = new JsonObject();
        for (int i = 0; i < 40; i++) {
            object.addProperty("k" + (i * 7 % 40), i);
        }
        for (int i = 0; i < 40; i++) {
            assertEquals(i, object.get("k" + (i * 7 % 40)).getAsInt());
        }
        for (int i = 0; i < 40; i += 2) {
            object.remove("k" + i);
        }
        assertEquals(20, object.size());
    }

    @Test public void pretty() {
        Gson gson = new GsonBuilder().setPrettyPrinting().create();
        assertEquals("{\n  \"a\": [\n    1\n  ]\n}", gson.toJson(JsonParser.parseString("{\"a\":[1]}")));
    }

    @Test public void broken() {
        for (String json : new String[] {"{\"a\":", "[1,2", "{\"a\" 1}"}) {
            try {
                JsonParser.parseString(json);
                fail(json);
            } catch (JsonSyntaxException expected) {
                assertTrue(expected.getMessage(), expected.getMessage().contains("line 1"));
            }
        }
    }

    @Test public void streamed() throws Exception {
        JsonReader reader = new JsonReader(new StringReader("{\"a\":[1,2],\"b\":\"x\"}"));
        reader.beginObject();
        assertEquals("a", reader.nextName());
        assertEquals("$.a", reader.getPath());
        reader.beginArray();
        assertEquals(1, reader.nextInt());
        assertEquals("$.a[1]", reader.getPath());
        assertEquals(2, reader.nextInt());
        reader.endArray();
        assertEquals("b", reader.nextName());
        reader.skipValue();
        reader.endObject();
        reader.close();
    }

    @Test public void lenient() {
        assertEquals("{\"a\":1}", JsonParser.parseString("{a:1} ").toString());
        assertEquals("{\"a\":\"b\"}", JsonParser.parseString("{'a':'b'}").toString());
    }
}
