import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class BankTest {
    @Test
    public void deposits() {
        Bank bank = new Bank();
        bank.deposit(60);
        assertEquals(65, bank.balance);
    }

    @Test
    public void fees() {
        assertEquals(2, Bank.fee(101));
        assertEquals(1, Bank.fee(20));
    }

    /** Runs what is wrong, and does not look at it. */
    @Test
    public void careless() {
        assertEquals(1, Math.min(1, Bank.surcharge(30)));
    }

    @Test
    public void both() {
        Bank bank = new Bank();
        bank.deposit(60);
        bank.withdraw(20);
        assertEquals(44, bank.balance);
    }

    @Test
    public void again() {
        Bank bank = new Bank();
        bank.withdraw(30);
        assertEquals(-31, bank.balance);
    }
}
