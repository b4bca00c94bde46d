package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an operator reads when the gateway does not start, and what the doctor says of the same. */
class StartErrorsIT {

  private static final String PASSWORD = "hunter2";

  @TempDir private Path folder;

  @Test
  void aDataFolderThatIsInUse() throws Exception {
    try (Running first = serving().start()) {
      first.awaitReady();
      assertRefused(serving(), "Another process uses the database", "octroi.mv.db", "--data");
      assertDoctor(serving(), 0, "warning  database .*Another process uses the database");
    }
  }

  @Test
  void aPortThatIsTaken() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      String port = String.valueOf(taken.getLocalPort());
      BuiltJar jar = BuiltJar.quickIn(folder, "--port", port, "--data", folder.toString());
      String said = assertRefused(jar, "Another process listens on port " + port, "which is free");
      assertDoctor(jar, 0, "warning  port .*Another process listens on port " + port);

      String free = said.replaceAll("(?s).*--port ([0-9]+), which.*", "$1");
      try (Running there = BuiltJar.quickIn(folder, "--port", free, "--data", "other").start()) {
        assertThat(there.awaitReady()).isEqualTo(URI.create("http://127.0.0.1:" + free));
      }
      try (Running sandbox = BuiltJar.quickIn(folder, "sandbox", "--port", port).start()) {
        assertThat(sandbox.awaitExit()).as(sandbox::said).isEqualTo(1);
        assertThat(sandbox.errText()).contains("Another process listens on port " + port);
      }
    }
  }

  @Test
  void aDatabaseFileThatIsDamaged() throws Exception {
    Path data = Files.createDirectories(folder.resolve("damaged"));
    byte[] noise = new byte[100_000];
    Arrays.fill(noise, (byte) 7);
    Files.write(data.resolve("octroi.mv.db"), noise);
    BuiltJar jar = BuiltJar.quickIn(folder, "--port", "0", "--data", data.toString());
    assertRefused(jar, "octroi.mv.db is damaged", "Restore it from a backup");
    assertDoctor(jar, 1, "bad +database .*is damaged");
    assertThat(Files.readAllBytes(data.resolve("octroi.mv.db"))).isEqualTo(noise);
  }

  @Test
  void aDataFolderThatCannotBeMade() throws Exception {
    Files.writeString(folder.resolve("file"), "no folder");
    BuiltJar jar = BuiltJar.quickIn(folder, "--port", "0", "--data", "file/data");
    assertRefused(jar, "The data folder", "cannot be made", "--data");
    assertDoctor(jar, 1, "bad +data folder .*cannot be made");
  }

  @Test
  void aConfigurationFileThatDoesNotExist() throws Exception {
    BuiltJar jar = serving().and("--config", "absent.properties");
    assertRefused(jar, "the file absent.properties does not exist");
    assertDoctor(jar, 1, "bad +settings .*absent.properties does not exist");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "jdbc:postgresql://127.0.0.1:1/octroi|No database server answers at",
        "jdbc:postgresql://no-such-host.invalid/octroi|is unknown. Correct the host",
        "jdbc:postgre://127.0.0.1/octroi|No driver knows the database address",
        "jdbc:mysql://operator:hunter2@127.0.0.1/octroi|No driver knows the database address",
        "postgresql://127.0.0.1/octroi?password=hunter2|No driver knows the database address",
        "jdbc:h2:./octroi;WRITE_DELY=0|WRITE_DELY",
      })
  void aDatabaseAddressThatIsWrong(String url, String what) throws Exception {
    BuiltJar jar =
        serving().set("gateway.database.url", url).set("gateway.database.password", PASSWORD);
    assertRefused(jar, what, "gateway.database.url");
    assertDoctor(jar, 1, "bad +database ");
  }

  @Test
  void aDatabaseThatRefuses() throws Exception {
    try (SharedPostgres postgres = SharedPostgres.start()) {
      BuiltJar other = postgres.under(serving(), "octroy");
      assertRefused(other, "The server has no database", "octroy", "createdb");
      assertDoctor(other, 1, "bad +database .*has no database");
      BuiltJar stranger = postgres.underAs(serving(), "stranger");
      assertRefused(stranger, "refuses the user stranger", "gateway.database.password");
      assertDoctor(stranger, 1, "bad +database .*refuses the user stranger");
    }
  }

  /** The trace is there for those who ask, and in a log for machines. */
  @Test
  void theStackTraceIsForTheLog() throws Exception {
    BuiltJar jar = serving().set("gateway.database.url", "jdbc:postgresql://127.0.0.1:1/octroi");
    try (Running asked = jar.environment("OCTROI_LOG_LEVEL", "INFO").start()) {
      assertThat(asked.awaitExit()).isEqualTo(1);
      assertThat(asked.errText()).contains("\tat ", "Caused by: ");
    }
    try (Running machine = jar.set("gateway.log.format", "json").start()) {
      assertThat(machine.awaitExit()).isEqualTo(1);
      assertThat(machine.errText().lines())
          .singleElement()
          .asString()
          .startsWith("{")
          .contains("\"level\":\"ERROR\"", "No database server answers", "\\n\\tat ");
    }
  }

  private BuiltJar serving() throws Exception {
    return BuiltJar.quickIn(folder, "--port", "0", "--data", folder.toString());
  }

  /** One or two sentences, and no trace. */
  private static String assertRefused(BuiltJar jar, String... words) throws Exception {
    try (Running gateway = jar.start()) {
      assertThat(gateway.awaitExit()).as(gateway::said).isEqualTo(1);
      assertThat(gateway.outText()).isEmpty();
      assertThat(gateway.errText()).contains(words).doesNotContain("\tat ", "Exception", PASSWORD);
      assertThat(gateway.errText().lines().count()).as(gateway::said).isLessThanOrEqualTo(2);
      return gateway.errText();
    }
  }

  private static void assertDoctor(BuiltJar jar, int exit, String found)
      throws IOException, InterruptedException {
    List<String> arguments = Stream.concat(Stream.of("doctor"), jar.arguments().stream()).toList();
    try (Running doctor =
        new BuiltJar(jar.jvm(), arguments, jar.environment(), jar.folder()).start()) {
      assertThat(doctor.awaitExit()).as(doctor::said).isEqualTo(exit);
      assertThat(doctor.outText()).containsPattern(found).doesNotContain(PASSWORD);
      assertThat(doctor.errText()).doesNotContain("\tat ", PASSWORD);
    }
  }
}
