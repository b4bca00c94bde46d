package dev.octroi.payments.solana;

import dev.octroi.payments.solana.WireReader.MalformedTransaction;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/**
 * What the signers of a transaction signed: a message of version 0.
 *
 * @param signers how many of the accounts, from the first, have to sign; the first pays the fee
 * @param accounts the accounts that stand in the message itself
 * @param blockhash a recent block's hash, after whose time the message is void
 * @param instructions what happens, in this order and all or nothing
 * @param lookups how many tables of further accounts the message refers to
 */
record SolanaMessage(
    int signers,
    List<SolanaAddress> accounts,
    SolanaAddress blockhash,
    List<MessageInstruction> instructions,
    int lookups) {

  static final int VERSION_0 = 0x80;

  private static final int MAX_ACCOUNTS = 256;

  /**
   * Reads a message with the checks that the chain itself makes before it looks at any account.
   *
   * <p>Messages without a version are refused: the protocol asks for version 0 (x402, exact on the
   * base58 chain), every published client makes it, and one form is less to judge.
   *
   * @throws MalformedTransaction if the bytes are anything else
   */
  static SolanaMessage read(byte[] bytes) {
    WireReader in = new WireReader(bytes);
    if (in.u8() != VERSION_0) {
      throw new MalformedTransaction("it is not of version 0");
    }
    int signers = in.u8();
    int readonlySigners = in.u8();
    int readonlyOthers = in.u8();
    List<SolanaAddress> accounts = accounts(in);
    if (readonlySigners >= signers || signers + readonlyOthers > accounts.size()) {
      throw new MalformedTransaction("its header does not fit its accounts");
    }
    SolanaAddress blockhash = in.address();
    List<MessageInstruction> instructions = instructions(in);
    int lookups = in.count(SolanaAddress.BYTES + 2);
    int loaded = loaded(in, lookups);
    in.end();
    int known = accounts.size() + loaded;
    if (known > MAX_ACCOUNTS || !instructions.stream().allMatch(i -> fits(i, accounts, known))) {
      throw new MalformedTransaction("an instruction names an account that is not there");
    }
    return new SolanaMessage(signers, accounts, blockhash, instructions, lookups);
  }

  private static List<SolanaAddress> accounts(WireReader in) {
    int count = in.count(SolanaAddress.BYTES);
    List<SolanaAddress> accounts = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      accounts.add(in.address());
    }
    if (new HashSet<>(accounts).size() != count) {
      throw new MalformedTransaction("an account stands in it twice");
    }
    return List.copyOf(accounts);
  }

  private static List<MessageInstruction> instructions(WireReader in) {
    int count = in.count(3);
    List<MessageInstruction> instructions = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      instructions.add(new MessageInstruction(in.u8(), in.array(), in.array()));
    }
    return List.copyOf(instructions);
  }

  /** How many accounts the tables add. */
  private static int loaded(WireReader in, int lookups) {
    int loaded = 0;
    for (int i = 0; i < lookups; i++) {
      in.address();
      int here = in.array().length + in.array().length;
      if (here == 0) {
        throw new MalformedTransaction("a table is named and not used");
      }
      loaded += here;
    }
    return loaded;
  }

  /** A program stands in the message itself, and the fee payer is none. */
  private static boolean fits(
      MessageInstruction instruction, List<SolanaAddress> accounts, int known) {
    if (instruction.program() == 0 || instruction.program() >= accounts.size()) {
      return false;
    }
    for (int i = 0; i < instruction.accountCount(); i++) {
      if (instruction.account(i) >= known) {
        return false;
      }
    }
    return true;
  }

  SolanaAddress feePayer() {
    return accounts.get(0);
  }

  SolanaAddress program(MessageInstruction instruction) {
    return accounts.get(instruction.program());
  }

  /** One of an instruction's accounts; only for a message without lookups. */
  SolanaAddress account(MessageInstruction instruction, int index) {
    return accounts.get(instruction.account(index));
  }

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
}
