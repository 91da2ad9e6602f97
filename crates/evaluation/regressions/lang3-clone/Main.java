import java.util.ArrayList;
import java.util.Arrays;
import org.apache.commons.lang3.SerializationUtils;

public class Main {
    public static void main(String[] args) {
        ArrayList<Class<?>> columns = new ArrayList<>(Arrays.asList(String.class, int.class));
        System.out.println(SerializationUtils.clone(columns));
    }
}
