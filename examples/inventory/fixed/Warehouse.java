import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The articles of a warehouse and the orders that wait for shipping. */
class Warehouse {
    private static final class Order {
        final String article;
        final int quantity;

        Order(String article, int quantity) {
            this.article = article;
            this.quantity = quantity;
        }
    }

    private final Map<String, Stock> stocks = new TreeMap<>();
    private final List<Order> orders = new ArrayList<>();

    void receive(String article, int quantity) {
        stocks.computeIfAbsent(article, name -> new Stock()).receive(quantity);
    }

    String order(String number, String article, int quantity) {
        Stock stock = stocks.get(article);
        if (!stock.reserve(quantity)) {
            return number + " back order";
        }
        orders.add(new Order(article, quantity));
        return number + " accepted";
    }

    int shipAll() {
        int shipped = 0;
        for (Order order : orders) {
            stocks.get(order.article).ship(order.quantity);
            shipped++;
        }
        orders.clear();
        return shipped;
    }

    String left() {
        StringBuilder text = new StringBuilder();
        for (Map.Entry<String, Stock> entry : stocks.entrySet()) {
            text.append(entry.getKey()).append('=').append(entry.getValue().onHand()).append(' ');
        }
        return text.toString().trim();
    }
}
