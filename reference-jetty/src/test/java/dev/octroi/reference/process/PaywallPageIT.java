package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The paywall of the built jar in a real browser, with wallets that sign by a real key; its
 * pictures are kept. The seller's name is hostile.
 */
@Tag("slow")
@Tag("spec:paywall.html")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PaywallPageIT {

  private static final String READ = "/v1/marketplace/cryptodata/exchange/price?pair=BTC-USDT";
  private static final String ORDER = "/v1/marketplace/cryptodata/onchain/sql";
  private static final String HOSTILE_NAME = "\"><img src=x onerror=alert(1)>";
  private static final String PRICE = "0.0095 USDC on Base";

  /** Paid, legacy, lost, doubtful, failed, proxied, ordered, and five answers of other kinds. */
  private static final int SETTLED_BY_WALLET = 12;

  private Running gateway;
  private Operator operator;
  private JsonNode seen;

  @BeforeAll
  void pay(@TempDir Path data) throws Exception {
    Browser.install();
    gateway =
        BuiltJar.quickIn(data, "--port", "0", "--data", data.toString())
            .set("gateway.discovery.service-name", HOSTILE_NAME)
            .start();
    URI base = gateway.awaitReady();
    operator = new Operator(base, data);
    seen = Browser.run("paywall.mjs", base.toString(), READ, ORDER);
  }

  @AfterAll
  void stop() {
    if (gateway != null) {
      gateway.close();
    }
  }

  private JsonNode of(String part) {
    assertThat(seen.has(part)).as(part).isTrue();
    return seen.path(part);
  }

  private String told(String part) {
    return of(part).path("told").asText();
  }

  private static List<String> texts(JsonNode array) {
    return array.valueStream().map(JsonNode::asText).toList();
  }

  @Test
  void aWalletPaysAndThePaymentIsSettledInTheLedger() throws Exception {
    JsonNode paid = of("paid");

    assertThat(paid.path("status").asInt()).as(paid.toPrettyString()).isEqualTo(200);
    assertThat(paid.path("heading").asText()).isEqualTo("This call costs " + PRICE);
    assertThat(paid.path("told").asText()).isEqualTo("Paid " + PRICE + ".");
    assertThat(paid.path("same").asBoolean()).as("the answer is shown unchanged").isTrue();
    assertThat(paid.path("focused").asText()).isEqualTo("answer");
    JsonNode payment = operator.get("payments/" + paid.at("/copied/payment").asText());
    assertThat(payment.path("state").asText()).isEqualTo("settled");
    assertThat(payment.path("amount").asText()).isEqualTo("0.009500");
    assertThat(payment.path("payer").asText()).isEqualToIgnoringCase(seen.path("payer").asText());
    assertThat(payment.path("transaction").asText())
        .isEqualTo(paid.at("/receipt/transaction").asText());
    assertThat(payment.path("nonce").asText()).isEqualTo(paid.at("/signed/message/nonce").asText());
  }

  /** And nothing else is in the ledger, or settled twice. */
  @Test
  void everyPaymentOfTheWalletIsSettledOnce() throws Exception {
    JsonNode payments = operator.get("payments?limit=100&payer=" + seen.path("payer").asText());

    assertThat(payments.path("data")).hasSize(SETTLED_BY_WALLET);
    assertThat(payments.path("data"))
        .allSatisfy(one -> assertThat(one.path("state").asText()).isEqualTo("settled"));
    operator.assertBooksAgree();
  }

  @Test
  void theWalletSignsTheExactAuthorizationOnTheNetworkOfTheOffer() {
    JsonNode paid = of("paid");
    JsonNode signed = paid.path("signed");

    assertThat(texts(paid.path("asked")))
        .containsExactly(
            "eth_requestAccounts",
            "eth_chainId",
            "eth_chainId",
            "wallet_switchEthereumChain",
            "wallet_addEthereumChain",
            "eth_chainId",
            "eth_signTypedData_v4");
    assertThat(paid.at("/added/chainId").asText()).isEqualTo("0x2105");
    assertThat(paid.at("/added/chainName").asText()).isEqualTo("Base");
    assertThat(signed.path("primaryType").asText()).isEqualTo("TransferWithAuthorization");
    assertThat(signed.at("/domain/name").asText()).isEqualTo("USD Coin");
    assertThat(signed.at("/domain/chainId").asInt()).isEqualTo(8453);
    assertThat(signed.at("/message/value").asText()).isEqualTo("9500");
    assertThat(signed.at("/message/nonce").asText()).matches("0x[0-9a-f]{64}");
    assertThat(signed.at("/message/validBefore").asLong())
        .isEqualTo(signed.at("/message/validAfter").asLong() + 900);
  }

  @Test
  void aReceiptIsKeptByTheBrowserAndCanBeCopied() {
    JsonNode paid = of("paid");

    assertThat(texts(paid.path("receipts")))
        .singleElement()
        .asString()
        .contains(PRICE + " (sandbox money)", "GET http", paid.at("/receipt/transaction").asText());
    assertThat(paid.at("/copied/settlement")).isEqualTo(paid.path("receipt"));
    assertThat(paid.path("command").asText()).startsWith("java -jar octroi.jar pay --max 1 'http");
    assertThat(texts(paid.path("kept"))).containsExactly("octroi.receipts");
  }

  @Test
  void theSandboxPayerPaysAtPhoneAndDesktopWidthInLightAndDark() {
    for (String look : List.of("phone-light", "phone-dark", "desktop-light", "desktop-dark")) {
      JsonNode one = of("look-" + look);
      assertThat(one.path("told").asText()).as(look).isEqualTo("Paid " + PRICE + ".");
      assertThat(one.path("overflows").asBoolean()).as(look).isFalse();
      assertThat(one.path("accessibility")).as(one.path("accessibility").toString()).isEmpty();
    }
  }

  @Test
  void whatAPersonOrWalletRefusesIsToldAndNothingIsSent() {
    assertThat(told("rejected")).isEqualTo("You rejected it in the wallet. Nothing was charged.");
    assertThat(told("unconnected")).isEqualTo(told("rejected"));
    assertThat(told("unswitched")).isEqualTo(told("rejected"));
    assertThat(told("elsewhere"))
        .isEqualTo("The wallet is still on another network than Base. Nothing was signed.");
    for (String part : List.of("unconnected", "unswitched", "elsewhere")) {
      assertThat(texts(of(part).path("asked"))).doesNotContain("eth_signTypedData_v4");
    }
    assertThat(of("rejected").path("ways").asText()).contains("Pay with Test Wallet");
  }

  @Test
  void aWalletThatAnnouncesNothingIsFoundWhereItUsedToBe() {
    assertThat(told("legacy")).isEqualTo("Paid " + PRICE + ".");
    assertThat(of("bare").path("ways").asText()).isEqualTo("Pay with sandbox money");
  }

  @Test
  void aPaymentThatIsNotTakenIsToldWithItsReasonAndMayBeMadeAnew() {
    assertThat(told("stolen"))
        .isEqualTo(
            "The payment was not taken: the signature is not the account’s. Nothing was charged.");
    assertThat(told("again")).contains("The payment was not taken: <img src=x onerror=");
    assertThat(of("again").path("ways").asText()).contains("Pay with Test Wallet");
  }

  @Test
  void aPriceThatHasRisenIsShownBeforeAnythingIsSigned() {
    assertThat(told("dearer"))
        .isEqualTo(
            "The price is 12345.678901 USDC on Base now. Press again to pay that. Nothing was"
                + " signed.");
    assertThat(of("dearer").path("heading").asText()).contains("12345.678901 USDC on Base");
    assertThat(of("dearer").path("signatures").asInt()).isZero();
  }

  @Test
  void aNetworkThatNeitherWalletNorPageKnowsIsNamed() {
    assertThat(told("unknown"))
        .isEqualTo(
            "The wallet is on another network: change it to eip155:999, and try again. Nothing was"
                + " signed.");
    assertThat(of("unknown").path("signatures").asInt()).isZero();
  }

  @Test
  void aPaymentWhoseAnswerWasLostIsSentAgainAndNeverSignedTwice() {
    JsonNode lost = of("lost");

    assertThat(told("lost")).contains("not known whether the payment was taken");
    assertThat(lost.path("ways").asText()).contains("charged once at most");
    assertThat(lost.path("others").asInt()).as("other ways to pay").isZero();
    assertThat(lost.path("then").asText()).isEqualTo("Paid " + PRICE + ".");
    assertThat(lost.path("same").asBoolean()).isTrue();
    assertThat(texts(lost.path("kept"))).containsExactly("octroi.receipts");
    assertThat(told("doubtful"))
        .isEqualTo(
            "The gateway answered with 503: The outcome of the payment is not known yet. Wait 1 s"
                + " before you send it again.");
    assertThat(told("failed"))
        .isEqualTo("The call failed with 502: The upstream failed. It was not charged.");
    assertThat(told("proxied")).doesNotContain("charged").contains("504: gateway timeout.");
    for (String part : List.of("lost", "doubtful", "failed", "proxied")) {
      assertThat(of(part).path("signatures").asInt()).as(part).isEqualTo(1);
      assertThat(of(part).path("then").asText()).as(part).isEqualTo("Paid " + PRICE + ".");
    }
  }

  @Test
  void twoTabsDoNotSendTwoPaymentsForOneCall() {
    assertThat(told("twice"))
        .isEqualTo("Another payment for this call is under way. The new one was not sent.");
    assertThat(of("twice").path("sent").asInt()).isEqualTo(1);
    assertThat(of("twice").path("again").asText()).contains("Send the same payment again");
  }

  @Test
  void aSandboxPayerThatDoesNotPayIsTold() {
    assertThat(told("payerRefused"))
        .isEqualTo("The sandbox payer did not pay: Not from there. Nothing was charged.");
  }

  @Test
  void anAnswerIsTextAPictureOrAFileAndNeverAPageOfThisHost() {
    JsonNode html = of("html");
    assertThat(html.path("shown").asText()).contains("<script>window.hacked = 1</script>");
    assertThat(texts(html.path("elements"))).doesNotContain("SCRIPT", "IMG", "IFRAME", "TITLE");
    assertThat(texts(of("drawing").path("elements"))).contains("PRE").doesNotContain("IMG", "SVG");
    assertThat(of("drawing").path("file").asText()).isEqualTo("price.svg");
    assertThat(of("numbers").path("shown").asText())
        .contains("\"a\": 12345678901234567890,", "1.10,\n", "\"x\\\"{,\"");
    assertThat(of("picture").path("picture").path(0).asInt()).isEqualTo(1);
    assertThat(texts(of("file").path("elements"))).containsExactly("P", "A");
    assertThat(of("file").path("file").asText()).isEqualTo("price.zip");
    for (String part : List.of("html", "drawing", "numbers", "file", "picture")) {
      assertThat(of(part).path("same").asBoolean()).as(part).isTrue();
      assertThat(texts(of(part).path("blobs")))
          .as(part)
          .isSubsetOf("application/octet-stream", "image/png");
    }
  }

  @Test
  void whatIsSentCanBeWrittenOnThePage() {
    assertThat(of("ordered").path("example").asText()).contains("\"sql\"");
    assertThat(told("ordered")).isEqualTo("Paid " + PRICE + ".");
    assertThat(of("ordered").path("shown").asText()).startsWith("{");
  }

  @Test
  void nothingOfAStrangersRunsAndNoRuleOfThePolicyIsBroken() {
    for (JsonNode one : seen) {
      if (one.isObject()) {
        assertThat(one.path("hacked").asInt()).as(one.toString()).isZero();
        assertThat(one.path("foreign")).as(one.toString()).isEmpty();
        assertThat(one.path("problems")).as(one.toString()).isEmpty();
      }
    }
    assertThat(of("paid").path("buttons")).hasSize(3);
    assertThat(texts(of("paid").path("buttons")))
        .anyMatch(label -> label.startsWith("Pay with <img src=x onerror="));
    assertThat(of("bare").path("policy").asText()).doesNotContain("unsafe");
  }
}
