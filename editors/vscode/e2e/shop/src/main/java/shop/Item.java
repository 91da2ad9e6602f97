package shop;

class Item {
    final String name;
    final int price;
    final int count;

    Item(String name, int price, int count) {
        this.name = name;
        this.price = price;
        this.count = count;
    }
}
