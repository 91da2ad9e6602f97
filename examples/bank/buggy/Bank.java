import java.util.Map;
import java.util.TreeMap;

/** Accounts by name, and transfers between them. */
class Bank {
    private final Map<String, Account> accounts = new TreeMap<>();

    void open(String name, int balance) {
        accounts.put(name, new Account(name, balance));
    }

    /** Carries out an order {from, to, amount} and says how it went. */
    String execute(String[] order) {
        try {
            transfer(account(order[0]), account(order[1]), Integer.parseInt(order[2]));
            return "done";
        } catch (InsufficientFunds e) {
            return "refused, " + e.getMessage();
        } catch (NumberFormatException e) {
            return "refused, not an amount";
        } catch (IllegalArgumentException e) {
            return "refused, " + e.getMessage();
        }
    }

    int total() {
        int sum = 0;
        for (Account account : accounts.values()) {
            sum += account.balance();
        }
        return sum;
    }

    String balances() {
        StringBuilder text = new StringBuilder();
        for (Map.Entry<String, Account> entry : accounts.entrySet()) {
            text.append(entry.getKey()).append(' ').append(entry.getValue().balance()).append(' ');
        }
        return text.toString().trim();
    }

    private void transfer(Account from, Account to, int amount) throws InsufficientFunds {
        from.withdraw(amount);
        to.deposit(amount);
    }

    private Account account(String name) {
        Account account = accounts.get(name);
        if (account == null) {
            throw new IllegalArgumentException("no account " + name);
        }
        return account;
    }
}
