import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.aopalliance.intercept.MethodInterceptor;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** Wires beans, with configurations and proxies whose classes are made at run time. */
public class Workload {
    public static void main(String[] args) {
        int scale = Integer.parseInt(args[0]);
        long checksum = 0;
        for (int round = 0; round < scale; round++) {
            System.setProperty("workload.greeting", "hello " + round);
            try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(Shop.class)) {
                Till till = context.getBean(Till.class);
                for (int i = 0; i < 20; i++) {
                    checksum = checksum * 31 + till.sell(i);
                }
                checksum = checksum * 31 + context.getBean(Greeter.class).greet("you").hashCode();
                checksum = checksum * 31 + context.getBean(Journal.class).lines.toString().hashCode();
                checksum = checksum * 31 + (context.getBean("basket") == context.getBean("basket") ? 1 : 0);
            }
            checksum = checksum * 31 + expression(round);
        }
        System.out.println("checksum " + checksum);
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(Shop.class)) {
            context.getBean("nothing");
        } catch (NoSuchBeanDefinitionException e) {
            System.out.println("expected: " + e.getMessage());
        }
    }

    private static long expression(int seed) {
        String text = "{1, 2, 3, 4}.?[#this > 1].![#this * " + seed + "].toString() + 'abc'.toUpperCase() + (7 mod 4 == 3 ? 'x' : 'y')";
        return String.valueOf(new SpelExpressionParser().parseExpression(text).getValue()).hashCode();
    }

    /** A class of which Spring makes a subclass, so that each bean is made once. */
    @Configuration
    public static class Shop {
        @Bean
        public Journal journal() {
            return new Journal();
        }

        @Bean
        public Prices prices() {
            ProxyFactory factory = new ProxyFactory(Prices.class, noted(journal()));
            factory.setTarget((Prices) product -> product * 7 % 13);
            return (Prices) factory.getProxy();
        }

        @Bean
        public Till till() {
            ProxyFactory factory = new ProxyFactory(new Till(prices()));
            factory.setProxyTargetClass(true);
            factory.addAdvice(noted(journal()));
            return (Till) factory.getProxy();
        }

        @Bean
        @Scope("prototype")
        public List<String> basket() {
            return new ArrayList<>();
        }

        @Bean
        @Lazy
        public Greeter greeter() {
            return new Greeter();
        }

        @Bean
        public ApplicationListener<ContextRefreshedEvent> refreshed() {
            return event -> journal().lines.add("refreshed");
        }

        private static MethodInterceptor noted(Journal journal) {
            return invocation -> {
                Method method = invocation.getMethod();
                Object result = invocation.proceed();
                journal.lines.add(method.getName() + " " + result);
                return result;
            };
        }
    }

    public interface Prices {
        int of(int product);
    }

    public static class Journal {
        final List<String> lines = new ArrayList<>();
    }

    public static class Till {
        private final Prices prices;

        public Till() {
            this(null);
        }

        Till(Prices prices) {
            this.prices = prices;
        }

        public long sell(int product) {
            return prices.of(product) * 100L + product;
        }
    }

    public static class Greeter {
        @Value("${workload.greeting}")
        private String greeting;

        @Autowired
        private Journal journal;

        public String greet(String name) {
            return greeting + ", " + name + " " + journal.lines.size();
        }
    }
}
