import java.io.StringReader;
import java.util.List;
import org.supercsv.io.CsvListReader;
import org.supercsv.prefs.CsvPreference;

/** Reads a table in which an address has an empty line. */
public class Main {
    public static void main(String[] args) throws Exception {
        String table = "name,address\nAda,\"London\n\nEngland\"\nAlan,Bletchley\n";
        CsvListReader reader = new CsvListReader(new StringReader(table), CsvPreference.STANDARD_PREFERENCE);
        List<String> row;
        while ((row = reader.read()) != null) {
            System.out.println(row.size() + " " + row.toString().replace("\n", "|"));
        }
        reader.close();
    }
}
