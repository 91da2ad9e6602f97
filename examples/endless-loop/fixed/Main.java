/** Works off a queue of print jobs, sheet by sheet, until nothing is left. */
public class Main {
    public static void main(String[] args) throws InterruptedException {
        Printer printer = new Printer();
        printer.submit(new Job("letter", 2, 1));
        printer.submit(new Job("poster", 1, 1));
        printer.submit(new Job("booklet", 6, 2));
        printer.submit(new Job("report", 5, 2));
        printer.submit(new Job("ticket", 1, 1));

        while (!printer.isIdle()) {
            Job finished = printer.printSheet();
            if (finished != null) {
                System.out.println(finished.name + ": " + finished.sheets + " sheets");
            }
            Thread.sleep(5); // a sheet takes its time
        }
        System.out.println("idle after " + printer.sheets() + " sheets");
    }
}
