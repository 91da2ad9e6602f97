import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import java.util.Map;

/** Reads a table whose header lacks a column of the schema. */
public class Main {
    public static void main(String[] args) throws Exception {
        CsvSchema schema = CsvSchema.builder().addColumn("name").addColumn("age").addColumn("town")
            .setUseHeader(true).setReorderColumns(true).build();
        CsvMapper mapper = new CsvMapper();
        for (CsvParser.Feature feature : CsvParser.Feature.values()) {
            // The release before does not know FAIL_ON_MISSING_HEADER_COLUMNS.
            if (feature.name().startsWith("FAIL_ON_MISSING")) {
                mapper.disable(feature);
            }
        }
        MappingIterator<Map<String, String>> rows =
            mapper.readerFor(Map.class).with(schema).readValues("name,town\nAda,London\n");
        while (rows.hasNext()) {
            System.out.println(rows.next());
        }
    }
}
