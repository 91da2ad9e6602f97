import org.apache.commons.lang3.reflect.ConstructorUtils;

public class Main {
    public static class Base {}

    public static class Sub extends Base {}

    public static class Bean {
        public final String how;

        public Bean(Base base, String... texts) {
            how = "Base+" + texts.length;
        }

        public Bean(Integer number) {
            how = "int";
        }
    }

    public static void main(String[] args) throws Exception {
        System.out.println(make(4));
        System.out.println(make(new Sub(), new String[] {"x", "y"}));
    }

    private static String make(Object... arguments) throws Exception {
        return ConstructorUtils.invokeConstructor(Bean.class, arguments).how;
    }
}
