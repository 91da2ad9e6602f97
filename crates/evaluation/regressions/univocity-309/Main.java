import com.univocity.parsers.common.record.Record;
import com.univocity.parsers.csv.CsvParser;
import com.univocity.parsers.csv.CsvParserSettings;
import java.io.StringReader;

/** One parser reads two files, whose columns stand in another order. */
public class Main {
    public static void main(String[] arguments) {
        CsvParserSettings settings = new CsvParserSettings();
        settings.setHeaderExtractionEnabled(true);
        settings.getFormat().setLineSeparator("\n");
        CsvParser parser = new CsvParser(settings);
        for (String text : new String[] {"name,price\ntea,3\n", "price,name\n5,bread\n"}) {
            for (Record record : parser.parseAllRecords(new StringReader(text))) {
                System.out.println(record.getString("name") + " costs " + record.getString("price"));
            }
        }
    }
}
