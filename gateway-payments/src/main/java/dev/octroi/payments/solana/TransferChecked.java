package dev.octroi.payments.solana;

import dev.octroi.payments.solana.Instruction.AccountUse;
import dev.octroi.payments.solana.SolanaMessage.MessageInstruction;
import java.util.Optional;

/**
 * A transfer of tokens that names its mint and decimals (instruction 12 of the token programs).
 *
 * @param program the token program
 * @param source the account that is debited
 * @param mint the token
 * @param destination the account that is credited
 * @param authority who signs for the source: the payer
 * @param amount atomic units, an unsigned 64-bit number
 * @param decimals the mint's decimals, which the program compares
 */
record TransferChecked(
    SolanaAddress program,
    SolanaAddress source,
    SolanaAddress mint,
    SolanaAddress destination,
    SolanaAddress authority,
    long amount,
    int decimals) {

  private static final int TAG = 12;
  private static final int DATA_BYTES = 10;
  private static final int ACCOUNTS = 4;

  /**
   * Reads it from a message without lookups; empty if the instruction is another. Further accounts,
   * which are a multisignature's signers or a transfer hook's, make it another: whom they would
   * charge or pay is not to be seen from here.
   */
  static Optional<TransferChecked> of(SolanaMessage message, MessageInstruction instruction) {
    SolanaAddress program = message.program(instruction);
    byte[] data = instruction.data();
    if (!Programs.TOKENS.contains(program)
        || instruction.accountCount() != ACCOUNTS
        || data.length != DATA_BYTES
        || data[0] != TAG) {
      return Optional.empty();
    }
    return Optional.of(
        new TransferChecked(
            program,
            message.account(instruction, 0),
            message.account(instruction, 1),
            message.account(instruction, 2),
            message.account(instruction, 3),
            WireReader.littleEndian(data, 1, Long.BYTES),
            data[DATA_BYTES - 1] & 0xff));
  }

  /** The instruction, as a payer makes it. */
  Instruction toInstruction() {
    return new Instruction(program, data())
        .with(source, AccountUse.WRITABLE)
        .with(mint, AccountUse.READONLY)
        .with(destination, AccountUse.WRITABLE)
        .with(authority, AccountUse.SIGNER);
  }

  private byte[] data() {
    return new WireWriter().u8(TAG).number(amount, Long.BYTES).u8(decimals).toBytes();
  }
}
