package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.client.Wallet;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the pages say of backups: made, the database lost, put back. */
@Tag("slow")
class BackupIT {

  private static final Pattern PG_DUMP = Pattern.compile("pg_dump \\(PostgreSQL\\) (\\d+)");

  private final Wallet payer = Wallet.generate();
  private Path folder;
  private Path data;
  private GatewayNode node;
  private SharedPostgres server;

  @BeforeEach
  void place(@TempDir Path here) {
    folder = here;
    data = here.resolve("octroi-data");
  }

  @AfterEach
  void close() throws IOException {
    if (node != null) {
      node.close();
    }
    if (server != null) {
      server.close();
    }
  }

  private BuiltJar jar() throws Exception {
    return BuiltJar.quickIn(folder, "--port", "0", "--data", data.toString());
  }

  /** What a backup has to hold: a sale, and a key whose wallet is sealed. */
  private record Held(Sale sale, String secret) {}

  private Held sell() throws Exception {
    Sale sale = Offer.read(node.base()).accept(payer);
    assertThat(sale.send(node.base()).statusCode()).isEqualTo(200);
    String secret =
        operator().post("keys", "{\"name\":\"kept\",\"fund\":\"1\"}").path("secret").textValue();
    return new Held(sale, secret);
  }

  private Operator operator() {
    return new Operator(node.base(), data);
  }

  private void assertAllIsThere(Held held) throws Exception {
    operator().assertBooksAgree();
    assertThat(held.sale().send(node.base()).body())
        .as("a payment that was used")
        .contains("nonce_already_used");
    assertThat(Offer.readByKey(node.base(), held.secret()).join().statusCode()).isEqualTo(200);
  }

  private String wallet(String secret) throws IOException, InterruptedException {
    HttpResponse<String> answer =
        Offer.HTTP.send(
            HttpRequest.newBuilder(node.base().resolve("/v1/wallet"))
                .header("Authorization", "Bearer " + secret)
                .build(),
            BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  @Test
  void aDataFolderThatIsPutBackHoldsEverything() throws Exception {
    node = GatewayNode.start(jar()).awaitReady();
    Held held = sell();
    String before = wallet(held.secret());
    node.stop();
    run("cp -a octroi-data octroi-data.before");
    run("rm -r octroi-data");

    run("cp -a octroi-data.before octroi-data");

    node = GatewayNode.start(jar()).awaitReady();
    assertThat(wallet(held.secret())).isEqualTo(before);
    assertAllIsThere(held);
  }

  @Test
  void aSnapshotOfPostgresThatIsPutBackHoldsEverythingOfBefore() throws Exception {
    server = SharedPostgres.start();
    Assumptions.assumeTrue(
        versionOfPgDump() >= server.version(),
        "NOT RUN: there is no pg_dump here that is as new as the server");
    node = GatewayNode.start(server.under(jar())).awaitReady();
    Held held = sell();
    run("pg_dump --format=custom --file=octroi.dump --dbname=" + server.address());
    Sale lost = Offer.read(node.base()).accept(payer);
    assertThat(lost.send(node.base()).statusCode()).isEqualTo(200);
    node.stop();

    run("createdb --maintenance-db=" + server.address() + " octroi_again");
    run(
        "pg_restore --exit-on-error --single-transaction --dbname="
            + server.address("octroi_again")
            + " octroi.dump");

    node = GatewayNode.start(server.under(jar(), "octroi_again")).awaitReady();
    assertAllIsThere(held);
    try (LedgerTables tables = server.tables("octroi_again")) {
      assertThat(tables.payment(lost)).as("what was sold after the snapshot").isEmpty();
    }
  }

  /** It reads servers of its own version and older ones; 0 where there is none. */
  private int versionOfPgDump() throws Exception {
    Matcher version = PG_DUMP.matcher(run("pg_dump --version || true"));
    return version.find() ? Integer.parseInt(version.group(1)) : 0;
  }

  private String run(String command) throws Exception {
    try (Running shell =
        Running.start(List.of("bash", "-euo", "pipefail", "-c", command), Map.of(), folder)) {
      assertThat(shell.awaitExit()).as(() -> command + "\n" + shell.said()).isZero();
      return shell.outText();
    }
  }
}
