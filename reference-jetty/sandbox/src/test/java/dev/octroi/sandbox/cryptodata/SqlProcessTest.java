package dev.octroi.sandbox.cryptodata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.octroi.sandbox.formula.Refusal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The process that callers' SQL runs in: when it is there, what it gets, and that it ends. */
class SqlProcessTest {

  private static final Duration LONG = Duration.ofMinutes(1);
  private static final Duration GENEROUS = Duration.ofSeconds(30);
  private static final String COUNT = "SELECT COUNT(*) AS n FROM ethereum.blocks";
  private static final String ENDLESS = HostileSql.bombs().get(0);

  private static OnchainTables tables(Class<?> engine, Duration idle) {
    long now = VendorServer.NOW.getEpochSecond();
    return new OnchainTables(engine, () -> now, Duration.ofSeconds(30), idle);
  }

  private static String ask(OnchainTables tables, String sql) {
    return tables.query(new SqlQuery(sql, List.of(), 10)).text();
  }

  /** The same, not waited for: its answer or its refusal comes later. */
  private static CompletableFuture<String> asking(OnchainTables tables, String sql) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return ask(tables, sql);
          } catch (Refusal refusal) {
            return refusal.status() + " " + refusal.getMessage();
          }
        });
  }

  @Test
  void thereIsNoneBeforeTheFirstStatementAndOneForMany() throws Exception {
    try (VendorServer server = new VendorServer()) {
      assertThat(server.get("/onchain/schema").status()).isEqualTo(200);
      assertThat(server.vendor.processes()).isEmpty();

      for (int query = 0; query < 5; query++) {
        assertThat(server.sql(COUNT).status()).isEqualTo(200);
      }
      assertThat(server.vendor.processes()).hasSize(1);
    }
  }

  @Test
  void oneThatHasNothingToDoEnds() {
    try (OnchainTables tables = tables(SqlEngine.class, Duration.ofMillis(50))) {
      assertThat(ask(tables, COUNT)).contains("1000");

      await().atMost(GENEROUS).until(() -> tables.processes().isEmpty());
      assertThat(ask(tables, COUNT)).contains("1000");
    }
  }

  @Test
  void oneWhoseTablesAreOldMakesWayForANewOne() {
    AtomicLong now = new AtomicLong(VendorServer.NOW.getEpochSecond());
    String latest = "SELECT MAX(block_time) AS t FROM ethereum.blocks";
    try (OnchainTables tables =
        new OnchainTables(SqlEngine.class, now::get, Duration.ofSeconds(30), LONG)) {
      String first = ask(tables, latest);
      now.addAndGet(299);
      assertThat(ask(tables, latest)).isEqualTo(first);
      now.addAndGet(1);
      assertThat(ask(tables, latest)).isNotEqualTo(first);
      await().until(() -> tables.processes().size() == 1);
    }
  }

  @Test
  void itEndsWithTheSandbox() throws Exception {
    VendorServer server = new VendorServer();
    server.sql(COUNT);
    List<ProcessHandle> processes = server.vendor.processes();
    assertThat(processes).isNotEmpty();

    server.close();

    await().atMost(GENEROUS).until(() -> processes.stream().noneMatch(ProcessHandle::isAlive));
  }

  @Test
  void oneThatIsKilledIsReplaced() {
    try (OnchainTables tables = tables(SqlEngine.class, LONG)) {
      ask(tables, COUNT);
      tables.processes().forEach(ProcessHandle::destroyForcibly);
      await().atMost(GENEROUS).until(() -> tables.processes().isEmpty());
      assertThat(ask(tables, COUNT)).contains("1000");

      CompletableFuture<String> running = asking(tables, ENDLESS);
      await().atMost(GENEROUS).until(() -> tables.running() == 1);
      tables.processes().forEach(ProcessHandle::destroyForcibly);

      assertThat(running.orTimeout(30, TimeUnit.SECONDS).join())
          .isEqualTo("400 The query takes more memory than it may have");
      assertThat(ask(tables, COUNT)).contains("1000");
    }
  }

  @Test
  void aQueryThatTakesAllMemoryHarmsNoOther() {
    try (OnchainTables tables = tables(OpenSqlEngine.class, LONG)) {
      CompletableFuture<String> other =
          asking(
              tables,
              "SELECT COUNT(*) AS n FROM ethereum.transactions a, base.transactions b"
                  + " WHERE a.gas_used + b.gas_used > 0");
      await().atMost(GENEROUS).until(() -> tables.running() == 1);

      assertThat(asking(tables, "SELECT SPACE(2147483647)").join()).startsWith("400 ");

      assertThat(other.join()).matches("\\[\\{\"n\":\\d{8}}]");
    }
  }

  /** Nothing falls back to a database in the gateway. */
  @Test
  void whereNoneCanBeStartedSqlIs503() {
    try (OnchainTables tables = tables(String.class, LONG)) {
      assertThatThrownBy(() -> ask(tables, COUNT))
          .isInstanceOfSatisfying(
              Refusal.class, refusal -> assertThat(refusal.status()).isEqualTo(503));
    }
    try (OnchainTables tables = tables(SqlProcessTest.class, LONG)) {
      assertThatThrownBy(() -> ask(tables, COUNT))
          .isInstanceOfSatisfying(
              Refusal.class, refusal -> assertThat(refusal.status()).isEqualTo(503));
    }
  }

  @Test
  void itGetsNoEnvironmentAndNoSettings() throws IOException {
    Path proc = Path.of("/proc");
    assumeTrue(Files.isDirectory(proc), "Not run: what a process has got is read from /proc");
    try (OnchainTables tables = tables(SqlEngine.class, LONG)) {
      ask(tables, COUNT);
      Path process = proc.resolve(Long.toString(tables.processes().get(0).pid()));

      assertThat(Files.readString(process.resolve("environ"))).isEmpty();
      assertThat(Files.readSymbolicLink(process.resolve("cwd")))
          .isEqualTo(Path.of(System.getProperty("java.home")).toRealPath());
      assertThat(Files.readString(process.resolve("cmdline")).split("\0"))
          .contains("-Xmx64m", "-XX:+ExitOnOutOfMemoryError", "-Dh2.allowedClasses=")
          .noneMatch(argument -> argument.contains("gateway."));
      assertThat(Files.readString(process.resolve("oom_score_adj")).strip()).isEqualTo("1000");
    }
  }

  /** Also while it computes: nothing is left that would use up a machine. */
  @Test
  void itEndsWhenTheProcessThatStartedItIsKilled() throws Exception {
    Process parent =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Parent.class.getName())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader said =
        new BufferedReader(
            new InputStreamReader(parent.getInputStream(), StandardCharsets.UTF_8))) {
      long pid = Long.parseLong(said.readLine());
      ProcessHandle child = ProcessHandle.of(pid).orElseThrow();
      assertThat(child.isAlive()).isTrue();

      parent.destroyForcibly().waitFor();

      await().atMost(GENEROUS).until(() -> !child.isAlive());
    } finally {
      parent.destroyForcibly();
    }
  }

  /** A process that has an endless query run, and says in which process. */
  static final class Parent {

    private Parent() {}

    public static void main(String[] arguments) {
      OnchainTables tables = tables(SqlEngine.class, LONG);
      ask(tables, COUNT);
      var running = asking(tables, ENDLESS);
      await().until(() -> tables.running() == 1);
      System.out.println(tables.processes().get(0).pid());
      running.join();
    }
  }
}
