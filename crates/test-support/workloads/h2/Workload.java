import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Fills tables of a database in memory, joins, groups, updates and rolls back. */
public class Workload {
    public static void main(String[] args) throws Exception {
        int scale = Integer.parseInt(args[0]);
        long checksum = 0;
        try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:shop")) {
            for (int round = 0; round < scale; round++) {
                create(connection);
                fill(connection, 300, round);
                for (String query : QUERIES) {
                    checksum = checksum * 31 + hash(connection, query);
                }
                checksum = checksum * 31 + change(connection);
            }
            System.out.println("checksum " + checksum);
            try (Statement statement = connection.createStatement()) {
                statement.execute("insert into product values (1, 'again', 0)");
            } catch (SQLException e) {
                System.out.println("expected: " + e.getSQLState());
            }
        }
    }

    private static final String[] QUERIES = {
        "select p.name, sum(o.amount * p.price) from product p join orders o on o.product = p.id"
            + " group by p.name having count(*) > 2 order by 2 desc, 1",
        "select id, amount, rank() over (partition by product order by amount desc, id) from orders order by id",
        "with recursive n(i) as (select 1 union all select i + 1 from n where i < 60)"
            + " select i, (select count(*) from orders where amount = i) from n order by i",
        "select distinct upper(substring(p.name, 1, 3)), length(p.name) from product p"
            + " where exists (select 1 from orders o where o.product = p.id and o.amount > 20) order by 1, 2",
        "select count(*), min(amount), max(amount), avg(cast(amount as decimal(10, 2))) from orders"
            + " where note like '%7%' or amount in (1, 3, 5)",
    };

    private static void create(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("drop all objects");
            statement.execute("create table product (id int primary key, name varchar(40), price decimal(10, 2))");
            statement.execute("create table orders (id int primary key, product int references product(id),"
                + " amount int, note varchar(80))");
            statement.execute("create index by_amount on orders (amount, product)");
        }
    }

    private static void fill(Connection connection, int orders, int seed) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into product values (?, ?, ?)")) {
            for (int i = 0; i < 40; i++) {
                insert.setInt(1, i);
                insert.setString(2, "product " + i * 7919 % 101);
                insert.setBigDecimal(3, java.math.BigDecimal.valueOf(i * 37L + seed, 2));
                insert.addBatch();
            }
            insert.executeBatch();
        }
        try (PreparedStatement insert = connection.prepareStatement("insert into orders values (?, ?, ?, ?)")) {
            for (int i = 0; i < orders; i++) {
                insert.setInt(1, i);
                insert.setInt(2, i * 31 % 40);
                insert.setInt(3, (i * 17 + seed) % 50);
                insert.setString(4, "note " + i);
                insert.executeUpdate();
            }
        }
    }

    private static long change(Connection connection) throws SQLException {
        long changed = 0;
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            changed += statement.executeUpdate("update orders set amount = amount + 1 where product between 5 and 15");
            changed += statement.executeUpdate("delete from orders where amount > 45");
            connection.rollback();
            changed += statement.executeUpdate("merge into product key (id) values (3, 'other', 1)");
            connection.commit();
        }
        connection.setAutoCommit(true);
        return changed * 31 + hash(connection, "select sum(amount), count(*) from orders");
    }

    private static long hash(Connection connection, String query) throws SQLException {
        long hash = 0;
        try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(query)) {
            int columns = rows.getMetaData().getColumnCount();
            while (rows.next()) {
                for (int column = 1; column <= columns; column++) {
                    hash = hash * 31 + String.valueOf(rows.getString(column)).hashCode();
                }
            }
        }
        return hash;
    }
}
