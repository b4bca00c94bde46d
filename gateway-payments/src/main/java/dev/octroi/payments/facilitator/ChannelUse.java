package dev.octroi.payments.facilitator;

import dev.octroi.payments.chain.ChainFamily;
import java.util.Optional;
import java.util.OptionalLong;

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
 * @param deposit what is put into the channel first
 * @param claimed where a chain holds the money, what its contract says was claimed out of the
 *     channel, in millionths of a dollar; empty where the ledger's own database holds it
 */
public record ChannelUse(
    String id,
    String payer,
    String terms,
    long before,
    byte[] signature,
    Optional<Deposit> deposit,
    OptionalLong claimed) {

  /** A channel whose money the ledger's own database holds. */
  public ChannelUse(
      String id,
      String payer,
      String terms,
      long before,
      byte[] signature,
      Optional<Deposit> deposit) {
    this(id, payer, terms, before, signature, deposit, OptionalLong.empty());
  }

  /** The protocol's reason where another payment holds the channel. */
  public static final String BUSY = "invalid_batch_settlement_evm_channel_busy";

  /** The protocol's reason where the payer counts otherwise than this server. */
  public static final String MISMATCH = "invalid_batch_settlement_evm_cumulative_amount_mismatch";

  /** The protocol's reason where more was claimed than this server knows to have charged. */
  public static final String BELOW_CLAIMED =
      "invalid_batch_settlement_evm_cumulative_below_claimed";

  /** The protocol's reason where no one who settles has the receiver's key. */
  public static final String NO_AUTHORIZER =
      "invalid_batch_settlement_evm_receiver_authorizer_mismatch";

  /** The protocol's reason where the channel does not hold enough. */
  public static final String EXCEEDS = "invalid_batch_settlement_evm_cumulative_exceeds_balance";

  /** The protocol's reason where a payer does not have what it puts into a channel. */
  public static final String NO_FUNDS = "invalid_batch_settlement_evm_insufficient_balance";

  /** The protocol's reason where a payer has not let Permit2 move a deposit. */
  public static final String NO_ALLOWANCE =
      "invalid_batch_settlement_evm_permit2_allowance_required";

  /** The protocol's reason where a deposit cannot be taken, such as one that was taken before. */
  public static final String NO_DEPOSIT = "invalid_batch_settlement_evm_deposit_simulation_failed";

  /** The protocol's reason where what is asked back was sent, and did not arrive yet. */
  public static final String REFUND_FAILED =
      "invalid_batch_settlement_evm_refund_transaction_failed";

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
   * @param funds what its payer has by the chain's word, in millionths; empty where the ledger's
   *     own database holds it
   */
  public record Deposit(String nonce, long amount, OptionalLong funds) {

    /** Money that the ledger's own database holds. */
    public Deposit(String nonce, long amount) {
      this(nonce, amount, OptionalLong.empty());
    }
  }

  /**
   * The same where a chain holds the money.
   *
   * @param taken what its contract says was claimed
   * @param funds what the payer of a deposit has
   */
  public ChannelUse onChain(long taken, OptionalLong funds) {
    return new ChannelUse(
        id,
        payer,
        terms,
        before,
        signature,
        deposit.map(put -> new Deposit(put.nonce(), put.amount(), funds)),
        OptionalLong.of(taken));
  }

  /** Whether a payer, as the ledger knows payers, is a channel. */
  public static boolean isChannel(String network, String payer) {
    return payer.length() == ID_CHARS && ChainFamily.of(network) == ChainFamily.EVM;
  }
}
