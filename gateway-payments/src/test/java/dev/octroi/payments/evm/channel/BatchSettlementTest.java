package dev.octroi.payments.evm.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.evm.AbiWords;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.Keccak;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.evm.channel.ClaimBatch.ChannelClaim;
import dev.octroi.testchain.Anvil;
import dev.octroi.testchain.Contracts;
import dev.octroi.testchain.Stablecoin;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What is signed for channels, as a contract on a chain takes it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BatchSettlementTest {

  private static final String CONFIG = "(address,address,address,address,address,uint40,bytes32)";
  private static final String ROWS = "((" + CONFIG + ",uint128),bytes,uint128)[]";

  /** The node's published first account, which signs for the receiver. */
  private static final byte[] AUTHORIZER =
      Hex.parse("0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80");

  private static final long DEPOSIT = 100_000;
  private static final long MAX = 10_000;

  private int channels;
  private ChannelConfig config = ChannelSamples.config(0);
  private byte[] id = {};
  private Anvil anvil;
  private Stablecoin token;

  @BeforeAll
  void startTheChain() {
    anvil = Anvil.start();
    token = Stablecoin.deployAt(anvil, Stablecoin.ON_BASE);
    Contracts.deployBatchSettlement(anvil);
  }

  @AfterAll
  void stop() {
    if (anvil != null) {
      anvil.close();
    }
  }

  @BeforeEach
  void deposit() {
    config = ChannelSamples.config(channels++);
    id = config.id(ChannelSamples.CHAIN);
    token.mint(ChannelSamples.PAYER.toString(), DEPOSIT);
    TokenDeposit deposit = ChannelSamples.deposit(config, DEPOSIT, 1, anvil.timestamp() + 300);
    byte[] collected =
        words(
            number(deposit.validAfter()),
            number(deposit.validBefore()),
            number(deposit.salt()),
            number(4 * Keccak.BYTES),
            bytes(deposit.signature()));
    execute(
        "deposit(" + CONFIG + ",uint128,address,bytes)",
        config(),
        number(DEPOSIT),
        address(Contracts.DEPOSIT_COLLECTOR),
        number(10 * Keccak.BYTES),
        bytes(collected));
  }

  @Test
  void theSelectorsAreTheContracts() {
    assertThat(selector("deposit(" + CONFIG + ",uint128,address,bytes)")).isEqualTo("0x140f1e75");
    assertThat(selector("claim(" + ROWS + ")")).isEqualTo("0x29237b0c");
    assertThat(selector("claimWithSignature(" + ROWS + ",bytes)")).isEqualTo("0xe43ce1f2");
    assertThat(selector("settle(address,address)")).isEqualTo("0x9db32a8f");
    assertThat(selector("refundWithSignature(" + CONFIG + ",uint128,uint256,bytes)"))
        .isEqualTo("0xb77433e9");
    assertThat(selector("channels(bytes32)")).isEqualTo("0x7a7ebd7b");
  }

  @Test
  void aDepositIsTheChannelsByItsId() {
    assertThat(token.balanceOf(Contracts.BATCH_SETTLEMENT)).isGreaterThanOrEqualTo(DEPOSIT);
    assertThat(asked("channels(bytes32)", id)).isEqualTo(DEPOSIT);
  }

  @Test
  void aVoucherIsClaimedByTheReceiversSignatureAndPaidOut() {
    long before = token.balanceOf(ChannelSamples.RECEIVER.toString());
    claim(MAX, 7_000);
    execute(
        "settle(address,address)",
        address(ChannelSamples.RECEIVER.toString()),
        address(Stablecoin.ON_BASE));

    assertThat(token.balanceOf(ChannelSamples.RECEIVER.toString()))
        .isGreaterThanOrEqualTo(before + 7_000);
    assertThat(asked("channels(bytes32)", id)).as("gross").isEqualTo(DEPOSIT);
  }

  @Test
  void whatIsLeftGoesBackByTheReceiversSignature() {
    long before = token.balanceOf(ChannelSamples.PAYER.toString());
    claim(MAX, 7_000);
    ChannelRefund refund = new ChannelRefund(id, BigInteger.ZERO, BigInteger.valueOf(DEPOSIT));
    execute(
        "refundWithSignature(" + CONFIG + ",uint128,uint256,bytes)",
        config(),
        number(DEPOSIT),
        number(0),
        number(10 * Keccak.BYTES),
        bytes(sign(refund.digest(ChannelSamples.CHAIN))));

    assertThat(token.balanceOf(ChannelSamples.PAYER.toString()))
        .isEqualTo(before + DEPOSIT - 7_000);
    assertThat(asked("refundNonce(bytes32)", id)).isEqualTo(1);
  }

  private void claim(long max, long total) {
    ChannelPayload voucher = ChannelSamples.voucher(config, max);
    ClaimBatch batch =
        new ClaimBatch(List.of(new ChannelClaim(voucher.voucher(), BigInteger.valueOf(total))));
    byte[] row =
        words(
            config(),
            number(max),
            number(10 * Keccak.BYTES),
            number(total),
            bytes(voucher.signature()));
    byte[] rows = words(number(1), number(Keccak.BYTES), row);
    execute(
        "claimWithSignature(" + ROWS + ",bytes)",
        number(2 * Keccak.BYTES),
        number(2 * Keccak.BYTES + rows.length),
        rows,
        bytes(sign(batch.digest(ChannelSamples.CHAIN))));
  }

  private static byte[] sign(byte[] digest) {
    return Signatures.fastest().sign(digest, AUTHORIZER);
  }

  private byte[] config() {
    return words(
        address(config.payer().toString()),
        address(config.payerAuthorizer().toString()),
        address(config.receiver().toString()),
        address(config.receiverAuthorizer().toString()),
        address(config.token().toString()),
        number(config.withdrawDelay()),
        config.salt());
  }

  private void execute(String method, byte[]... arguments) {
    String data = selector(method) + Hex.of(words(arguments)).substring(2);
    anvil.execute(anvil.account(5), Contracts.BATCH_SETTLEMENT, data);
  }

  private long asked(String method, byte[] argument) {
    String said =
        anvil.ask(Contracts.BATCH_SETTLEMENT, selector(method) + Hex.of(argument).substring(2));
    return Long.parseLong(said.substring(2, 66), 16);
  }

  private static String selector(String method) {
    byte[] hash = Keccak.hash(method.getBytes(StandardCharsets.US_ASCII));
    return Hex.of(Arrays.copyOf(hash, 4));
  }

  private static byte[] number(long value) {
    return number(BigInteger.valueOf(value));
  }

  private static byte[] number(BigInteger value) {
    byte[] word = new byte[Keccak.BYTES];
    AbiWords.write(word, 0, value);
    return word;
  }

  private static byte[] address(String address) {
    return number(new BigInteger(address.substring(2), 16));
  }

  /** Length and content, to whole words. */
  private static byte[] bytes(byte[] content) {
    int padded = (content.length + Keccak.BYTES - 1) / Keccak.BYTES * Keccak.BYTES;
    return words(number(content.length), Arrays.copyOf(content, padded));
  }

  private static byte[] words(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
