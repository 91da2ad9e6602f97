/** One line of text about one month of one employee. */
class Payslip {
    private final Employee employee;

    Payslip(Employee employee) {
        this.employee = employee;
    }

    String text() {
        int gross = employee.monthlyPay();
        int tax = employee.tax();
        return employee.name() + ": gross " + gross + ", tax " + tax + ", net " + (gross - tax);
    }
}
