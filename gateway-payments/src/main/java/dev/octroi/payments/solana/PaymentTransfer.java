package dev.octroi.payments.solana;

import dev.octroi.payments.solana.Instruction.AccountUse;
import dev.octroi.payments.x402.PaymentRequirements;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A payer's transaction for an offer: compute limit, compute price, transfer and memo.
 *
 * @param offer what is paid
 * @param token the token it is paid in
 * @param feePayer who will sign first
 */
public record PaymentTransfer(
    PaymentRequirements offer, SolanaToken token, SolanaAddress feePayer) {

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int NONCE_BYTES = 16;

  /** A transfer and a memo take some 15,000, a younger token program's more. */
  private static final int COMPUTE_UNITS = 40_000;

  /** Compute limits above that make two messages differ. */
  private static final int SPREAD = 4096;

  private static final long MICROLAMPORTS = 1;

  /**
   * Reads an offer.
   *
   * @throws IllegalArgumentException if it is not of this kind of chain, or tells no fee payer
   */
  public static PaymentTransfer of(PaymentRequirements offer) {
    String feePayer = member(offer, "feePayer");
    if (feePayer == null) {
      throw new IllegalArgumentException("the offer names no fee payer");
    }
    SolanaToken token =
        SolanaToken.of(offer)
            .orElseGet(
                () ->
                    new SolanaToken(
                        offer.network(), SolanaAddress.parse(offer.asset()), program(offer)));
    return new PaymentTransfer(offer, token, SolanaAddress.parse(feePayer));
  }

  /** The recent blockhash that the offer itself tells, so that the chain need not be asked. */
  public Optional<SolanaAddress> offeredBlockhash() {
    String offered = member(offer, "recentBlockhash");
    try {
      return Optional.ofNullable(offered).map(SolanaAddress::parse);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** The payload of a new payment, signed by the payer; every call makes another payment. */
  public Map<String, Object> sign(SolanaWallet wallet, SolanaAddress blockhash) {
    SolanaTransaction transaction =
        MessageWriter.unsigned(feePayer, blockhash, instructions(wallet.address()));
    return Map.of("transaction", transaction.signedBy(wallet).toBase64());
  }

  private List<Instruction> instructions(SolanaAddress payer) {
    String asked = member(offer, "memo");
    // Where the seller's memo takes the place of the payer's, something else must be different.
    int units = asked == null ? COMPUTE_UNITS : COMPUTE_UNITS + RANDOM.nextInt(SPREAD);
    return List.of(
        ComputeBudget.limit(units),
        ComputeBudget.price(MICROLAMPORTS),
        transfer(payer).toInstruction(),
        Memos.of(asked == null ? nonce() : asked));
  }

  private TransferChecked transfer(SolanaAddress payer) {
    SolanaAddress payTo = SolanaAddress.parse(offer.payTo());
    return new TransferChecked(
        token.program(),
        AssociatedToken.of(payer, token.mint(), token.program()),
        token.mint(),
        AssociatedToken.of(payTo, token.mint(), token.program()),
        payer,
        Long.parseUnsignedLong(offer.amount()),
        SolanaToken.DECIMALS);
  }

  private static String nonce() {
    byte[] nonce = new byte[NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    return HexFormat.of().formatHex(nonce);
  }

  private static SolanaAddress program(PaymentRequirements offer) {
    String hint = member(offer, "tokenProgram");
    return hint == null ? Programs.TOKEN : SolanaAddress.parse(hint);
  }

  /** A text that an offer tells besides; null if it tells none. */
  static @Nullable String member(PaymentRequirements offer, String name) {
    Map<String, Object> extra = offer.extra();
    return extra != null && extra.get(name) instanceof String text && !text.isEmpty() ? text : null;
  }

  /** Puts instructions into a message of version 0, without lookups. */
  static final class MessageWriter {

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
        instruction
            .accounts()
            .forEach((account, use) -> ranks.merge(account, rank(use), Math::min));
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
}
