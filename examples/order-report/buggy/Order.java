import java.util.ArrayList;
import java.util.List;

/** An order of one customer; prices are in cents. */
class Order {
    static class Line {
        final String article;
        final int quantity;
        final int unitPrice;

        Line(String article, int quantity, int unitPrice) {
            this.article = article;
            this.quantity = quantity;
            this.unitPrice = unitPrice;
        }

        String article() {
            return article;
        }

        int price() {
            return quantity * unitPrice;
        }
    }

    private final int number;
    private final String customer;
    private final List<Line> lines = new ArrayList<>();

    Order(int number, String customer) {
        this.number = number;
        this.customer = customer;
    }

    Order add(String article, int quantity, int unitPrice) {
        lines.add(new Line(article, quantity, unitPrice));
        return this;
    }

    int number() {
        return number;
    }

    String customer() {
        return customer;
    }

    List<Line> lines() {
        return lines;
    }

    int total() {
        return lines.stream().mapToInt(Line::price).sum();
    }
}
