package dev.octroi.payments.solana;

import dev.octroi.payments.solana.SolanaMessage.MessageInstruction;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The two instructions that every payment begins with: how much it may compute, and what the fee
 * payer pays for that.
 */
final class ComputeBudget {

  /** Microlamports for a compute unit (x402, exact on Solana). */
  static final long MAX_PRICE = 5_000_000;

  /** What the chain charges for each signature. */
  private static final long LAMPORTS_PER_SIGNATURE = 5_000;

  /** The chain's limit of a transaction; what is asked for above it counts as this. */
  private static final long MAX_UNITS = 1_400_000;

  private static final long MICRO = 1_000_000;
  private static final int LIMIT_TAG = 2;
  private static final int PRICE_TAG = 3;

  private static final String REASON =
      "invalid_exact_svm_payload_transaction_instructions_compute_";

  private ComputeBudget() {}

  /**
   * The reason why the first two instructions do not do; null if they do.
   *
   * @param maxFeeLamports what they may cost with the signatures: a price within the protocol's
   *     bound times a high limit still costs thousands of times what a cheap call earns
   */
  static @Nullable String broken(SolanaMessage message, long maxFeeLamports) {
    Optional<Long> units = number(message, 0, LIMIT_TAG, Integer.BYTES);
    if (units.isEmpty()) {
      return REASON + "limit_instruction";
    }
    Optional<Long> price = number(message, 1, PRICE_TAG, Long.BYTES);
    if (price.isEmpty()) {
      return REASON + "price_instruction";
    }
    if (price.get() < 0 || price.get() > MAX_PRICE) {
      return REASON + "price_instruction_too_high";
    }
    long priority = (Math.min(units.get(), MAX_UNITS) * price.get() + MICRO - 1) / MICRO;
    return message.signers() * LAMPORTS_PER_SIGNATURE + priority > maxFeeLamports
        ? REASON + "price_instruction_too_high"
        : null;
  }

  static Instruction limit(int units) {
    byte[] data = new WireWriter().u8(LIMIT_TAG).number(units, Integer.BYTES).toBytes();
    return new Instruction(Programs.COMPUTE_BUDGET, data);
  }

  static Instruction price(long microlamports) {
    byte[] data = new WireWriter().u8(PRICE_TAG).number(microlamports, Long.BYTES).toBytes();
    return new Instruction(Programs.COMPUTE_BUDGET, data);
  }

  private static Optional<Long> number(SolanaMessage message, int place, int tag, int bytes) {
    MessageInstruction instruction = message.instructions().get(place);
    byte[] data = instruction.data();
    boolean fits =
        message.program(instruction).equals(Programs.COMPUTE_BUDGET)
            && data.length == 1 + bytes
            && data[0] == tag;
    return fits ? Optional.of(WireReader.littleEndian(data, 1, bytes)) : Optional.empty();
  }
}
