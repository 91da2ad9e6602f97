/** An account that is never overdrawn. */
class Account {
    private final String name;
    private int balance;

    Account(String name, int balance) {
        this.name = name;
        this.balance = balance;
    }

    int balance() {
        return balance;
    }

    void deposit(int amount) {
        balance += amount;
    }

    /** Takes the amount off; if there is not enough, the account stays as it is. */
    void withdraw(int amount) throws InsufficientFunds {
        balance -= amount;
        if (balance < 0) {
            throw new InsufficientFunds(name, -balance);
        }
    }
}
