import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Lets the other agent change a class while it is being recorded. */
class Main {
    public static void main(String[] arguments) throws Exception {
        Target target = new Target();
        System.out.println(target.answer(1));
        Agent.retransform(Target.class);
        System.out.println(target.answer(2));
        Agent.replace(Target.class, arguments[0]);
        System.out.println(target.answer(3));
        Agent.retransform(Target.class);
        System.out.println(target.answer(4));
        System.out.println(fill(5, new ArrayList<>(), new TreeMap<>()));
        System.out.println(Agent.seen > 0);
    }

    static int fill(int n, List<Integer> list, TreeMap<Integer, Integer> map) {
        for (int i = 0; i < n; i++) {
            list.add(i);
            map.put(i, -i);
        }
        return list.size() + map.size();
    }
}
