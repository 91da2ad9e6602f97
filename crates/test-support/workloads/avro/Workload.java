import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.file.SeekableByteArrayInput;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.io.JsonEncoder;

/** Writes records in binary form and as JSON, and reads them with a newer schema. */
public class Workload {
    private static final String SCHEMA = "{'type': 'record', 'name': 'Measure', 'fields': ["
        + "{'name': 'id', 'type': 'long'}, {'name': 'label', 'type': ['null', 'string'], 'default': null},"
        + "{'name': 'values', 'type': {'type': 'array', 'items': 'double'}},"
        + "{'name': 'kind', 'type': {'type': 'enum', 'name': 'Kind', 'symbols': ['COLD', 'WARM', 'HOT']}},"
        + "{'name': 'more', 'type': {'type': 'map', 'values': 'int'}}ADDED]}";

    public static void main(String[] args) throws IOException {
        int scale = Integer.parseInt(args[0]);
        Schema written = schema("");
        Schema wanted = schema(", {'name': 'unit', 'type': 'string', 'default': 'metre'}");
        long checksum = 0;
        for (int round = 0; round < scale; round++) {
            List<GenericRecord> records = records(written, 50, round);
            byte[] binary = binary(written, records);
            checksum = checksum * 31 + Arrays.hashCode(binary);
            var decoder = DecoderFactory.get().binaryDecoder(binary, null);
            GenericDatumReader<GenericRecord> reader = new GenericDatumReader<>(written, wanted);
            for (int i = 0; i < records.size(); i++) {
                checksum = checksum * 31 + reader.read(null, decoder).toString().hashCode();
            }
            checksum = checksum * 31 + json(written, records).hashCode() + file(written, records);
        }
        System.out.println("checksum " + checksum);
        try {
            new GenericRecordBuilder(written).set("id", 1L).build();
        } catch (AvroRuntimeException e) {
            System.out.println("expected: " + e.getMessage());
        }
    }

    private static Schema schema(String added) {
        return new Schema.Parser().parse(SCHEMA.replace("ADDED", added).replace('\'', '"'));
    }

    private static List<GenericRecord> records(Schema schema, int count, int seed) {
        List<GenericRecord> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Map<String, Integer> more = new TreeMap<>();
            for (int key = 0; key < i % 4; key++) {
                more.put("key" + key, i * key);
            }
            String kind = schema.getField("kind").schema().getEnumSymbols().get(i % 3);
            records.add(new GenericRecordBuilder(schema).set("id", (long) i * 1_000_003 + seed)
                .set("label", i % 5 == 0 ? null : "label " + i).set("values", Arrays.asList(i * 0.5, i / 3.0, -1.0))
                .set("kind", new GenericData.EnumSymbol(schema.getField("kind").schema(), kind)).set("more", more).build());
        }
        return records;
    }

    private static byte[] binary(Schema schema, List<GenericRecord> records) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
        GenericDatumWriter<GenericRecord> writer = new GenericDatumWriter<>(schema);
        for (GenericRecord record : records) {
            writer.write(record, encoder);
        }
        encoder.flush();
        return bytes.toByteArray();
    }

    private static String json(Schema schema, List<GenericRecord> records) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        JsonEncoder encoder = EncoderFactory.get().jsonEncoder(schema, bytes);
        GenericDatumWriter<GenericRecord> writer = new GenericDatumWriter<>(schema);
        for (GenericRecord record : records) {
            writer.write(record, encoder);
        }
        encoder.flush();
        return bytes.toString();
    }

    /** Files have random marks in them, so what is read is hashed, not the file. */
    private static long file(Schema schema, List<GenericRecord> records) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataFileWriter<GenericRecord> writer = new DataFileWriter<>(new GenericDatumWriter<>(schema))) {
            writer.create(schema, bytes);
            for (GenericRecord record : records) {
                writer.append(record);
            }
        }
        long hash = 0;
        try (DataFileReader<GenericRecord> reader =
                new DataFileReader<>(new SeekableByteArrayInput(bytes.toByteArray()), new GenericDatumReader<>())) {
            for (GenericRecord record : reader) {
                hash = hash * 31 + record.hashCode();
            }
        }
        return hash;
    }
}
