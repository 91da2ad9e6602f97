import clojure.java.api.Clojure;
import clojure.lang.IFn;

/** Starts Clojure, compiles a program with macros and lazy sequences, and runs it. */
public class Workload {
    private static final String PROGRAM = String.join("\n",
        "(ns work)",
        "(defmacro unless [test then] `(if ~test nil ~then))",
        "(defprotocol Area (area [shape]))",
        "(defrecord Square [side] Area (area [_] (* side side)))",
        "(defrecord Circle [radius] Area (area [_] (* 3 radius radius)))",
        "(defmulti describe :kind)",
        "(defmethod describe :text [m] (str \"text \" (:value m)))",
        "(defmethod describe :default [m] (str \"other \" (dec (:value m))))",
        "(defn primes [n] (loop [todo (range 2 n) found []]",
        "  (if (empty? todo) found",
        "    (let [p (first todo)] (recur (remove #(zero? (mod % p)) todo) (conj found p))))))",
        "(def account (atom {:balance 100 :log []}))",
        "(defn deposit! [amount] (swap! account #(-> % (update :balance + amount) (update :log conj amount))))",
        "(defn run [seed]",
        "  (doseq [i (range 30)] (deposit! (mod (* i seed) 17)))",
        "  (let [shapes (concat (map ->Square (range 1 20)) (map ->Circle (range 1 10)))",
        "        words (frequencies (map count (re-seq #\"\\w+\" \"the quick brown fox jumps over the lazy dog\")))]",
        "    (pr-str [(reduce + (map area shapes)) (primes 150) (into (sorted-map) words)",
        "             (:balance @account) (describe {:kind :text :value seed}) (describe {:kind 1 :value seed})",
        "             (unless false (transduce (comp (filter odd?) (map inc)) + (range 100)))",
        "             (try (/ 1 0) (catch ArithmeticException e (.getMessage e)))])))");

    public static void main(String[] args) {
        int scale = Integer.parseInt(args[0]);
        long checksum = 0;
        IFn loadString = Clojure.var("clojure.core", "load-string");
        loadString.invoke(PROGRAM);
        IFn run = Clojure.var("work", "run");
        for (int round = 0; round < scale; round++) {
            for (int i = 0; i < 5; i++) {
                checksum = checksum * 31 + run.invoke((long) i + round).hashCode();
            }
            checksum = checksum * 31 + loadString.invoke("(let [x 3 f (fn [y] (* x y " + round + "))] (str (f 5)))").hashCode();
        }
        System.out.println("checksum " + checksum);
        try {
            loadString.invoke("(nothing 1)");
        } catch (RuntimeException e) {
            System.out.println("expected: " + e.getCause().getMessage());
        }
    }
}
