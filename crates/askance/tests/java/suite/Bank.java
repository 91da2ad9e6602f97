/** The planted bug: a surcharge is due only above 100. */
public class Bank {
    int balance;

    static int fee(int amount) {
        return amount > 100 ? 2 : 1;
    }

    static int interest(int amount) {
        return amount / 10;
    }

    static int surcharge(int amount) {
        return amount > 10 ? 3 : 0;
    }

    void deposit(int amount) {
        balance += amount - fee(amount) + interest(amount);
    }

    void withdraw(int amount) {
        balance -= amount + fee(amount) + surcharge(amount);
    }
}
