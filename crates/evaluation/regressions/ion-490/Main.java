import com.fasterxml.jackson.dataformat.ion.IonObjectMapper;
import java.util.Map;

/** Reads numbers. */
public class Main {
    public static void main(String[] args) throws Exception {
        Map<?, ?> read = new IonObjectMapper().readValue("{ price: 1.5e0, count: 3, tax: 0.1e0 }", Map.class);
        for (Object key : read.keySet()) {
            System.out.println(key + " " + read.get(key).getClass().getSimpleName() + " " + read.get(key));
        }
    }
}
