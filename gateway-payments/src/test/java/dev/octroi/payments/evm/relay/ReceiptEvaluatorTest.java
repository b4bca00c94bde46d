package dev.octroi.payments.evm.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.EvmToken;
import dev.octroi.payments.evm.SignedAuthorization;
import dev.octroi.payments.evm.TransferAuthorization;
import dev.octroi.payments.evm.chain.ChainUnavailable;
import dev.octroi.payments.evm.chain.GasLimits;
import dev.octroi.payments.evm.chain.JsonRpc;
import dev.octroi.payments.evm.chain.Multicall3;
import dev.octroi.payments.evm.chain.PlayedNode;
import dev.octroi.payments.evm.relay.Follower.Head;
import dev.octroi.payments.evm.relay.ReceiptEvaluator.Verdict;
import java.math.BigInteger;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a node says of a final transaction that did not pay. */
class ReceiptEvaluatorTest {

  private static final String STATE = "e94a0102";
  private static final String BALANCE = "70a08231";
  private static final Head HEAD = new Head(9, Instant.ofEpochSecond(1_000), Map.of());
  private static final long NOW = 1_000;
  private static final long BEFORE = 998;
  private static final long UNUSED = 0;
  private static final String PAYS = PlayedNode.result("0x");
  private static final String REVERTS = PlayedNode.error(3, "execution reverted");

  private final TransferCall call = call();

  @ParameterizedTest
  @CsvSource({
    "-32005, daily request count exceeded",
    "-32603, internal error",
    "-32000, header not found",
    "429, slow down"
  })
  @Tag("spec:money.5")
  void aNodeThatRefusesToLookDoesNotMakeAPaymentFail(int code, String words) {
    String refusal = PlayedNode.error(code, words);
    for (String state : List.of(refusal, said(UNUSED, NOW))) {
      try (PlayedNode node = node(state, said(NOW), refusal)) {
        assertThatExceptionOfType(ChainUnavailable.class).isThrownBy(() -> judged(node));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "3, execution reverted",
    "-32000, execution reverted: FiatToken",
    "-32015, VM execution error."
  })
  void aTokenThatRevertsIsAnAnswer(int code, String words) {
    try (PlayedNode node = node(said(UNUSED, NOW), said(NOW), PlayedNode.error(code, words))) {
      assertThat(judged(node)).isEqualTo(new Verdict.Failed(ReceiptEvaluator.POOR));
    }
  }

  @Test
  void anAuthorizationThatCountsAsUsedWasUsedElsewhere() {
    try (PlayedNode node = node(said(1L, NOW), said(NOW), REVERTS)) {
      assertThat(judged(node)).isEqualTo(new Verdict.UsedElsewhere());
    }
  }

  @Test
  @Tag("spec:money.5")
  void aNodeThatIsBehindDoesNotMakeAPaymentFailThatSomebodyElseHasSent() {
    try (PlayedNode node = node(said(UNUSED, BEFORE), said(BEFORE), PAYS)) {
      assertThatExceptionOfType(ChainUnavailable.class).isThrownBy(() -> judged(node));
    }
  }

  @Test
  @Tag("spec:money.5")
  void aNodeThatIsBehindSaysNothingOfWhatAPaymentWouldDo() {
    try (PlayedNode node = node(said(UNUSED, NOW), said(BEFORE), REVERTS)) {
      assertThatExceptionOfType(ChainUnavailable.class).isThrownBy(() -> judged(node));
    }
  }

  @Test
  void whatIsAskedIsAskedAsOfTheBlockThatIsKnown() {
    List<String> blocks = new CopyOnWriteArrayList<>();
    try (PlayedNode node =
        new PlayedNode(
            8453,
            asked -> {
              blocks.add(asked.path("params").path(1).asText());
              return answer(asked, said(UNUSED, NOW), said(NOW), PAYS);
            })) {
      assertThat(judged(node)).isEqualTo(new Verdict.Failed(ReceiptEvaluator.REVERTED));
    }
    assertThat(blocks).hasSize(3).containsOnly("0x9");
  }

  @Test
  void whatOnlyMoreGasWouldMoveHasFailedAndIsNotSentAgain() {
    try (PlayedNode node =
        new PlayedNode(
            8453,
            asked -> {
              String gas = asked.path("params").path(0).path("gas").asText("0x7fffffff");
              boolean isEnough = Long.decode(gas) > GasLimits.TRANSFER;
              String transfer = isEnough ? PAYS : PlayedNode.error(-32000, "out of gas");
              return answer(asked, said(UNUSED, NOW), said(NOW), transfer);
            })) {
      assertThat(judged(node, true)).isEqualTo(new Verdict.Failed(ReceiptEvaluator.POOR));
    }
  }

  /** What Multicall3 says, the block's time last. */
  private static String said(Long... numbers) {
    return PlayedNode.result(PlayedNode.numbers(numbers));
  }

  /**
   * A node that says this.
   *
   * @param state of the authorization, with the time
   * @param time asked for with the transfer
   * @param transfer what that does
   */
  private static PlayedNode node(String state, String time, String transfer) {
    return new PlayedNode(8453, asked -> answer(asked, state, time, transfer));
  }

  private static String answer(JsonNode asked, String state, String time, String transfer) {
    JsonNode request = asked.path("params").path(0);
    String data = request.path("data").asText();
    if (request.path("to").asText().equals(Multicall3.ADDRESS.lowerCase())) {
      return data.contains(STATE) ? state : time;
    }
    if (data.startsWith(STATE, 2)) {
      return PlayedNode.result("0x" + PlayedNode.word(UNUSED));
    }
    return data.startsWith(BALANCE, 2) ? PlayedNode.result("0x" + PlayedNode.word(0)) : transfer;
  }

  private Verdict judged(PlayedNode node) {
    return judged(node, false);
  }

  private Verdict judged(PlayedNode node, boolean again) {
    JsonRpc rpc =
        new JsonRpc(HttpClient.newHttpClient(), List.of(node.url()), 8453, Duration.ofSeconds(10));
    return new ReceiptEvaluator(rpc)
        .of(call, () -> Draft.of(List.of(call)), NullNode.getInstance(), again, HEAD);
  }

  private static TransferCall call() {
    Wallet payer = Wallet.generate();
    TransferAuthorization authorization =
        new TransferAuthorization(
            payer.address(),
            EvmAddress.parse("0x209693Bc6afc0C5328bA36FaF03C514EF312287C"),
            BigInteger.valueOf(1_000),
            BigInteger.ZERO,
            BigInteger.valueOf(Instant.now().getEpochSecond() + 300),
            new byte[32]);
    byte[] digest = authorization.digest(EvmToken.BASE_USDC.domain());
    return TransferCall.of(
        EvmToken.BASE_USDC.address(), new SignedAuthorization(authorization, payer.sign(digest)));
  }
}
