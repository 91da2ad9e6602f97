/** There is less on the account than was asked for. */
class InsufficientFunds extends Exception {
    private static final long serialVersionUID = 1L;

    InsufficientFunds(String account, int missing) {
        super(account + " is short of " + missing);
    }
}
