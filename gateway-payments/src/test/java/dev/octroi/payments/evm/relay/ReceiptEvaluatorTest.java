package dev.octroi.payments.evm.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.node.NullNode;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.EvmToken;
import dev.octroi.payments.evm.SignedAuthorization;
import dev.octroi.payments.evm.TransferAuthorization;
import dev.octroi.payments.evm.chain.ChainUnavailable;
import dev.octroi.payments.evm.chain.JsonRpc;
import dev.octroi.payments.evm.chain.ScriptedNode;
import dev.octroi.payments.evm.relay.Follower.Head;
import dev.octroi.payments.evm.relay.ReceiptEvaluator.Verdict;
import java.math.BigInteger;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a node says of a final transaction that did not pay. */
class ReceiptEvaluatorTest {

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
    try (ScriptedNode node = ScriptedNode.answering(error(code, words))) {
      assertThatExceptionOfType(ChainUnavailable.class).isThrownBy(() -> judged(node));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "3, execution reverted",
    "-32000, execution reverted: FiatToken",
    "-32015, VM execution error."
  })
  void aTokenThatRevertsIsAnAnswer(int code, String words) {
    try (ScriptedNode node = ScriptedNode.answering(error(code, words))) {
      assertThat(judged(node)).isEqualTo(new Verdict.Failed(ReceiptEvaluator.POOR));
    }
  }

  @Test
  void anAuthorizationThatCountsAsUsedWasUsedElsewhere() {
    String yes = "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":\"0x" + "0".repeat(63) + "1\"}";
    try (ScriptedNode node = ScriptedNode.answering(yes)) {
      assertThat(judged(node)).isEqualTo(new Verdict.UsedElsewhere());
    }
  }

  private Verdict judged(ScriptedNode node) {
    JsonRpc rpc =
        new JsonRpc(HttpClient.newHttpClient(), List.of(node.url()), 8453, Duration.ofSeconds(10));
    Head head = new Head(1, Instant.EPOCH, Map.of());
    return new ReceiptEvaluator(rpc)
        .of(call, () -> Draft.of(List.of(call)), NullNode.getInstance(), true, head);
  }

  private static String error(int code, String words) {
    return "{\"jsonrpc\":\"2.0\",\"id\":0,\"error\":{\"code\":%d,\"message\":\"%s\"}}"
        .formatted(code, words);
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
