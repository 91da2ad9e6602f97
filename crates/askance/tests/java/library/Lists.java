import java.util.*;
import java.util.concurrent.CopyOnWriteArrayList;

final class Lists {
    static void run(Random random, int rounds) {
        List<List<Integer>> all = new ArrayList<>(Arrays.asList(
                new ArrayList<>(), new LinkedList<>(), new Vector<>(), new Stack<>(), new CopyOnWriteArrayList<>(),
                new ArrayList<>(Arrays.asList(5, 6, 7)), Collections.synchronizedList(new ArrayList<>()),
                Collections.checkedList(new LinkedList<>(), Integer.class), new Own()));
        for (List<Integer> list : all) {
            String label = list.getClass().getSimpleName();
            List<Integer> fixed = Collections.unmodifiableList(list);
            Check.point(label, list);
            for (int i = 0; i < rounds; i++) {
                change(list, random);
                Check.point(label, list);
                Check.point(label + " unmodifiable", fixed);
                if (list.size() > 3 && !(list instanceof CopyOnWriteArrayList)) {
                    List<Integer> part = list.subList(1, list.size() - 1);
                    Check.point(label + " part", part);
                    part.set(0, random.nextInt(100));
                    part.add(random.nextInt(100));
                    Check.point(label + " part", part);
                    part.remove(0);
                    Check.point(label + " part", part);
                    Check.point(label + " with part", list);
                }
            }
        }
        Integer[] array = {5, 4, 3, 2, 1};
        List<Integer> view = Arrays.asList(array);
        Check.point("asList", view);
        view.set(2, 9);
        array[0] = 8;
        Check.point("asList", view);
        Collections.sort(view);
        Check.point("asList", view);
        Check.point("array of asList", array, Arrays.toString(array));
        view.replaceAll(n -> n + 1);
        Check.point("asList", view);
    }

    /** A class of the program's own that is a list of the JDK's. */
    static final class Own extends ArrayList<Integer> {
        int changes;

        @Override
        public boolean add(Integer n) {
            changes++;
            return super.add(n);
        }
    }

    private static void change(List<Integer> list, Random random) {
        int n = random.nextInt(100);
        int size = list.size();
        switch (random.nextInt(16)) {
            case 0:
                list.add(random.nextInt(size + 1), n);
                break;
            case 1:
                if (size > 0) {
                    list.remove(random.nextInt(size));
                }
                break;
            case 2:
                if (size > 0) {
                    list.set(random.nextInt(size), n);
                }
                break;
            case 3:
                list.addAll(random.nextInt(size + 1), Arrays.asList(n, n + 1, n + 2, null));
                break;
            case 4:
                list.removeIf(each -> each != null && each % 5 == n % 5);
                break;
            case 5:
                list.sort(Comparator.nullsFirst(Comparator.<Integer>reverseOrder()));
                break;
            case 6:
                list.replaceAll(each -> each == null ? 0 : each + 1);
                break;
            case 7:
                if (!(list instanceof CopyOnWriteArrayList)) {
                    for (Iterator<Integer> i = list.iterator(); i.hasNext(); ) {
                        Integer each = i.next();
                        if (each == null || each % 3 == 0) {
                            i.remove();
                        }
                    }
                }
                break;
            case 8:
                if (!(list instanceof CopyOnWriteArrayList)) {
                    for (ListIterator<Integer> i = list.listIterator(); i.hasNext(); ) {
                        Integer each = i.next();
                        if (each == null || each % 2 == 0) {
                            i.set(each == null ? 1 : each / 2);
                            i.add(n);
                        }
                    }
                }
                break;
            case 9:
                Collections.shuffle(list, random);
                break;
            case 10:
                Collections.reverse(list);
                break;
            case 11:
                list.retainAll(new HashSet<>(Arrays.asList(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, n)));
                break;
            case 12:
                if (size > 40) {
                    list.clear();
                }
                break;
            default:
                list.add(n);
        }
        if (list instanceof ArrayList && random.nextInt(10) == 0) {
            ((ArrayList<Integer>) list).trimToSize();
        }
    }
}
