/** The same amount every month. */
class Salaried extends Employee {
    private final int salary;

    Salaried(String name, int salary) {
        super(name);
        this.salary = salary;
    }

    @Override
    int monthlyPay() {
        return salary;
    }
}
