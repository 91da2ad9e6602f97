/** Whatever has an income that is taxed. */
interface Taxable {
    int taxableIncome();

    /** Nothing on the first 1000, a fifth of the next 2000, two fifths of the rest. */
    default int tax() {
        int income = taxableIncome();
        int middle = Math.min(Math.max(income - 1000, 0), 2000);
        int upper = Math.max(income - 3000, 0);
        return middle / 5 + upper * 2 / 5;
    }
}
