import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What the shop wants to know about its orders. */
class Report {
    private final List<Order> orders;

    Report(List<Order> orders) {
        this.orders = orders;
    }

    /** What each customer has ordered, in cents. */
    Map<String, Integer> turnover() {
        return orders.stream().collect(Collectors.groupingBy(
            Order::customer, TreeMap::new, Collectors.summingInt(Order::total)));
    }

    /** The names of the {@code count} customers with the highest turnover, highest first. */
    List<String> topCustomers(Map<String, Integer> turnover, int count) {
        return turnover.entrySet().stream()
            .sorted(Map.Entry.<String, Integer>comparingByValue())
            .limit(count)
            .map(Map.Entry::getKey)
            .collect(Collectors.toList());
    }

    /** The numbers of the orders above the given amount. */
    List<Integer> largeOrders(int amount) {
        return orders.stream()
            .filter(order -> order.total() > amount)
            .map(Order::number)
            .collect(Collectors.toList());
    }

    /** All articles that were ordered, in alphabetical order. */
    TreeSet<String> articles() {
        return orders.stream()
            .flatMap(order -> order.lines().stream())
            .map(Order.Line::article)
            .collect(Collectors.toCollection(TreeSet::new));
    }
}
