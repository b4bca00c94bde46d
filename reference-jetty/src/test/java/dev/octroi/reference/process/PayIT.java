package dev.octroi.reference.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.solana.Base58;
import dev.octroi.payments.solana.SolanaWallet;
import dev.octroi.reference.TestCertificate;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The commands of the jar that pay, against one gateway. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PayIT {

  private static final String GROUP = "v1/marketplace/cryptodata/";
  private static final String PRICE = GROUP + "exchange/price?pair=BTC-USDT";

  private static final String PICTURES = "v1/images/generations";
  private static final String BUY = "v1/marketplace/phone/numbers/buy";
  private static final String CALL = "v1/marketplace/voice/call";

  private final AtomicInteger served = new AtomicInteger();

  /** Payments whose claims were given back. */
  private final AtomicInteger refused = new AtomicInteger();

  private Path folder;
  private Running gateway;
  private URI base;

  @BeforeAll
  void serve(@TempDir Path data) throws Exception {
    folder = data;
    gateway =
        BuiltJar.quickIn(data, "--port", "0", "--data", data.toString())
            .set("gateway.images.fast-path", "1500ms")
            .start();
    base = gateway.awaitReady().resolve("/");
  }

  @AfterAll
  void nothingWasPaidButWhatWasServed() throws Exception {
    try {
      gateway.terminate();
      assertThat(gateway.awaitExit()).isZero();
      try (LedgerTables tables = LedgerTables.ofFile(folder, folder.resolve("copies"))) {
        tables.assertBooksAgree();
        tables.assertNothingReserved();
        assertThat(tables.payments()).isEqualTo(served.get() + refused.get());
      }
    } finally {
      gateway.close();
    }
  }

  @Test
  void theAnswerIsOnStandardOutputAndNothingElse() throws Exception {
    try (Running pay = pay(base + PRICE)) {
      assertThat(pay.awaitExit()).as(pay::said).isZero();
      served.incrementAndGet();
      assertThat(pay.out()).hasSize(1);
      assertThat(pay.outText()).startsWith("{").endsWith("}").contains("\"price\":");
      assertThat(pay.errText())
          .containsPattern("quote +0\\.[0-9]+ .*on eip155:8453 to 0x")
          .containsPattern("paid +0\\.[0-9]+ USD by 0x[0-9a-fA-F]{40}, transaction sandbox:");
    }
  }

  @Test
  void aJobIsWatchedUntilItIsDoneAndItsPictureKept() throws Exception {
    Path picture = folder.resolve("kept").resolve("toll.png");
    Files.createDirectories(picture.getParent());
    String job = "{\"model\":\"auto/image\",\"n\":2,\"prompt\":\"a toll gate, sandbox:slow=4\"}";
    try (Running pay =
        pay("--watch", "--every", "1", "-o", picture.toString(), "-d", job, base + PICTURES)) {
      assertThat(pay.awaitExit()).as(pay::said).isZero();
      served.incrementAndGet();
      assertThat(pay.outText()).isEmpty();
      assertThat(pay.errText())
          .containsPattern("watch .* (queued|in_progress)")
          .contains("toll.png", "toll-2.png")
          .containsPattern("paid +0\\.[0-9]+ USD");
    }
    assertThat(picture).binaryContent().startsWith(0x89, 'P', 'N', 'G');
    assertThat(picture.resolveSibling("toll-2.png")).isNotEmptyFile();
  }

  @Test
  void aCallIsWatchedAtThePriceOfEachReading() throws Exception {
    String number;
    try (Running pay = pay("--max", "6", "-d", "{\"country\":\"US\"}", base + BUY)) {
      assertThat(pay.awaitExit()).as(pay::said).isZero();
      served.incrementAndGet();
      number = pay.outText().replaceAll("(?s).*\"phone_number\":\"([^\"]+)\".*", "$1");
    }
    String call = "{\"to\":\"+14155550106\",\"from\":\"" + number + "\",\"task\":\"Ask\"}";
    try (Running pay = pay("--watch", "--every", "1", "--max", "3", "-d", call, base + CALL)) {
      assertThat(pay.awaitExit()).as(pay::said).isZero();
      long readings = pay.errText().lines().filter(line -> line.startsWith("watch")).count();
      boolean stopped = pay.errText().contains("stopped: the next reading costs more");
      served.addAndGet((int) (1 + readings - (stopped ? 2 : 0)));
      assertThat(readings).isBetween(1L, 6L);
      assertThat(pay.outText()).contains("concatenated_transcript");
    }
  }

  @Test
  void aPriceAboveTheMostIsNotSigned() throws Exception {
    try (Running pay = pay("--max", "0.000001", base + PRICE)) {
      assertThat(pay.awaitExit()).as(pay::said).isEqualTo(4);
      assertThat(pay.outText()).isEmpty();
      assertThat(pay.errText()).contains("quote", "--max", "nothing was signed");
    }
  }

  /** The command reads the platform's certificates at its first HTTPS connection. */
  @Test
  void aCallOverTlsIsPaidForIfTheCertificateIsTrusted(@TempDir Path other) throws Exception {
    TestCertificate certificate = TestCertificate.made(other, "tls", "EC");
    BuiltJar serving =
        BuiltJar.quickIn(other, "--port", "0", "--data", other.toString())
            .set("gateway.http.tls.key-store", certificate.store().toString())
            .set("gateway.http.tls.password", TestCertificate.PASSWORD);
    try (Running tls = serving.start()) {
      String url = tls.awaitReady() + "/" + PRICE;
      BuiltJar pay = BuiltJar.quickIn(other, "pay", "--data", other.toString(), url);
      try (Running stranger = pay.start()) {
        assertThat(stranger.awaitExit()).as(stranger::said).isEqualTo(1);
        assertThat(stranger.errText())
            .startsWith("This machine does not trust the certificate at https://127.0.0.1:")
            .doesNotContain("\tat ");
      }
      try (Running trusting =
          pay.jvm("-Djavax.net.ssl.trustStore=" + certificate.store())
              .jvm("-Djavax.net.ssl.trustStorePassword=" + TestCertificate.PASSWORD)
              .start()) {
        assertThat(trusting.awaitExit()).as(trusting::said).isZero();
        assertThat(trusting.outText()).contains("\"price\":");
      }
      tls.terminate();
      assertThat(tls.awaitExit()).as(tls::said).isZero();
    }
  }

  @Test
  void aDryRunShowsTheQuoteAndPaysNothing() throws Exception {
    try (Running pay = pay("--dry-run", base + PRICE)) {
      assertThat(pay.awaitExit()).as(pay::said).isZero();
      assertThat(pay.outText()).isEmpty();
      assertThat(pay.errText()).contains("quote").doesNotContain("paid");
    }
    try (Running pay = pay("--dry-run", "--json", base + PRICE)) {
      assertThat(pay.awaitExit()).as(pay::said).isZero();
      assertThat(pay.outText())
          .startsWith("{\"price\":\"0.009500\",\"network\":\"eip155:8453\",")
          .endsWith("}");
    }
  }

  @Test
  void whatIsNotThereIsNotServed() throws Exception {
    try (Running pay = pay(base + GROUP + "no/such/path")) {
      assertThat(pay.awaitExit()).as(pay::said).isEqualTo(3);
      assertThat(pay.errText()).contains("status   404").doesNotContain("paid");
    }
  }

  @Test
  void aCallThatIsRefusedAfterItsPaymentSaysThatNothingWasCharged() throws Exception {
    try (Running pay = pay(base + GROUP + "exchange/price?pair=nonsense")) {
      assertThat(pay.awaitExit()).as(pay::said).isEqualTo(3);
      refused.incrementAndGet();
      assertThat(pay.outText()).contains("invalid_pair");
      assertThat(pay.errText())
          .contains("status   400; nothing was charged")
          .doesNotContain("paid");
    }
  }

  @Test
  void aBodyComesFromAFile() throws Exception {
    Path body = folder.resolve("question.json");
    Files.writeString(body, "{\"sql\":\"SELECT 42 AS answer\"}", UTF_8);
    try (Running pay = pay("-d", "@" + body, base + GROUP + "onchain/sql")) {
      assertThat(pay.awaitExit()).as(pay::said).isZero();
      served.incrementAndGet();
      assertThat(pay.outText()).contains("42");
    }
  }

  @Test
  void aMethodAndAHeaderAreSentAsGiven() throws Exception {
    try (Running pay =
        pay("-X", "POST", "-H", "Content-Type: text/plain", "-d", "no", base + PRICE)) {
      assertThat(pay.awaitExit()).as(pay::said).isEqualTo(3);
      assertThat(pay.errText()).contains("status   405");
    }
  }

  @Test
  void theKeyOfAFilePaysAndAFundedOneIsWarnedOf() throws Exception {
    byte[] key = new byte[32];
    new Random().nextBytes(key);
    String hex = HexFormat.of().formatHex(key);
    Path file = folder.resolve("some.key");
    Files.writeString(file, hex, UTF_8);
    try (Running pay = pay("--key-file", file.toString(), base + PRICE)) {
      assertThat(pay.awaitExit()).as(pay::said).isZero();
      served.incrementAndGet();
      assertThat(pay.errText())
          .contains("never use a funded mainnet key")
          .contains(Wallet.fromHex(hex).address().toString())
          .doesNotContain(hex);
    }
  }

  @Test
  @Tag("spec:auth.private_key.base58")
  void aBase58KeyPaysOnItsOwnChain(@TempDir Path data) throws Exception {
    SolanaWallet wallet = SolanaWallet.generate();
    String secret = Base58.encode(wallet.keypair());
    Path file = data.resolve("base58.key");
    Files.writeString(file, secret + "\n", UTF_8);
    String seller = SolanaWallet.generate().address().toString();
    try (Running other =
            BuiltJar.quickIn(data, "--port", "0", "--data", data.toString())
                .set("gateway.solana.pay-to", seller)
                .start();
        Running pay = pay("--key-file", file.toString(), other.awaitReady().resolve("/") + PRICE)) {
      assertThat(pay.awaitExit()).as(pay::said).isZero();
      assertThat(pay.outText()).contains("\"price\":");
      assertThat(pay.errText())
          .containsPattern("quote +0\\.[0-9]+ .*on solana:.* to " + seller)
          .containsPattern("paid .* by " + wallet.address() + ", transaction sandbox:")
          .doesNotContain(secret);
    }
  }

  @Test
  void aKeyFileWithoutAKeyIsWrongUsageAndNotRepeated(@TempDir Path data) throws Exception {
    Path file = data.resolve("no.key");
    Files.writeString(file, "correct-horse-battery", UTF_8);
    try (Running pay = pay("--key-file", file.toString(), base + PRICE)) {
      assertThat(pay.awaitExit()).as(pay::said).isEqualTo(2);
      assertThat(pay.errText()).contains("key file").doesNotContain("correct-horse");
    }
  }

  @Test
  void aGatewayThatIsNotThereIsAFailureOfTheCommand() throws Exception {
    try (Running pay = pay("http://127.0.0.1:1/v1/some")) {
      assertThat(pay.awaitExit()).as(pay::said).isEqualTo(1);
      assertThat(pay.outText()).isEmpty();
      assertThat(pay.errText()).isNotBlank().doesNotContain("\tat ");
    }
  }

  @Test
  void aPayerWithoutMoneyIsRefused(@TempDir Path poor) throws Exception {
    try (Running other =
        BuiltJar.quickIn(poor, "--port", "0", "--data", poor.toString())
            .set("gateway.sandbox.starting-balance", "0")
            .start()) {
      try (Running pay = pay(other.awaitReady().resolve("/") + PRICE)) {
        assertThat(pay.awaitExit()).as(pay::said).isEqualTo(5);
        assertThat(pay.outText()).contains("invalid_exact_evm_insufficient_balance");
      }
    }
  }

  @Test
  void theDemoPaysOneCallOfEachKindAndPrintsATable() throws Exception {
    try (Running demo = BuiltJar.quickIn(folder, "demo").start()) {
      assertThat(demo.awaitExit()).as(demo::said).isZero();
      assertTable(demo);
    }
  }

  @Test
  void theDemoPaysAtAGatewayThatRunsAlready() throws Exception {
    try (Running demo = BuiltJar.quickIn(folder, "demo", "--url", base.toString()).start()) {
      assertThat(demo.awaitExit()).as(demo::said).isZero();
      assertTable(demo);
      assertThat(demo.outText()).contains("Paying at " + base);
      served.addAndGet((int) rows(demo));
    }
  }

  private static void assertTable(Running demo) {
    assertThat(demo.outText())
        .containsPattern("ENDPOINT +PRICE USD +STATUS +MS +TRANSACTION")
        .contains(rows(demo) + " calls, 0 failed");
    assertThat(rows(demo)).isGreaterThan(5);
  }

  private static long rows(Running demo) {
    return demo.out().stream()
        .filter(line -> line.matches("(GET|POST) .* [0-9]+\\.[0-9]+ +200 +[0-9]+ +sandbox:.*"))
        .count();
  }

  private Running pay(String... arguments) throws Exception {
    return BuiltJar.quickIn(folder, "pay", "--data", folder.toString()).and(arguments).start();
  }
}
