import java.util.ArrayList;
import java.util.List;

/** Pays a small company: salaried people, people paid by the hour, and a manager with a bonus. */
public class Main {
    public static void main(String[] args) {
        Manager manager = new Manager("Ruth", 5200);
        List<Employee> staff = new ArrayList<>();
        staff.add(manager);
        staff.add(new Salaried("Paul", 3900));
        staff.add(new Hourly("Nora", 22, 150));
        staff.add(new Hourly("Otto", 20, 172));
        for (Employee employee : staff) {
            if (employee != manager) {
                manager.leads(employee);
            }
        }

        for (Employee employee : staff) {
            System.out.println(new Payslip(employee).text());
        }
        System.out.println("total " + total(staff));
    }

    static int total(List<Employee> staff) {
        int sum = 0;
        for (Employee employee : staff) {
            sum += employee.monthlyPay();
        }
        return sum;
    }
}
