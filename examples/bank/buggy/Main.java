/** Moves money between accounts; what an account does not have cannot leave it. */
public class Main {
    public static void main(String[] args) {
        Bank bank = new Bank();
        bank.open("rent", 900);
        bank.open("travel", 250);
        bank.open("savings", 4000);
        System.out.println("total " + bank.total());

        String[][] orders = {
            {"savings", "travel", "500"},
            {"travel", "rent", "300"},
            {"rent", "travel", "2000"},
            {"rent", "holiday", "10"},
            {"travel", "savings", "x"},
            {"travel", "savings", "450"},
        };
        for (String[] order : orders) {
            System.out.println(String.join(" ", order) + ": " + bank.execute(order));
        }
        System.out.println(bank.balances());
        System.out.println("total " + bank.total());
    }
}
