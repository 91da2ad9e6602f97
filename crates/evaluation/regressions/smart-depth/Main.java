import net.minidev.json.JSONArray;
import net.minidev.json.JSONObject;
import net.minidev.json.JSONValue;

/** Adds up what is in a long and flat array. */
public class Main {
    public static void main(String[] arguments) throws Exception {
        StringBuilder text = new StringBuilder("[");
        for (int at = 0; at < 450; at++) {
            text.append(at == 0 ? "" : ",").append("{\"n\":").append(at).append("}");
        }
        JSONArray all = (JSONArray) JSONValue.parseWithException(text.append("]").toString());
        int sum = 0;
        for (Object one : all) {
            sum += ((JSONObject) one).getAsNumber("n").intValue();
        }
        System.out.println(all.size() + " entries, sum " + sum);
    }
}
