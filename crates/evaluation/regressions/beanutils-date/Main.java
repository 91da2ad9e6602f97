import java.util.Date;
import org.apache.commons.beanutils.BeanUtils;

public class Main {
    public static class Order {
        private Date sent = new Date(0);
        private String name = "tea";

        public Date getSent() {
            return sent;
        }

        public void setSent(Date sent) {
            this.sent = sent;
        }

        public String getName() {
            return name;
        }

        public void setName(String name) {
            this.name = name;
        }
    }

    public static void main(String[] args) throws Exception {
        Order draft = new Order();
        draft.setSent(null);
        Order copy = new Order();
        BeanUtils.copyProperties(copy, draft);
        System.out.println(copy.getName() + " " + copy.getSent());
    }
}
