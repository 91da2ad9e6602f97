/** Serves pages through a cache of three and counts how often a page has to be loaded. */
public class Main {
    public static void main(String[] args) {
        LruCache cache = new LruCache(3);
        String[] requests = {"home", "news", "shop", "home", "cart", "news", "home", "shop",
            "home", "cart", "help", "home"};
        int loads = 0;
        for (String page : requests) {
            String content = cache.get(page);
            if (content == null) {
                loads++;
                cache.put(page, "<" + page + ">");
            }
        }
        System.out.println("loads " + loads);
        System.out.println("cached " + cache.keys());
    }
}
