import java.awt.image.BufferedImage;
import java.io.StringReader;
import org.apache.batik.transcoder.TranscoderException;
import org.apache.batik.transcoder.TranscoderInput;
import org.apache.batik.transcoder.TranscoderOutput;
import org.apache.batik.transcoder.image.ImageTranscoder;

/** Draws a picture with paths, gradients, clips, patterns and filters. */
public class Workload {
    public static void main(String[] args) throws TranscoderException {
        System.setProperty("java.awt.headless", "true");
        int scale = Integer.parseInt(args[0]);
        long checksum = 0;
        for (int round = 0; round < scale; round++) {
            checksum = checksum * 31 + draw(picture(round));
        }
        System.out.println("checksum " + checksum);
        try {
            draw("<svg xmlns='http://www.w3.org/2000/svg'><rect width='-1' height='x'/></svg>");
        } catch (TranscoderException e) {
            System.out.println("expected: " + e.getClass().getSimpleName());
        }
    }

    private static long draw(String picture) throws TranscoderException {
        Pixels pixels = new Pixels();
        pixels.addTranscodingHint(ImageTranscoder.KEY_WIDTH, 120f);
        pixels.transcode(new TranscoderInput(new StringReader(picture)), null);
        return pixels.hash;
    }

    private static String picture(int seed) {
        StringBuilder svg = new StringBuilder("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 100 100' width='100' height='100'>"
            + "<style>.a { fill: url(#g); stroke: #336; stroke-width: 2 } circle:first-child { fill: red }</style>"
            + "<defs><linearGradient id='g'><stop offset='0' stop-color='gold'/><stop offset='1' stop-color='navy'/></linearGradient>"
            + "<filter id='f'><feGaussianBlur stdDeviation='2'/><feOffset dx='2' dy='1'/></filter>"
            + "<clipPath id='c'><circle cx='50' cy='50' r='40'/></clipPath>"
            + "<pattern id='p' width='8' height='8' patternUnits='userSpaceOnUse'><rect width='4' height='4' fill='teal'/></pattern></defs>"
            + "<rect width='100' height='100' fill='url(#p)'/><g clip-path='url(#c)'>");
        for (int i = 0; i < 25; i++) {
            svg.append("<path class='a' opacity='0.").append(3 + i % 6).append("' transform='rotate(").append(i * 14 + seed)
                .append(" 50 50) scale(1.").append(i % 9).append(")' d='M10 ").append(i * 3)
                .append(" C 20 20, 40 20, 50 10 S 80 0 90 40 q 5 5 -20 20 A 12 9 30 1 0 30 60 z'/>");
        }
        return svg.append("</g><circle cx='60' cy='60' r='20' filter='url(#f)'/>"
            + "<polygon points='5,95 20,70 35,95' stroke-dasharray='3 1' stroke='black' fill='none'/></svg>").toString();
    }

    /** Keeps nothing of an image but a number. */
    private static final class Pixels extends ImageTranscoder {
        private long hash;

        @Override
        public BufferedImage createImage(int width, int height) {
            return new BufferedImage(width, height, BufferedImage.TYPE_INT_ARGB);
        }

        @Override
        public void writeImage(BufferedImage image, TranscoderOutput output) {
            for (int y = 0; y < image.getHeight(); y++) {
                for (int x = 0; x < image.getWidth(); x++) {
                    hash = hash * 31 + image.getRGB(x, y);
                }
            }
        }
    }
}
