/** How much there is of one article, and how much of that is promised to somebody. */
class Stock {
    private int onHand;
    private int reserved;

    void receive(int quantity) {
        onHand += quantity;
    }

    /** Promises the quantity to a customer, or returns false if too little is free. */
    boolean reserve(int quantity) {
        if (quantity > onHand - reserved) {
            return false;
        }
        reserved += quantity;
        return true;
    }

    /** Takes a reserved quantity out of the shelf. */
    void ship(int quantity) {
        if (quantity > onHand) {
            throw new IllegalStateException(quantity + " to ship but " + onHand + " on hand");
        }
        onHand -= quantity;
        reserved -= quantity;
    }

    int onHand() {
        return onHand;
    }
}
