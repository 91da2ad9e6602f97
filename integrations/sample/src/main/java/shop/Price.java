package shop;

public final class Price {
    private Price() {}

    public static int withTax(int net, int percent) {
        return net + tax(net, percent);
    }

    /** Rounded to the nearest, halves up. */
    static int tax(int net, int percent) {
        int hundredths = net * percent;
        return (hundredths + 40) / 100;
    }
}
