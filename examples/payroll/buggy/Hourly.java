/** Paid by the hour; each hour above 160 is paid one and a half times. */
class Hourly extends Employee {
    private static final int REGULAR_HOURS = 160;

    private final int rate;
    private final int hours;

    Hourly(String name, int rate, int hours) {
        super(name);
        this.rate = rate;
        this.hours = hours;
    }

    @Override
    int monthlyPay() {
        if (hours <= REGULAR_HOURS) {
            return hours * rate;
        }
        int overtime = hours - REGULAR_HOURS;
        return hours * rate + overtime * rate * 3 / 2;
    }
}
