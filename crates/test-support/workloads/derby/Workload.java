import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A timetable in a database whose queries become generated classes; cursors go back and forth. */
public class Workload {
    public static void main(String[] args) throws Exception {
        System.setProperty("derby.stream.error.method", "Workload.nowhere");
        int scale = Integer.parseInt(args[0]);
        long checksum = 0;
        try (Connection connection = DriverManager.getConnection("jdbc:derby:memory:rail;create=true")) {
            for (int round = 0; round < scale; round++) {
                checksum = checksum * 31 + round(connection, round);
            }
            System.out.println("checksum " + checksum);
            try (Statement statement = connection.createStatement()) {
                statement.execute("insert into train values (0, 5, 3, null, null)");
            } catch (SQLException e) {
                System.out.println("expected: " + e.getSQLState());
            }
        }
    }

    /** Derby's log. */
    public static java.io.OutputStream nowhere() {
        return java.io.OutputStream.nullOutputStream();
    }

    private static long round(Connection connection, int seed) throws SQLException {
        create(connection, seed > 0);
        try (PreparedStatement station = connection.prepareStatement("insert into station values (?, ?)");
            PreparedStatement train = connection.prepareStatement("insert into train values (?, ?, ?, ?, ?)")) {
            for (int i = 0; i < 25; i++) {
                station.setInt(1, i);
                station.setString(2, "Station " + (char) ('A' + i));
                station.executeUpdate();
            }
            for (int i = 0; i < 150; i++) {
                int[] values = {i, i * 13 % 1000, i * 13 % 1000 + 20 + (i + seed) % 9, i * 7 % 25, (i * 3 + 1) % 25};
                for (int column = 0; column < values.length; column++) {
                    train.setInt(column + 1, values[column]);
                }
                train.executeUpdate();
            }
        }
        return connections(connection, seed) * 31 + backAndForth(connection);
    }

    /** New tables: when the room of deleted rows is used again, and so in which order rows are, depends on the time. */
    private static void create(Connection connection, boolean isAgain) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            if (isAgain) {
                statement.execute("drop table train");
                statement.execute("drop table station");
            }
            statement.execute("create table station (id int not null primary key, name varchar(30))");
            statement.execute("create table train (id int not null primary key, departs int, arrives int,"
                + " origin int references station, target int references station, check (arrives > departs))");
        }
    }

    private static long connections(Connection connection, int seed) throws SQLException {
        // The number in the text makes each query new, so that its class is generated again.
        String query = "select s.name, t.departs, u.arrives from train t join train u on t.target = u.origin"
            + " and u.departs between t.arrives and t.arrives + 60 join station s on s.id = t.origin"
            + " where t.departs < " + (400 + seed % 50) + " order by s.name, t.departs, u.arrives, u.id";
        long hash = 0;
        try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                hash = hash * 31 + rows.getString(1).hashCode() + rows.getInt(2) * 7L + rows.getInt(3);
            }
        }
        return hash;
    }

    private static long backAndForth(Connection connection) throws SQLException {
        long hash = 0;
        try (Statement statement =
                connection.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE);
            ResultSet rows = statement.executeQuery("select id, arrives from train")) {
            for (int step = 1; step < 40; step++) {
                rows.absolute(step * 37 % 150 + 1);
                rows.updateInt(2, rows.getInt(2) + step);
                rows.updateRow();
                hash = hash * 31 + rows.getInt(1);
            }
            while (rows.previous()) {
                hash = hash * 31 + rows.getInt(2);
            }
        }
        return hash;
    }
}
