/** A salaried employee with a bonus for everybody in the team. */
class Manager extends Salaried {
    private int team;

    Manager(String name, int salary) {
        super(name, salary);
    }

    void leads(Employee employee) {
        if (!employee.name().equals(name())) {
            team++;
        }
    }

    @Override
    int monthlyPay() {
        return super.monthlyPay() + bonus();
    }

    /** The bonus counts only half for the tax. */
    @Override
    public int taxableIncome() {
        return super.taxableIncome() - bonus() / 2;
    }

    private int bonus() {
        return 100 * team;
    }
}
