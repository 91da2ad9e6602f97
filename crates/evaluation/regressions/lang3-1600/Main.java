import java.util.Arrays;
import java.util.List;
import org.apache.commons.lang3.builder.ToStringBuilder;
import org.apache.commons.lang3.builder.ToStringStyle;

public class Main {
    public static void main(String[] args) {
        List<String> items = Arrays.asList("tea", "milk");
        ToStringBuilder text = new ToStringBuilder("order", ToStringStyle.SIMPLE_STYLE);
        System.out.println(text.append("id", 7).append("items", items));
    }
}
