import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Who buys most? Groups the orders of a shop by customer and lists the best ones. */
public class Main {
    public static void main(String[] args) {
        List<Order> orders = orders();
        Report report = new Report(orders);
        Map<String, Integer> turnover = report.turnover();
        System.out.println("turnover " + turnover);
        System.out.println("top " + report.topCustomers(turnover, 3));
        System.out.println("large " + report.largeOrders(5000));
        System.out.println("articles " + report.articles());
    }

    static List<Order> orders() {
        List<Order> orders = new ArrayList<>();
        orders.add(new Order(1, "Mia").add("chair", 4, 4900).add("table", 1, 19900));
        orders.add(new Order(2, "Jonas").add("lamp", 2, 2450));
        orders.add(new Order(3, "Lea").add("shelf", 1, 8900).add("lamp", 1, 2450));
        orders.add(new Order(4, "Jonas").add("chair", 1, 4900));
        orders.add(new Order(5, "Emil").add("hook", 6, 250));
        orders.add(new Order(6, "Lea").add("hook", 2, 250).add("table", 1, 19900));
        return orders;
    }
}
