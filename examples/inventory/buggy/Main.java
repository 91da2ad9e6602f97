/** Takes reservations for articles in a warehouse and ships them at the end of the day. */
public class Main {
    public static void main(String[] args) {
        Warehouse warehouse = new Warehouse();
        warehouse.receive("bolt", 100);
        warehouse.receive("nut", 80);
        warehouse.receive("washer", 30);

        System.out.println(warehouse.order("A1", "bolt", 60));
        System.out.println(warehouse.order("A2", "nut", 50));
        System.out.println(warehouse.order("A3", "washer", 40));
        System.out.println(warehouse.order("A4", "bolt", 50));
        System.out.println(warehouse.order("A5", "nut", 30));

        System.out.println("shipped " + warehouse.shipAll());
        System.out.println("left " + warehouse.left());
    }
}
