import java.lang.reflect.Method;
import java.util.Map;
import java.util.TreeMap;
import net.sf.cglib.beans.BeanCopier;
import net.sf.cglib.beans.BeanGenerator;
import net.sf.cglib.beans.BeanMap;
import net.sf.cglib.core.KeyFactory;
import net.sf.cglib.proxy.Enhancer;
import net.sf.cglib.proxy.MethodInterceptor;
import net.sf.cglib.proxy.MethodProxy;
import net.sf.cglib.reflect.FastClass;
import net.sf.cglib.util.ParallelSorter;

/** Makes proxies, beans and keys at run time and uses them. */
public class Workload {
    public static void main(String[] args) throws Exception {
        int scale = Integer.parseInt(args[0]);
        long checksum = 0;
        for (int round = 0; round < scale; round++) {
            Tracer tracer = new Tracer();
            Account account = proxy(tracer);
            for (int i = 0; i < 200; i++) {
                account.deposit(i);
                checksum = checksum * 31 + account.getBalance();
            }
            checksum = checksum * 31 + tracer.calls.toString().hashCode();
            checksum = checksum * 31 + beans(account);
            checksum = checksum * 31 + reflection();
            checksum = checksum * 31 + sorting(round);
        }
        System.out.println("checksum " + checksum);
        try {
            proxy(new Tracer()).deposit(-1);
        } catch (IllegalArgumentException e) {
            System.out.println("expected: " + e.getMessage());
        }
    }

    /** Without a cache the class is generated again each time: that is the work here. */
    static Account proxy(MethodInterceptor interceptor) {
        Enhancer enhancer = new Enhancer();
        enhancer.setUseCache(false);
        enhancer.setSuperclass(Account.class);
        enhancer.setCallback(interceptor);
        return (Account) enhancer.create();
    }

    static long beans(Account account) {
        BeanGenerator generator = new BeanGenerator();
        generator.setUseCache(false);
        generator.addProperty("balance", int.class);
        generator.addProperty("owner", String.class);
        Object bean = generator.create();
        BeanCopier.create(Account.class, bean.getClass(), false).copy(account, bean, null);
        Map<?, ?> values = BeanMap.create(bean);
        return new TreeMap<Object, Object>(values).toString().hashCode();
    }

    static long reflection() throws Exception {
        FastClass fast = FastClass.create(Account.class);
        Account account = (Account) fast.newInstance();
        fast.invoke("deposit", new Class<?>[] {int.class}, account, new Object[] {17});
        Keys keys = (Keys) KeyFactory.create(Keys.class);
        return account.getBalance() + (keys.newInstance("a", 1).equals(keys.newInstance("a", 1)) ? 1 : 0);
    }

    static long sorting(int seed) {
        Integer[] keys = new Integer[300];
        String[] names = new String[keys.length];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = (i * 7919 + seed) % 1009;
            names[i] = "n" + i;
        }
        ParallelSorter.create(new Object[] {keys, names}).mergeSort(0);
        return String.join("", names).hashCode();
    }

    /** What a key is made of. */
    public interface Keys {
        Object newInstance(String name, int number);
    }

    public static class Account {
        private int balance;

        public void deposit(int amount) {
            if (amount < 0) {
                throw new IllegalArgumentException("amount " + amount);
            }
            balance += amount;
        }

        public int getBalance() {
            return balance;
        }

        public String getOwner() {
            return "nobody";
        }
    }

    static class Tracer implements MethodInterceptor {
        final Map<String, Integer> calls = new TreeMap<>();

        @Override
        public Object intercept(Object target, Method method, Object[] args, MethodProxy proxy)
                throws Throwable {
            calls.merge(method.getName(), 1, Integer::sum);
            return proxy.invokeSuper(target, args);
        }
    }
}
