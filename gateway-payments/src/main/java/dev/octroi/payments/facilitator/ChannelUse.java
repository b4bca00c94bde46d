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
