/**
 * A bank that keeps its books: a long run over few objects. The scale is a number of days with a
 * thousand transfers each, six calls a transfer. One fee is wrong, that of the only large transfer
 * on the hundredth day, or on the one that a second argument names.
 */
public class Workload {
    static final int TRANSFERS_A_DAY = 1000;

    static int dayOfTheLargeTransfer = 99;

    public static void main(String[] args) {
        int days = Integer.parseInt(args[0]);
        if (args.length > 1) {
            dayOfTheLargeTransfer = Integer.parseInt(args[1]);
        }
        Bank bank = new Bank(1000);
        for (int first = 0; first < days; first += 360) {
            bank.year(first, Math.min(days, first + 360));
        }
        System.out.println("checksum " + bank.checksum() + " fees " + Bank.fees);
        try {
            bank.transfer(0, 0, -1);
        } catch (IllegalArgumentException e) {
            System.out.println("expected: " + e.getMessage());
        }
    }
}

class Bank {
    static long fees;

    final Account[] accounts;
    private long random = 42;

    Bank(int count) {
        accounts = new Account[count];
        for (int number = 0; number < count; number++) {
            accounts[number] = new Account(1_000_000);
        }
    }

    void year(int first, int end) {
        for (int day = first; day < end; day += 30) {
            month(day, Math.min(end, day + 30));
        }
    }

    void month(int first, int end) {
        for (int day = first; day < end; day++) {
            day(day);
        }
    }

    void day(int day) {
        for (int number = 0; number < Workload.TRANSFERS_A_DAY; number++) {
            random = random * 6364136223846793005L + 1442695040888963407L;
            int from = (int) (random >>> 33) % accounts.length;
            int to = (int) (random >>> 13 & 0xffff) % accounts.length;
            int amount = (int) (random >>> 40 & 0xfff) + 1;
            if (day == Workload.dayOfTheLargeTransfer && number == 500) {
                amount = 100_000;
            }
            transfer(from, to, amount);
        }
    }

    void transfer(int from, int to, int amount) {
        if (amount < 0) {
            throw new IllegalArgumentException("no transfer of " + amount);
        }
        int fee = amount < 100_000 ? Fees.usual(amount) : Fees.large(amount);
        accounts[from].withdraw(amount + fee);
        accounts[to].deposit(amount);
        fees += fee;
    }

    long checksum() {
        long sum = 0;
        for (Account account : accounts) {
            sum = sum * 31 + account.balance;
        }
        return sum;
    }
}

class Fees {
    static int usual(int amount) {
        return (amount + 99) / 100;
    }

    /** The bug: the fee of a large amount should be a thousandth. */
    static int large(int amount) {
        return amount / 100;
    }
}

class Account {
    long balance;
    private int bookings;
    private final int[] latest = new int[16];

    Account(long balance) {
        this.balance = balance;
    }

    void withdraw(int amount) {
        book(-amount);
    }

    void deposit(int amount) {
        book(amount);
    }

    private void book(int amount) {
        balance += amount;
        latest[bookings++ & 15] = amount;
    }
}
