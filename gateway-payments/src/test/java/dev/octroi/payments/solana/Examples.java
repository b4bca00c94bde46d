package dev.octroi.payments.solana;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.octroi.payments.solana.PaymentTransfer.MessageWriter;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** A payment that the published client made, and parts to make others of. */
final class Examples {

  static final ObjectMapper JSON = new ObjectMapper();

  /** The published client's transaction, for 1000 units of the stablecoin. */
  static final String PUBLISHED =
      "AgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAC1k1RrHYag"
          + "uDcX8iY89ONb6Ul5upcCLIa+OXMPvDkr4+5jzOZsEIB7pz3mKkCzYpxLCTQ/pt3My23f21BnqegMgAIBBAj9FyQ4WqDH"
          + "W2T7eM1gL6HZkf3r92sTxY7XAurINen2GOpKbGPinFIKvvVQexMuxfmVR3auvr57kkIe6mkURtIsZzAuSRiU10kupr5P"
          + "kU6k9F+hQuZFhnyRZKJ21d128Hbg43eIUTjKnarD9qxfxz6fdU1YmJzUTija1e49PIcYFAMGRm/lIRcy/+ytunLDm+e8"
          + "jOW7xfcSayxDmzpAAAAAxvp6877brTo9ZfNqq8l0MbG75MLS9uDkfKYCA0UvXWEFSlNamSkhBk0k6HFg2jh8fDW13byS"
          + "u4HkH6hAQQVEjQbd9uHXZaGT2cvhRs7reawctIXtX1s3kTqM9YV+/wCplS13qSOMoTLTpjbrLy+MuEp3GkwVvPIs42RF"
          + "ew6wXDkEBAAFAiBOAAAEAAkDAQAAAAAAAAAHBAIFAwEKDOgDAAAAAAAABgYAIDBiNzk5YmVkZjM2MTk4ZmE0MmU4ZjUx"
          + "NzgzY2IxMmNjAA==";

  static final SolanaWallet PAYER = wallet(7);
  static final SolanaWallet SELLER = wallet(8);
  static final SolanaWallet FEE_PAYER = wallet(9);
  static final SolanaWallet STRANGER = wallet(10);
  static final SolanaToken USDC = SolanaToken.MAINNET_USDC;
  static final SolanaAddress BLOCKHASH = SolanaAddress.parse("1".repeat(31) + "2");
  static final long AMOUNT = 1000;

  private Examples() {}

  static PaymentRequirements terms() {
    return terms(Map.of("feePayer", FEE_PAYER.address().toString()));
  }

  static PaymentRequirements terms(Map<String, Object> extra) {
    return new PaymentRequirements(
        "exact",
        USDC.network(),
        Long.toString(AMOUNT),
        USDC.mint().toString(),
        SELLER.address().toString(),
        60,
        extra);
  }

  static PaymentPayload payment(String transaction) {
    return payment("exact", USDC.network(), transaction);
  }

  static PaymentPayload payment(String scheme, String network, String transaction) {
    return new PaymentPayload(
        2,
        null,
        null,
        scheme,
        network,
        JsonNodeFactory.instance.objectNode().put("transaction", transaction),
        null,
        transaction.getBytes(StandardCharsets.US_ASCII));
  }

  /** What a payer transfers, of which a test may change one thing. */
  static TransferChecked transfer() {
    return transfer(PAYER.address(), SELLER.address(), Programs.TOKEN, AMOUNT);
  }

  static TransferChecked transfer(
      SolanaAddress payer, SolanaAddress payTo, SolanaAddress program, long amount) {
    return new TransferChecked(
        program,
        AssociatedToken.of(payer, USDC.mint(), program),
        USDC.mint(),
        AssociatedToken.of(payTo, USDC.mint(), program),
        payer,
        amount,
        SolanaToken.DECIMALS);
  }

  /** A whole payment's instructions around a transfer. */
  static List<Instruction> around(Instruction transfer, Instruction... more) {
    List<Instruction> all = new ArrayList<>();
    all.add(ComputeBudget.limit(20_000));
    all.add(ComputeBudget.price(1));
    all.add(transfer);
    all.addAll(Arrays.asList(more));
    return all;
  }

  static SolanaTransaction signed(List<Instruction> instructions, SolanaWallet... signers) {
    SolanaTransaction transaction =
        MessageWriter.unsigned(FEE_PAYER.address(), BLOCKHASH, instructions);
    for (SolanaWallet signer : signers) {
      transaction = transaction.signedBy(signer);
    }
    return transaction;
  }

  private static SolanaWallet wallet(int seed) {
    byte[] bytes = new byte[32];
    Arrays.fill(bytes, (byte) seed);
    return SolanaWallet.of(bytes);
  }
}
