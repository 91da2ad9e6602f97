import org.apache.commons.jexl3.JexlBuilder;
import org.apache.commons.jexl3.JexlEngine;
import org.apache.commons.jexl3.JexlException;
import org.apache.commons.jexl3.JexlInfo;
import org.apache.commons.jexl3.MapContext;

public class Main {
    public static void main(String[] args) {
        JexlEngine engine = new JexlBuilder().strict(true).silent(false).create();
        try {
            engine.createScript("1 +\n  missing").execute(new MapContext());
        } catch (JexlException e) {
            JexlInfo place = e.getInfo();
            System.out.println("line " + place.getLine() + ", column " + place.getColumn());
        }
    }
}
