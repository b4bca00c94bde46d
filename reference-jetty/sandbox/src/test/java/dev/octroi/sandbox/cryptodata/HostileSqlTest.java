package dev.octroi.sandbox.cryptodata;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a hostile caller sends to the vendor, as any caller would. */
class HostileSqlTest {

  private static final VendorServer SERVER = new VendorServer(Duration.ofSeconds(2));

  @TempDir private static Path folder;

  @BeforeAll
  static void writeSecret() throws Exception {
    Files.writeString(folder.resolve("master.key"), HostileSql.SECRET);
  }

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  static Stream<String> refused() {
    return HostileSql.refused(folder.resolve("master.key"), folder.resolve("written")).stream();
  }

  static Stream<String> bombs() {
    return HostileSql.bombs().stream();
  }

  @ParameterizedTest
  @MethodSource("refused")
  void whatIsNoQueryOfTheTablesIsRefused(String sql) throws Exception {
    VendorServer.Reply reply = SERVER.sql(sql);

    assertThat(reply.status()).as("%s", reply).isEqualTo(400);
    assertThat(reply.code()).isEqualTo("INVALID_SQL");
  }

  @ParameterizedTest
  @MethodSource("bombs")
  @Tag("slow")
  void aQueryThatTakesTooMuchEndsAlone(String sql) throws Exception {
    VendorServer.Reply reply = SERVER.sql(sql);

    assertThat(reply.status()).as("%s", reply).isIn(400, 408);
  }

  @AfterEach
  void theTablesAreThereAndNothingElseIs() throws Exception {
    VendorServer.Reply count = SERVER.sql("SELECT COUNT(*) AS n FROM ethereum.blocks");

    assertThat(count.data().get(0).path("n").asInt()).isEqualTo(1_000);
    assertThat(folder).isDirectoryNotContaining("glob:**written*");
    assertThat(SERVER.vendor.processes())
        .allSatisfy(process -> assertThat(process.descendants()).isEmpty());
  }
}
