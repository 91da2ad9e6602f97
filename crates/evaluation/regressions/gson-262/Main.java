import com.google.gson.Gson;
import com.google.gson.TypeAdapter;
import com.google.gson.TypeAdapterFactory;
import com.google.gson.annotations.JsonAdapter;
import com.google.gson.reflect.TypeToken;

public class Main {
    public static class NoAdapter implements TypeAdapterFactory {
        @Override
        public <T> TypeAdapter<T> create(Gson gson, TypeToken<T> type) {
            return null;
        }
    }

    static class Holder {
        @JsonAdapter(NoAdapter.class)
        String s = "q";

        int n = 1;
    }

    public static void main(String[] args) {
        System.out.println(new Gson().toJson(new Holder()));
    }
}
