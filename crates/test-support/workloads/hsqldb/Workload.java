import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A bank in a database: functions written in SQL, triggers, views and texts. */
public class Workload {
    private static final String[] SCHEMA = {
        "drop schema public cascade",
        "create table account (id int primary key, owner varchar(60), balance int check (balance >= 0))",
        "create table journal (id int generated always as identity primary key, account int, old int, new int)",
        "create trigger noted after update on account referencing old row as o new row as n for each row"
            + " insert into journal (account, old, new) values (n.id, o.balance, n.balance)",
        "create function fee(amount int) returns int"
            + " return case when amount > 100 then amount / 50 when amount > 10 then 1 else 0 end",
        "create procedure transfer(in source int, in target int, in amount int) modifies sql data begin atomic"
            + " update account set balance = balance - amount - fee(amount) where id = source;"
            + " update account set balance = balance + amount where id = target; end",
        "create view rich as select owner, balance from account where balance > 1000",
    };

    public static void main(String[] args) throws Exception {
        System.setProperty("hsqldb.reconfig_logging", "false");
        int scale = Integer.parseInt(args[0]);
        long checksum = 0;
        try (Connection connection = DriverManager.getConnection("jdbc:hsqldb:mem:bank", "SA", "")) {
            for (int round = 0; round < scale; round++) {
                checksum = checksum * 31 + round(connection, round);
            }
            System.out.println("checksum " + checksum);
            transfer(connection, 0, 1, 1_000_000);
        } catch (SQLException e) {
            System.out.println("expected: " + e.getMessage());
        }
    }

    private static long round(Connection connection, int seed) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String definition : SCHEMA) {
                statement.execute(definition);
            }
            for (int i = 0; i < 60; i++) {
                statement.executeUpdate("insert into account values (" + i + ", 'Owner " + i % 13 + "', " + (900 + i * 7) + ")");
            }
            for (int i = 0; i < 80; i++) {
                transfer(connection, (i * 7 + seed) % 60, (i * 11 + 3) % 60, i % 37);
            }
            return hash(statement, "select owner, sum(balance) from rich group by owner order by owner") * 31
                + hash(statement, "select account, count(*), max(new - old) from journal group by account order by account") * 17
                + hash(statement, "select upper(owner) || '/' || lpad(cast(balance as varchar(10)), 8, '0'), locate('e', owner)"
                    + " from account where regexp_matches(owner, '.*[13579]') order by id");
        }
    }

    private static void transfer(Connection connection, int source, int target, int amount) throws SQLException {
        try (CallableStatement call = connection.prepareCall("{call transfer(?, ?, ?)}")) {
            call.setInt(1, source);
            call.setInt(2, target);
            call.setInt(3, amount);
            call.execute();
        }
    }

    private static long hash(Statement statement, String query) throws SQLException {
        long hash = 0;
        try (ResultSet rows = statement.executeQuery(query)) {
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
