/** Somebody who is paid at the end of the month; amounts are in whole euros. */
abstract class Employee implements Taxable {
    private final String name;

    Employee(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    /** What the month costs the company. */
    abstract int monthlyPay();

    @Override
    public int taxableIncome() {
        return monthlyPay();
    }
}
