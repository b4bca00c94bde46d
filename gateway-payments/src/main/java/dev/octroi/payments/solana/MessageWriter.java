package dev.octroi.payments.solana;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Puts instructions into a message of version 0, without lookups. */
final class MessageWriter {

  /** The fee payer before all, then signers, then what is written to; programs are only read. */
  private static final int FEE_PAYER = 0;

  private static final int SIGNER = 1;
  private static final int WRITABLE = 2;
  private static final int READONLY = 3;

  private MessageWriter() {}

  /** The message, with an unsigned transaction around it. */
  static SolanaTransaction unsigned(
      SolanaAddress feePayer, SolanaAddress blockhash, List<Instruction> instructions) {
    Map<SolanaAddress, Integer> ranks = ranks(feePayer, instructions);
    List<SolanaAddress> accounts = new ArrayList<>(ranks.keySet());
    accounts.sort(Comparator.comparing(ranks::get));
    int readonlySigners = count(ranks, SIGNER);
    WireWriter out =
        new WireWriter()
            .u8(SolanaMessage.VERSION_0)
            .u8(1 + readonlySigners)
            .u8(readonlySigners)
            .u8(count(ranks, READONLY))
            .count(accounts.size());
    accounts.forEach(account -> out.bytes(account.bytes()));
    out.bytes(blockhash.bytes()).count(instructions.size());
    for (Instruction instruction : instructions) {
      out.u8(accounts.indexOf(instruction.program())).count(instruction.accounts().size());
      instruction.accounts().keySet().forEach(account -> out.u8(accounts.indexOf(account)));
      out.array(instruction.data());
    }
    byte[] message = out.count(0).toBytes();
    WireWriter wire = new WireWriter().count(1 + readonlySigners);
    wire.bytes(new byte[(1 + readonlySigners) * Ed25519.SIGNATURE_BYTES]);
    return SolanaTransaction.read(wire.bytes(message).toBytes());
  }

  private static Map<SolanaAddress, Integer> ranks(
      SolanaAddress feePayer, List<Instruction> instructions) {
    Map<SolanaAddress, Integer> ranks = new LinkedHashMap<>();
    ranks.put(feePayer, FEE_PAYER);
    for (Instruction instruction : instructions) {
      instruction.accounts().forEach((account, use) -> ranks.merge(account, rank(use), Math::min));
      ranks.merge(instruction.program(), READONLY, Math::min);
    }
    return ranks;
  }

  private static int rank(AccountUse use) {
    return switch (use) {
      case SIGNER -> SIGNER;
      case WRITABLE -> WRITABLE;
      case READONLY -> READONLY;
    };
  }

  private static int count(Map<SolanaAddress, Integer> ranks, int rank) {
    return (int) ranks.values().stream().filter(found -> found == rank).count();
  }
}
