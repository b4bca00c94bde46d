package dev.octroi.war;

import dev.octroi.api.settings.InvalidSettings;
import java.util.List;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;

/** The server's own pool of connections, by its name in the server's directory (JNDI). */
final class ContainerDatabase {

  private static final String RELATIVE_TO = "java:comp/env/";

  private ContainerDatabase() {}

  /**
   * Looks it up, as a thread of the web application; stays the server's to close.
   *
   * @param name as the server knows it, or as the application's own reference to it
   * @throws InvalidSettings if there is no such pool
   */
  static DataSource named(String name) {
    try {
      Context directory = new InitialContext();
      if (find(directory, name) instanceof DataSource pool) {
        return pool;
      }
      throw new NamingException("what is there is no javax.sql.DataSource");
    } catch (NamingException e) {
      InvalidSettings unusable =
          new InvalidSettings(
              List.of(
                  "gateway.database.jndi-name is "
                      + name
                      + ", where the server has no pool of connections: "
                      + e.getMessage()));
      unusable.initCause(e);
      throw unusable;
    }
  }

  /** The name is the operator's own setting: no caller has a say in it. */
  @SuppressWarnings("BanJNDI")
  private static Object find(Context directory, String name) throws NamingException {
    try {
      return directory.lookup(name);
    } catch (NamingException e) {
      if (name.startsWith("java:")) {
        throw e;
      }
      return directory.lookup(RELATIVE_TO + name);
    }
  }
}
