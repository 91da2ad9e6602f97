import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import org.apache.commons.lang3.ArrayUtils;
import org.apache.commons.lang3.CharSetUtils;
import org.apache.commons.lang3.StringEscapeUtils;
import org.apache.commons.lang3.StringUtils;
import org.apache.commons.lang3.Validate;
import org.apache.commons.lang3.builder.CompareToBuilder;
import org.apache.commons.lang3.builder.EqualsBuilder;
import org.apache.commons.lang3.builder.HashCodeBuilder;
import org.apache.commons.lang3.builder.ToStringBuilder;
import org.apache.commons.lang3.builder.ToStringStyle;
import org.apache.commons.lang3.math.Fraction;
import org.apache.commons.lang3.math.NumberUtils;
import org.apache.commons.lang3.text.StrSubstitutor;
import org.apache.commons.lang3.text.WordUtils;
import org.apache.commons.lang3.time.FastDateFormat;
import org.apache.commons.lang3.tuple.Pair;

/** A tour through the string, number, array, builder and date helpers. */
@SuppressWarnings("deprecation")
public class Workload {
    public static void main(String[] args) throws Exception {
        int scale = Integer.parseInt(args[0]);
        long checksum = 0;
        for (int round = 0; round < scale; round++) {
            for (int i = 0; i < 40; i++) {
                checksum = checksum * 31 + strings(i);
                checksum = checksum * 31 + numbers(i);
                checksum = checksum * 31 + builders(i);
                checksum = checksum * 31 + dates(i);
            }
        }
        System.out.println("checksum " + checksum);
        try {
            Validate.inclusiveBetween(1, 9, 12);
        } catch (IllegalArgumentException e) {
            System.out.println("expected: " + e.getMessage());
        }
    }

    static long strings(int i) {
        String text = StringUtils.repeat("lorem ipsum, dolor " + i, ";", 4);
        String[] parts = StringUtils.split(text, " ,;");
        ArrayUtils.reverse(parts);
        String joined = StringUtils.join(ArrayUtils.removeElement(parts, "ipsum"), '-');
        String escaped = StringEscapeUtils.escapeHtml4("<" + joined + "&\u00e9>");
        long hash = StringEscapeUtils.unescapeHtml4(escaped).hashCode();
        hash = hash * 31 + WordUtils.capitalizeFully(WordUtils.wrap(text, 20)).hashCode();
        hash = hash * 31 + StringUtils.getLevenshteinDistance(joined, StringUtils.swapCase(joined));
        hash = hash * 31 + StringUtils.difference(text, text + i).hashCode();
        hash = hash * 31 + CharSetUtils.count(text, "a-m");
        hash = hash * 31 + StringUtils.center(StringUtils.abbreviate(text, 15), 30, '*').hashCode();
        Map<String, String> variables = Map.of("who", "reader", "n", "${m}", "m", "" + i);
        StrSubstitutor substitutor = new StrSubstitutor(variables);
        return hash * 31 + substitutor.replace("hello ${who} ${n} ${none:-default}").hashCode();
    }

    static long numbers(int i) {
        Fraction sum = Fraction.ZERO;
        for (int k = 1; k < 8; k++) {
            sum = sum.add(Fraction.getFraction(k + i % 3, k * (k + 1)));
        }
        long hash = sum.reduce().toProperString().hashCode();
        hash = hash * 31 + NumberUtils.createNumber("0x" + Integer.toHexString(i + 1)).intValue();
        hash = hash * 31 + (NumberUtils.isCreatable(i + ".5e3") ? 1 : 0);
        return hash * 31 + NumberUtils.max(i, 17, -i);
    }

    static long builders(int i) {
        Pair<String, Integer> pair = Pair.of("k" + i % 5, i);
        Pair<String, Integer> other = Pair.of("k" + i % 4, i);
        long hash = new HashCodeBuilder(17, 37).append(pair.getLeft()).append(pair.getRight())
            .append(new int[] {i, i + 1}).toHashCode();
        boolean equal = new EqualsBuilder().append(pair.getLeft(), other.getLeft())
            .append(new double[] {i}, new double[] {i}).isEquals();
        hash = hash * 31 + (equal ? 1 : 0);
        hash = hash * 31 + new CompareToBuilder().append(pair.getLeft(), other.getLeft())
            .append(pair.getRight(), other.getRight()).toComparison();
        return hash * 31 + new ToStringBuilder(pair, ToStringStyle.SHORT_PREFIX_STYLE)
            .append("left", pair.getLeft()).append("array", new int[][] {{i}, {}}).toString().hashCode();
    }

    static long dates(int i) throws Exception {
        FastDateFormat format = FastDateFormat.getInstance(
            "yyyy-MM-dd'T'HH:mm:ss", TimeZone.getTimeZone("UTC"), Locale.ROOT);
        String text = format.format(86_400_000L * 365 * i + 1000L * i);
        return text.hashCode() * 31L + format.parse(text).getTime();
    }
}
