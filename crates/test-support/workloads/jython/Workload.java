import java.util.Properties;
import org.python.core.PyException;
import org.python.util.PythonInterpreter;

/** Compiles Python to classes and runs them. */
public class Workload {
    private static final String PROGRAM = String.join("\n",
        "class Node(object):",
        "    def __init__(self, key): self.key, self.left, self.right = key, None, None",
        "    def insert(self, key):",
        "        side = 'left' if key < self.key else 'right'",
        "        child = getattr(self, side)",
        "        if child is None: setattr(self, side, Node(key))",
        "        else: child.insert(key)",
        "    def __iter__(self):",
        "        for child in (self.left, self, self.right):",
        "            if child is self: yield self.key",
        "            elif child is not None:",
        "                for key in child: yield key",
        "def queens(n, row=0, columns=()):",
        "    if row == n: return 1",
        "    return sum(queens(n, row + 1, columns + (c,)) for c in range(n)",
        "               if all(c != k and abs(c - k) != row - i for i, k in enumerate(columns)))",
        "def work(seed):",
        "    root = Node(50)",
        "    for i in range(60): root.insert((i * 37 + seed) % 101)",
        "    words = {}",
        "    for word in 'the quick brown fox jumps over the lazy dog'.split(): words[len(word)] = words.get(len(word), '') + word",
        "    try: 1 / (seed - seed)",
        "    except ZeroDivisionError as e: caught = str(e)",
        "    return '%s %d %s %s %s' % (list(root)[:9], queens(5), sorted(words.items()), caught, 2 ** 70 + seed)");

    public static void main(String[] args) {
        int scale = Integer.parseInt(args[0]);
        Properties properties = new Properties();
        properties.setProperty("python.import.site", "false");
        properties.setProperty("python.cachedir.skip", "true");
        PythonInterpreter.initialize(System.getProperties(), properties, new String[0]);
        long checksum = 0;
        try (PythonInterpreter python = new PythonInterpreter()) {
            for (int round = 0; round < scale; round++) {
                python.exec(PROGRAM);
                checksum = checksum * 31 + python.eval("work(" + round + ")").toString().hashCode();
            }
            System.out.println("checksum " + checksum);
            python.exec("nothing.here");
        } catch (PyException e) {
            System.out.println("expected: " + e.value);
        }
    }
}
