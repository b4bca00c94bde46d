package dev.octroi.payments.evm.chain;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.EvmToken;
import java.math.BigInteger;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a receipt proves, each time with one thing changed that must be right. */
@Tag("spec:money.5")
class PaidTransferTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String TOKEN = EvmToken.BASE_USDC.address().lowerCase();
  private static final String PAYER = address("aa");
  private static final String PAY_TO = address("bb");
  private static final String NONCE = "0x" + "11".repeat(32);
  private static final String OTHER_NONCE = "0x" + "22".repeat(32);

  private final PaidTransfer transfer =
      new PaidTransfer(
          EvmToken.BASE_USDC.address(),
          EvmAddress.parse(PAYER),
          NONCE,
          EvmAddress.parse(PAY_TO),
          BigInteger.valueOf(10_000));

  private final ObjectNode receipt = JSON.createObjectNode().put("status", "0x1");
  private final ArrayNode logs = receipt.putArray("logs");

  private static String address(String bytes) {
    return "0x" + bytes.repeat(20);
  }

  private static String topic(String address) {
    return "0x" + "0".repeat(24) + address.substring(2);
  }

  private void log(String contract, String data, String... topics) {
    ObjectNode log = logs.addObject().put("address", contract).put("data", data);
    log.set("topics", JSON.valueToTree(List.of(topics)));
  }

  private void used(String nonce) {
    log(TOKEN, "0x", PaidTransfer.USED, topic(PAYER), nonce);
  }

  private void moved(String contract, String from, String to, int amount) {
    String data = String.format("0x%064x", amount);
    log(contract, data, PaidTransfer.TRANSFER, topic(from), topic(to));
  }

  private boolean proven() {
    return transfer.isProvenBy(receipt);
  }

  @Test
  void theAuthorizationAndThenTheTransferProveIt() {
    log(PAY_TO, "0x", "0x" + "33".repeat(32));
    used(NONCE);
    moved(TOKEN, PAYER, PAY_TO, 10_000);

    assertThat(proven()).isTrue();
  }

  @Test
  void addressesInAnyCaseAreTheSame() {
    log(
        EvmToken.BASE_USDC.address().toString(),
        "0x",
        PaidTransfer.USED,
        topic(PAYER.replace('a', 'A')),
        NONCE);
    moved(TOKEN, PAYER, PAY_TO, 10_000);

    assertThat(proven()).isTrue();
  }

  @Test
  void aFailedTransactionProvesNothing() {
    used(NONCE);
    moved(TOKEN, PAYER, PAY_TO, 10_000);
    receipt.put("status", "0x0");

    assertThat(proven()).isFalse();
    assertThat(transfer.isProvenBy(NullNode.getInstance())).isFalse();
  }

  @Test
  void theTransferAloneProvesNothing() {
    moved(TOKEN, PAYER, PAY_TO, 10_000);

    assertThat(proven()).isFalse();
  }

  @Test
  void theAuthorizationAloneProvesNothing() {
    used(NONCE);

    assertThat(proven()).isFalse();
  }

  @Test
  void anotherAuthorizationsTransferProvesNothing() {
    used(OTHER_NONCE);
    moved(TOKEN, PAYER, PAY_TO, 10_000);
    used(NONCE);
    moved(TOKEN, PAYER, address("cc"), 10_000);

    assertThat(proven()).isFalse();
  }

  @Test
  void anEqualTransferThatCameLaterProvesNothing() {
    used(NONCE);
    moved(TOKEN, PAYER, address("cc"), 10_000);
    moved(TOKEN, PAYER, PAY_TO, 10_000);

    assertThat(proven()).isFalse();
  }

  @Test
  void anotherAmountProvesNothing() {
    used(NONCE);
    moved(TOKEN, PAYER, PAY_TO, 9_999);

    assertThat(proven()).isFalse();
  }

  @Test
  void anotherPayerProvesNothing() {
    used(NONCE);
    moved(TOKEN, address("cc"), PAY_TO, 10_000);

    assertThat(proven()).isFalse();
  }

  @Test
  void anotherTokenProvesNothing() {
    used(NONCE);
    moved(address("dd"), PAYER, PAY_TO, 10_000);

    assertThat(proven()).isFalse();
  }

  @Test
  void anotherContractsWordForTheAuthorizationProvesNothing() {
    log(address("dd"), "0x", PaidTransfer.USED, topic(PAYER), NONCE);
    moved(TOKEN, PAYER, PAY_TO, 10_000);

    assertThat(proven()).isFalse();
  }
}
