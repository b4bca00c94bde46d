package dev.octroi.payments.solana;

/**
 * An instruction as it stands in a message: its program and accounts are places in the message's
 * list of accounts.
 *
 * @param program the program's place
 * @param accounts the accounts' places, a byte each
 * @param data what the program reads
 */
record MessageInstruction(int program, byte[] accounts, byte[] data) {

  /** How many accounts it is given. */
  int accountCount() {
    return accounts.length;
  }

  /** The place of one of its accounts. */
  int account(int index) {
    return accounts[index] & 0xff;
  }
}
