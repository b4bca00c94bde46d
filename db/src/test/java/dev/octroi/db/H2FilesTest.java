package dev.octroi.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may read the file of an H2 database. */
class H2FilesTest {

  @Test
  void aNewFileIsItsOwnersOnlyAndH2MakesItsDatabaseInIt(@TempDir Path folder) throws Exception {
    assumeThat(folder.getFileSystem().supportedFileAttributeViews())
        .as("a file system that knows rights; elsewhere this test does not run")
        .contains("posix");
    Path books = folder.resolve("data").resolve("books");

    String url = H2Files.ownerOnly("jdbc:h2:async:" + books + ";WRITE_DELAY=0");

    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE line (number INT)");
    }
    assertThat(rights(books.resolveSibling("books.mv.db"))).isEqualTo("rw-------");
    assertThat(rights(books.getParent())).isEqualTo("rwx------");
  }

  @Test
  void otherAddressesAreLeftAlone() {
    for (String url : new String[] {"jdbc:postgresql://db/octroi", "jdbc:h2:mem:books"}) {
      assertThat(H2Files.ownerOnly(url)).isEqualTo(url);
    }
  }

  @Test
  void aFileThatThisMachineCannotHaveIsNamedWithTheSetting() {
    assertThatThrownBy(() -> H2Files.ownerOnly("jdbc:h2:async:./a\0b;WRITE_DELAY=0"))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessage("gateway.database.url names a file that this machine cannot have: ./a\0b.mv.db")
        .hasCauseInstanceOf(FileSystemException.class);
  }

  private static String rights(Path path) throws Exception {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
