package dev.octroi.reference.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.channel.Voucher;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The jar pays out of channels: at its own gateway, and at servers that lie about them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PayChannelIT {

  private static final String READ = "/v1/marketplace/cryptodata/exchange/price?pair=BTC-USDT";
  private static final String KEY = "0x" + "5a".repeat(32);

  private static final ObjectMapper JSON = new ObjectMapper();

  private Path folder;
  private Running gateway;
  private URI base;

  @BeforeAll
  void serve(@TempDir Path data) throws Exception {
    folder = data;
    Files.writeString(folder.resolve("payer.key"), KEY);
    gateway =
        BuiltJar.quickIn(data, "--port", "0", "--data", data.toString())
            .set("gateway.payments.channels.offered", "true")
            .start();
    base = gateway.awaitReady();
  }

  @AfterAll
  void theBooksAgree() throws Exception {
    try {
      gateway.terminate();
      assertThat(gateway.awaitExit()).isZero();
      try (LedgerTables tables = LedgerTables.ofFile(folder, folder.resolve("copies"))) {
        tables.assertBooksAgree();
        tables.assertNothingReserved();
      }
    } finally {
      gateway.close();
    }
  }

  /** A call is 0.0095, and 0.02 is put in at once. */
  @Test
  void aDepositPaysForCallsAsLongAsItLasts() throws Exception {
    for (boolean deposits : List.of(true, false, true)) {
      try (Running pay = pay("--data", folder.toString(), "--max", "0.02", base + READ)) {
        assertThat(pay.awaitExit()).as(pay::said).isZero();
        assertThat(pay.outText()).contains("\"price\":");
        assertThat(pay.errText().contains("deposit  0.02")).as(pay::said).isEqualTo(deposits);
        assertThat(pay.errText())
            .containsPattern(
                "paid +0\\.0095\\d* USD by 0x[0-9a-fA-F]{40}, "
                    + (deposits ? "transaction sandbox:" : "by voucher"));
      }
    }
    try (Running pay = pay("--data", folder.toString(), "--max", "0.009", base + READ)) {
      assertThat(pay.awaitExit()).as(pay::said).isEqualTo(4);
      assertThat(pay.errText()).contains("nothing was signed");
    }
  }

  @Test
  void aChannelOfThePublishedClientIsPaidOnFrom() throws Exception {
    NodeClients.install();
    JsonNode receipt =
        NodeClients.run(Map.of("PAYER_KEY", KEY), List.of("channel.mjs", base + READ, "pay"))
            .at("/results/0/receipt");
    assertThat(receipt.at("/extra/chargedAmount").asLong()).isEqualTo(9_500);
    try (Running pay = pay("--key-file", folder.resolve("payer.key").toString(), base + READ)) {
      assertThat(pay.awaitExit()).as(pay::said).isZero();
      assertThat(pay.errText()).contains("by voucher").doesNotContain("deposit  ");
    }
    JsonNode channels = new Operator(base, folder).get("channels").path("data");
    assertThat(channels)
        .anySatisfy(
            channel -> {
              assertThat(channel.path("id")).isEqualTo(receipt.at("/extra/channelState/channelId"));
              assertThat(channel.path("charged").asText()).isEqualTo("0.019000");
              assertThat(channel.path("left").asText()).isEqualTo("0.028500");
            });
  }

  /** What it states was charged, and whose signature it shows for that; empty for none. */
  @ParameterizedTest
  @CsvSource({"4000, ''", "4000, stranger", "20000, payer"})
  void aServerThatLiesAboutChargesGetsAVoucherForNothing(long charged, String by) throws Exception {
    try (LyingSeller seller = new LyingSeller(charged, by);
        Running pay = pay("--key-file", folder.resolve("payer.key").toString(), seller.url())) {
      assertThat(pay.awaitExit()).as(pay::said).isEqualTo(1);
      assertThat(pay.errText())
          .contains("The server states charges")
          .doesNotContain("\tat ", "deposit  ");
      assertThat(seller.payments).hasSize(1);
      assertThat(seller.payments.peek().path("type").asText()).isEqualTo("voucher");
      assertThat(seller.payments.peek().at("/voucher/maxClaimableAmount").asText()).isEqualTo("0");
    }
  }

  /** It knows of no channel, takes the deposit, and states that this call was charged before. */
  @Test
  void aServerThatWantsASecondVoucherForACallGetsNone() throws Exception {
    try (LyingSeller seller = new LyingSeller(0, "");
        Running pay =
            pay(
                "--key-file",
                folder.resolve("payer.key").toString(),
                "--max",
                "0.003",
                seller.url())) {
      assertThat(pay.awaitExit()).as(pay::said).isEqualTo(5);
      assertThat(seller.payments).hasSize(2);
      JsonNode last = seller.payments.stream().reduce((first, second) -> second).orElseThrow();
      assertThat(last.at("/voucher/maxClaimableAmount").asText()).isEqualTo("1000");
      assertThat(last.at("/deposit/amount").asText()).isEqualTo("3000");
    }
  }

  /** Of 0.0475 that was put in 0.038 is left; a second time nothing is. */
  @Test
  void whatIsLeftIsGivenBackOnce() throws Exception {
    Path key = folder.resolve("refunded.key");
    Files.writeString(key, "0x" + "66".repeat(32));
    try (Running pay = pay("--key-file", key.toString(), "--max", "0.05", base + READ)) {
      assertThat(pay.awaitExit()).as(pay::said).isZero();
    }
    for (boolean first : List.of(true, false)) {
      try (Running pay = pay("--key-file", key.toString(), "--refund", base + READ)) {
        assertThat(pay.awaitExit()).as(pay::said).isEqualTo(first ? 0 : 5);
        assertThat(pay.errText())
            .contains(
                first
                    ? "refund   0.038000 USD to 0x"
                    : "refused  invalid_batch_settlement_evm_refund_no_balance");
        assertThat(pay.outText()).isEmpty();
      }
    }
  }

  /** It is asked for nothing but the voucher of what it proves was charged. */
  @Test
  void aServerThatGivesNothingBackGetsNoVoucherForMore() throws Exception {
    try (LyingSeller seller = new LyingSeller(0, "");
        Running pay =
            pay("--key-file", folder.resolve("payer.key").toString(), "--refund", seller.url())) {
      assertThat(pay.awaitExit()).as(pay::said).isEqualTo(5);
      assertThat(seller.payments)
          .hasSize(2)
          .allMatch(sent -> sent.at("/voucher/maxClaimableAmount").asText().equals("0"))
          .noneMatch(sent -> sent.has("deposit"));
    }
  }

  private Running pay(String... arguments) throws Exception {
    return BuiltJar.quickIn(folder, "pay", "--scheme", "batch-settlement").and(arguments).start();
  }

  /** Sells out of channels for 0.001, and answers each payment with the same lie. */
  private static final class LyingSeller implements AutoCloseable {

    private static final String CHALLENGE =
        """
        {"x402Version":2,"error":"%s","resource":{"url":"http://127.0.0.1/x"},"accepts":[{\
        "scheme":"batch-settlement","network":"eip155:8453","amount":"1000",\
        "asset":"0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",\
        "payTo":"0x0000000000000000000000000000000000008402","maxTimeoutSeconds":300,\
        "extra":{"name":"USD Coin","version":"2","withdrawDelay":86400,\
        "receiverAuthorizer":"0x0000000000000000000000000000000000008402"%s}}],"extensions":{}}""";

    private final Queue<JsonNode> payments = new ConcurrentLinkedQueue<>();
    private final HttpServer server;
    private final long charged;
    private final String by;

    /**
     * @param charged what it states; 0 for no channel
     * @param by whose signature it shows: a stranger, or the payer, who signed half of that
     */
    LyingSeller(long charged, String by) throws IOException {
      this.charged = charged;
      this.by = by;
      server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
      server.createContext("/", this::answer);
      server.start();
    }

    String url() {
      return "http://127.0.0.1:" + server.getAddress().getPort() + "/x";
    }

    private void answer(HttpExchange call) throws IOException {
      String header = call.getRequestHeaders().getFirst("PAYMENT-SIGNATURE");
      String error = "payment_required";
      String lie = "";
      if (header != null) {
        JsonNode payload = JSON.readTree(Base64.getDecoder().decode(header)).path("payload");
        payments.add(payload);
        error = "invalid_batch_settlement_evm_cumulative_amount_mismatch";
        lie = charged > 0 ? lie(payload.at("/voucher/channelId").asText()) : "";
      }
      byte[] body = CHALLENGE.formatted(error, lie).getBytes(UTF_8);
      call.getResponseHeaders().set("PAYMENT-REQUIRED", Base64.getEncoder().encodeToString(body));
      call.sendResponseHeaders(402, body.length);
      call.getResponseBody().write(body);
      call.close();
    }

    private String lie(String channel) {
      String state =
          ",\"channelState\":{\"channelId\":\"%s\",\"balance\":\"50000\",\"chargedCumulativeAmount\":\"%d\"}"
              .formatted(channel, charged);
      if (by.isEmpty()) {
        return state;
      }
      Wallet wallet = by.equals("payer") ? Wallet.fromHex(KEY) : Wallet.generate();
      long signed = by.equals("payer") ? charged / 2 : charged;
      Voucher voucher = new Voucher(Hex.parse(channel), BigInteger.valueOf(signed));
      return state
          + ",\"voucherState\":{\"signedMaxClaimable\":\"%d\",\"signature\":\"%s\"}"
              .formatted(signed, Hex.of(wallet.sign(voucher.digest(8453))));
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }
}
