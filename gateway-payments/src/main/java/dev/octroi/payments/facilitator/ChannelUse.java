package dev.octroi.payments.facilitator;

import dev.octroi.payments.chain.ChainFamily;
import java.util.Optional;

/**
 * What a payment out of a channel says of that channel. In the ledger a channel is a payer of its
 * own: it has an account, and one payment at a time.
 *
 * @param id the channel's id, 32 bytes in hex
 * @param payer the address whose money it holds
 * @param terms the channel's terms as its chain writes them, at most {@value #MAX_TERMS} characters
 * @param before what was charged so far, in millionths of a dollar, as the payer counts; below 0
 *     where that cannot be
 * @param signature the payer's signature of all that may be charged: {@code before} and the price
 * @param deposit what is put into the channel first, where this server keeps its money
 */
public record ChannelUse(
    String id,
    String payer,
    String terms,
    long before,
    byte[] signature,
    Optional<Deposit> deposit) {

  /** The protocol's reason where another payment holds the channel. */
  public static final String BUSY = "invalid_batch_settlement_evm_channel_busy";

  /** The protocol's reason where the payer counts otherwise than this server. */
  public static final String MISMATCH = "invalid_batch_settlement_evm_cumulative_amount_mismatch";

  /** The protocol's reason where the channel does not hold enough. */
  public static final String EXCEEDS = "invalid_batch_settlement_evm_cumulative_exceeds_balance";

  /** The protocol's reason where a payer does not have what it puts into a channel. */
  public static final String NO_FUNDS = "invalid_batch_settlement_evm_insufficient_balance";

  /** The protocol's reason where a deposit cannot be taken, such as one that was taken before. */
  public static final String NO_DEPOSIT = "invalid_batch_settlement_evm_deposit_simulation_failed";

  /** The protocol's reason where nothing is left in a channel. */
  public static final String NOTHING_LEFT = "invalid_batch_settlement_evm_refund_no_balance";

  /** The protocol's reason where what is asked back is no amount. */
  public static final String NO_AMOUNT = "invalid_batch_settlement_evm_refund_amount_invalid";

  /** The longest terms. */
  public static final int MAX_TERMS = 1024;

  /** What {@link #before} is where the payer cannot have been charged so. */
  public static final long IMPOSSIBLE = -1;

  /** An id has 32 bytes, where an address has 20. */
  private static final int ID_CHARS = 66;

  /**
   * Money that is put into a channel.
   *
   * @param nonce what makes it unique in its channel, in hex
   * @param amount millionths of a dollar, above zero
   */
  public record Deposit(String nonce, long amount) {}

  /** Whether a payer, as the ledger knows payers, is a channel. */
  public static boolean isChannel(String network, String payer) {
    return payer.length() == ID_CHARS && ChainFamily.of(network) == ChainFamily.EVM;
  }
}
