package dev.octroi.payments.solana;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An instruction to be put into a message.
 *
 * @param program who carries it out
 * @param data what the program reads
 * @param accounts the accounts, in the program's order, and what it does with them; each once
 */
record Instruction(SolanaAddress program, byte[] data, Map<SolanaAddress, AccountUse> accounts) {

  Instruction(SolanaAddress program, byte[] data) {
    this(program, data, Map.of());
  }

  /** The same with one more account. */
  Instruction with(SolanaAddress account, AccountUse use) {
    Map<SolanaAddress, AccountUse> more = new LinkedHashMap<>(accounts);
    more.put(account, use);
    return new Instruction(program, data, more);
  }

  /** What an instruction does with an account that it names. */
  enum AccountUse {
    READONLY,
    WRITABLE,
    /** Signs and is only read. */
    SIGNER
  }
}
