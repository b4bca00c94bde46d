package dev.octroi.payments.evm.channel;

import dev.octroi.payments.evm.AbiWords;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Keccak;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.evm.channel.ClaimBatch.ChannelClaim;
import dev.octroi.payments.evm.permit2.TokenPermit;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Calldata of the contract that holds the money of channels. */
public final class ChannelCalls {

  private static final int SELECTOR_BYTES = 4;
  private static final int CONFIG_WORDS = 7;

  /** What calldata ends with that another server has ordered. */
  private static final byte[] ORDERED = Keccak.ofText("ordered by another x402 server");

  private static final byte[] REFUNDS = Keccak.ofText("refunds out of channels");

  /** Its methods that are called here. */
  private enum Method {
    DEPOSIT(0x140f1e75),
    CLAIM(0xe43ce1f2),
    CLAIM_UNSIGNED(0x29237b0c),
    SETTLE(0x9db32a8f),
    REFUND(0xb77433e9),
    CHANNELS(0x7a7ebd7b),
    PENDING_WITHDRAWALS(0xb7f06ebe),
    RECEIVERS(0x21ff6389),
    REFUND_NONCE(0xf0dc792e);

    private final int selector;

    Method(int selector) {
      this.selector = selector;
    }

    byte[] with(byte[]... arguments) {
      byte[] words = joined(arguments);
      return ByteBuffer.allocate(SELECTOR_BYTES + words.length).putInt(selector).put(words).array();
    }

    boolean isIn(byte[] data) {
      return data.length >= SELECTOR_BYTES && ByteBuffer.wrap(data).getInt() == selector;
    }
  }

  /**
   * What is claimed out of one channel.
   *
   * @param config the channel's terms
   * @param claim the voucher, and what will have been claimed in all
   * @param signature the voucher's
   */
  public record ClaimRow(ChannelConfig config, ChannelClaim claim, byte[] signature) {}

  private ChannelCalls() {}

  /**
   * Puts money into a channel.
   *
   * @param allowance by what its token lets Permit2 move it first
   */
  public static byte[] deposit(
      ChannelConfig config, ChannelDeposit deposit, Optional<TokenPermit> allowance) {
    byte[] signature = bytes(Signatures.spelled(deposit.signature()));
    byte[] collected =
        deposit instanceof PermitDeposit permit
            ? joined(
                AbiWords.of(
                    permit.nonce(),
                    permit.deadline(),
                    place(4),
                    4L * Keccak.BYTES + signature.length),
                signature,
                bytes(allowance.map(ChannelCalls::words).orElse(new byte[0])))
            : joined(words((TokenDeposit) deposit), place(4), signature);
    return Method.DEPOSIT.with(
        words(config),
        AbiWords.of(deposit.amount(), deposit.collector(), place(CONFIG_WORDS + 3)),
        bytes(collected));
  }

  private static byte[] words(TokenDeposit deposit) {
    return AbiWords.of(deposit.validAfter(), deposit.validBefore(), deposit.salt());
  }

  private static byte[] words(TokenPermit allowance) {
    byte[] signature = allowance.signature();
    return joined(
        AbiWords.of(allowance.amount(), allowance.deadline(), Signatures.v(signature)),
        Arrays.copyOf(signature, 2 * Keccak.BYTES));
  }

  /**
   * Takes out of channels what their vouchers permit, for their receiver's account in the contract.
   *
   * @param rows channels of one authorizer, at least one
   * @param signature that authorizer's, of them all
   */
  public static byte[] claim(List<ClaimRow> rows, byte[] signature) {
    byte[] array = array(rows);
    return Method.CLAIM.with(
        place(2), AbiWords.of(2L * Keccak.BYTES + array.length), array, bytes(signature));
  }

  /** The same where that authorizer itself sends it. */
  public static byte[] claim(List<ClaimRow> rows) {
    return Method.CLAIM_UNSIGNED.with(place(1), array(rows));
  }

  private static byte[] array(List<ClaimRow> rows) {
    ByteArrayOutputStream places = new ByteArrayOutputStream();
    ByteArrayOutputStream contents = new ByteArrayOutputStream();
    for (ClaimRow row : rows) {
      places.writeBytes(AbiWords.of(rows.size() * (long) Keccak.BYTES + contents.size()));
      contents.writeBytes(
          joined(
              words(row.config()),
              AbiWords.of(
                  row.claim().voucher().maxClaimable(),
                  place(CONFIG_WORDS + 3),
                  row.claim().totalClaimed()),
              bytes(Signatures.spelled(row.signature()))));
    }
    return joined(AbiWords.of(rows.size()), places.toByteArray(), contents.toByteArray());
  }

  /** Pays a receiver what was claimed for it. */
  public static byte[] settle(EvmAddress receiver, EvmAddress token) {
    return Method.SETTLE.with(AbiWords.of(receiver, token));
  }

  /** Gives a payer back what is left in a channel, by the receiver's consent. */
  public static byte[] refund(ChannelConfig config, ChannelRefund refund, byte[] signature) {
    return Method.REFUND.with(
        words(config),
        AbiWords.of(refund.amount(), refund.nonce(), place(CONFIG_WORDS + 3)),
        bytes(signature));
  }

  /** Asks for a channel's balance, which claims do not reduce, and for what was claimed. */
  public static byte[] channels(byte[] channelId) {
    return Method.CHANNELS.with(channelId);
  }

  /** Asks for what a payer has begun to take back. */
  public static byte[] pendingWithdrawals(byte[] channelId) {
    return Method.PENDING_WITHDRAWALS.with(channelId);
  }

  /** Asks for what was claimed for a receiver, and what it was paid. */
  public static byte[] receivers(EvmAddress receiver, EvmAddress token) {
    return Method.RECEIVERS.with(AbiWords.of(receiver, token));
  }

  /** Asks how often a channel was refunded. */
  public static byte[] refundNonce(byte[] channelId) {
    return Method.REFUND_NONCE.with(channelId);
  }

  /**
   * The same call as another server orders it, to be told from the gateway's own. The contract does
   * not read what follows its arguments.
   *
   * @param count tells calls apart that are made in the same words again and again
   */
  public static byte[] ordered(byte[] call, long count) {
    return joined(call, AbiWords.of(count), ORDERED);
  }

  /** Whether another server has ordered it. */
  public static boolean isOrdered(byte[] data) {
    int start = data.length - ORDERED.length;
    return start > 0 && Arrays.equals(data, start, data.length, ORDERED, 0, ORDERED.length);
  }

  /** Whose payments such calls are in the database. */
  public static byte[] orderedOwner() {
    return ORDERED.clone();
  }

  /** Whose payments refunds are in the database. */
  public static byte[] refundOwner() {
    return REFUNDS.clone();
  }

  /** Whether calldata gives back what a channel holds. */
  public static boolean isRefund(byte[] data) {
    return Method.REFUND.isIn(data);
  }

  /** Whether calldata is a deposit as it is written here. */
  public static boolean isDeposit(byte[] data) {
    return Method.DEPOSIT.isIn(data);
  }

  /** Whether calldata pays out, or gives back, what channels hold. */
  public static boolean isPayout(byte[] data) {
    return Method.CLAIM.isIn(data) || Method.SETTLE.isIn(data) || isRefund(data);
  }

  /**
   * A deposit as its calldata says.
   *
   * @param config the channel's terms
   * @param channelId the channel's id on the chain
   * @param deposit the payer's permission, without its signature
   */
  public record DepositTerms(ChannelConfig config, byte[] channelId, ChannelDeposit deposit) {

    /** The first word of what the collector is told. */
    private static final int COLLECTED = CONFIG_WORDS + 4;

    private static final int WORDS = COLLECTED + 4;

    /** What the deposit uses up. */
    public byte[] nonce() {
      return deposit.nonce(channelId);
    }

    /** Reads what {@link ChannelCalls#deposit} wrote for a chain; empty if it is anything else. */
    public static Optional<DepositTerms> read(byte[] data, long chainId) {
      if (!Method.DEPOSIT.isIn(data)
          || data.length < SELECTOR_BYTES + WORDS * Keccak.BYTES
          || !Arrays.equals(wordAt(data, CONFIG_WORDS + 2), place(CONFIG_WORDS + 3))) {
        return Optional.empty();
      }
      ChannelConfig config =
          new ChannelConfig(
              addressAt(data, 0),
              addressAt(data, 1),
              addressAt(data, 2),
              addressAt(data, 3),
              addressAt(data, 4),
              numberAt(data, 5).longValue(),
              wordAt(data, 6));
      byte[] channelId = config.id(chainId);
      return deposit(data, config, channelId)
          .map(deposit -> new DepositTerms(config, channelId, deposit));
    }

    private static Optional<ChannelDeposit> deposit(
        byte[] data, ChannelConfig config, byte[] channelId) {
      BigInteger amount = numberAt(data, CONFIG_WORDS);
      EvmAddress collector = addressAt(data, CONFIG_WORDS + 1);
      BigInteger first = numberAt(data, COLLECTED);
      BigInteger second = numberAt(data, COLLECTED + 1);
      if (collector.equals(BatchSettlement.DEPOSIT_COLLECTOR)) {
        BigInteger salt = numberAt(data, COLLECTED + 2);
        return Optional.of(new TokenDeposit(amount, first, second, salt, new byte[0]));
      }
      return collector.equals(BatchSettlement.PERMIT_COLLECTOR)
          ? Optional.of(PermitDeposit.unsigned(config, channelId, amount, first, second))
          : Optional.empty();
    }
  }

  private static EvmAddress addressAt(byte[] data, int index) {
    return EvmAddress.ofWord(wordAt(data, index));
  }

  private static BigInteger numberAt(byte[] data, int index) {
    return new BigInteger(1, wordAt(data, index));
  }

  private static byte[] wordAt(byte[] data, int index) {
    int start = SELECTOR_BYTES + index * Keccak.BYTES;
    return Arrays.copyOfRange(data, start, start + Keccak.BYTES);
  }

  private static byte[] words(ChannelConfig config) {
    return AbiWords.of(
        config.payer(),
        config.payerAuthorizer(),
        config.receiver(),
        config.receiverAuthorizer(),
        config.token(),
        config.withdrawDelay(),
        config.salt());
  }

  /** Where something begins, so many words after the first. */
  private static byte[] place(int words) {
    return AbiWords.of((long) words * Keccak.BYTES);
  }

  /** Length and content, to whole words. */
  private static byte[] bytes(byte[] content) {
    int padded = (content.length + Keccak.BYTES - 1) / Keccak.BYTES * Keccak.BYTES;
    return joined(AbiWords.of(content.length), Arrays.copyOf(content, padded));
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
