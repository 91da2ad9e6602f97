import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.IntBinaryOperator;

/** Calls that no class file names: reflection, handles, proxies, hidden classes. */
class Main {
    interface Greeter {
        String greet(String name, int times);
    }

    static class Hidden implements IntBinaryOperator {
        @Override
        public int applyAsInt(int a, int b) {
            return Main.add(a, b);
        }
    }

    int field;

    static int add(int a, int b) {
        return a + b;
    }

    static String greeting(Object name) {
        return "hello " + name;
    }

    public static void main(String[] arguments) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        Greeter greeter = (Greeter) Proxy.newProxyInstance(Main.class.getClassLoader(), new Class<?>[] {Greeter.class},
                (proxy, method, values) -> greeting(values[0]) + values[1]);
        System.out.println(greeter.greet("proxy", 2));
        MethodHandle add = lookup.findStatic(Main.class, "add", MethodType.methodType(int.class, int.class, int.class));
        System.out.println((int) add.invokeExact(3, 4));
        System.out.println((int) MethodHandles.insertArguments(add, 0, 10).invoke(5));
        Method reflected = Main.class.getDeclaredMethod("add", int.class, int.class);
        for (int n = 0; n < 20; n++) {
            reflected.invoke(null, n, 100);
        }
        VarHandle variable = lookup.findVarHandle(Main.class, "field", int.class);
        Main main = new Main();
        variable.getAndAdd(main, 7);
        variable.compareAndSet(main, 7, 8);
        System.out.println(main.field);
        IntBinaryOperator lambda = Main::add;
        System.out.println(lambda.applyAsInt(1, 2));
        System.out.println(hidden(lookup).applyAsInt(20, 30));
    }

    /** A hidden class where Java has them, the class itself where not. */
    static IntBinaryOperator hidden(MethodHandles.Lookup lookup) throws Exception {
        Method define = null;
        for (Method method : MethodHandles.Lookup.class.getMethods()) {
            define = method.getName().equals("defineHiddenClass") ? method : define;
        }
        if (define == null) {
            return new Hidden();
        }
        byte[] bytes;
        try (InputStream in = Main.class.getResourceAsStream("Main$Hidden.class")) {
            bytes = in.readAllBytes();
        }
        Object none = java.lang.reflect.Array.newInstance(define.getParameterTypes()[2].getComponentType(), 0);
        MethodHandles.Lookup inside = (MethodHandles.Lookup) define.invoke(lookup, bytes, true, none);
        return (IntBinaryOperator) inside.lookupClass().getDeclaredConstructor().newInstance();
    }
}
