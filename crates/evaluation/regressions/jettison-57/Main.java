import org.codehaus.jettison.json.JSONArray;

/** Reads a long list of small things, none of which has another in it. */
public class Main {
    static String orders(int count) {
        StringBuilder text = new StringBuilder("[");
        for (int at = 0; at < count; at++) {
            text.append(at == 0 ? "" : ",").append("{\"pieces\":").append(at).append("}");
        }
        return text.append("]").toString();
    }

    public static void main(String[] arguments) throws Exception {
        JSONArray few = new JSONArray(orders(3));
        System.out.println("few: " + few.getJSONObject(2).getInt("pieces"));
        JSONArray many = new JSONArray(orders(600));
        System.out.println("many: " + many.getJSONObject(599).getInt("pieces"));
    }
}
