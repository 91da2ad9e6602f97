import java.util.ArrayList;
import java.util.List;
import java.util.logging.LogManager;
import javax.persistence.CascadeType;
import javax.persistence.Column;
import javax.persistence.Entity;
import javax.persistence.FetchType;
import javax.persistence.GeneratedValue;
import javax.persistence.Id;
import javax.persistence.ManyToOne;
import javax.persistence.OneToMany;
import javax.persistence.OrderBy;
import javax.persistence.PersistenceException;
import javax.persistence.Version;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;

/** Keeps objects in a database in memory; lazily loaded ones are of classes made at run time. */
public class Workload {
    public static void main(String[] args) {
        LogManager.getLogManager().reset();
        int scale = Integer.parseInt(args[0]);
        long checksum = 0;
        Configuration configuration = new Configuration()
            .addAnnotatedClass(Author.class).addAnnotatedClass(Book.class)
            .setProperty("hibernate.connection.url", "jdbc:h2:mem:library")
            .setProperty("hibernate.dialect", "org.hibernate.dialect.H2Dialect")
            .setProperty("hibernate.hbm2ddl.auto", "create-drop");
        try (SessionFactory factory = configuration.buildSessionFactory()) {
            for (int round = 0; round < scale; round++) {
                long first = store(factory, round);
                checksum = checksum * 31 + read(factory, first);
            }
            System.out.println("checksum " + checksum);
            try (Session session = factory.openSession()) {
                session.beginTransaction();
                session.persist(new Book(null, null));
                session.flush();
            } catch (PersistenceException e) {
                System.out.println("expected: " + e.getClass().getSimpleName());
            }
        }
    }

    private static long store(SessionFactory factory, int seed) {
        try (Session session = factory.openSession()) {
            session.beginTransaction();
            long first = 0;
            for (int i = 0; i < 10; i++) {
                Author author = new Author("author " + (i * 7 + seed) % 10);
                for (int book = 0; book <= i % 4; book++) {
                    author.books.add(new Book("book " + book * i, author));
                }
                session.persist(author);
                first = first == 0 ? author.id : first;
            }
            session.getTransaction().commit();
            return first;
        }
    }

    private static long read(SessionFactory factory, long first) {
        long hash = 0;
        try (Session session = factory.openSession()) {
            session.beginTransaction();
            Author author = session.load(Author.class, first);
            author.rename(author.getName() + "!");
            session.flush();
            List<Book> books = session.createQuery(
                "select b from Book b join b.author a where a.id >= :first and b.title like 'book%' order by a.id, b.id", Book.class)
                .setParameter("first", first).list();
            for (Book book : books) {
                hash = hash * 31 + book.title.hashCode() + book.author.getName().hashCode();
            }
            for (Object[] row : session.createQuery(
                "select a.name, count(b), max(b.title) from Author a left join a.books b group by a.name order by a.name", Object[].class).list()) {
                hash = hash * 31 + java.util.Arrays.toString(row).hashCode();
            }
            session.delete(books.get(0));
            session.getTransaction().commit();
        }
        return hash;
    }

    @Entity(name = "Author")
    public static class Author {
        @Id
        @GeneratedValue
        long id;

        String name;

        @Version
        int version;

        @OneToMany(mappedBy = "author", cascade = CascadeType.ALL)
        @OrderBy("id")
        List<Book> books = new ArrayList<>();

        Author() {}

        Author(String name) {
            this.name = name;
        }

        public String getName() {
            return name;
        }

        public void rename(String name) {
            this.name = name;
        }
    }

    @Entity(name = "Book")
    public static class Book {
        @Id
        @GeneratedValue
        long id;

        @Column(nullable = false)
        String title;

        @ManyToOne(fetch = FetchType.LAZY)
        Author author;

        Book() {}

        Book(String title, Author author) {
            this.title = title;
            this.author = author;
        }
    }
}
