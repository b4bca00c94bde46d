package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.PaymentUse;
import dev.octroi.payments.Redelivery;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimRequest;
import dev.octroi.payments.ledger.ClaimRequest.RequestBinding;
import dev.octroi.payments.ledger.StoredAnswer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;

/** A request for a claim as the gate makes it, and variations of it. */
record Sample(
    PaymentKey key,
    RequestBinding binding,
    String envelopeHash,
    long amount,
    String asset,
    Instant validBefore,
    OptionalLong spendable,
    Redelivery redelivery) {

  static final String NETWORK = "eip155:8453";
  static final String ASSET = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
  static final String PAY_TO = "0x209693Bc6afc0C5328bA36FaF03C514EF312287C";
  static final StoredAnswer ANSWER =
      new StoredAnswer(
          200,
          Map.of("Content-Type", "application/json"),
          "{\"a\":1}".getBytes(StandardCharsets.UTF_8));

  /** A fresh payment of 10,000 atomic units of sandbox money by a payer never seen. */
  static Sample fresh() {
    return fresh(random(20));
  }

  static Sample fresh(String payer) {
    return new Sample(
        new PaymentKey(NETWORK, payer, random(32)),
        new RequestBinding("GET", "/crypto/exchange/price", "pair=BTC-USDT", "00".repeat(32)),
        "11".repeat(32),
        10_000,
        ASSET,
        Instant.parse("2030-01-01T00:00:00Z"),
        OptionalLong.empty(),
        Redelivery.STORED);
  }

  ClaimRequest request() {
    return new ClaimRequest(
        key, binding, envelopeHash, amount, asset, PAY_TO, validBefore, spendable, redelivery);
  }

  String payer() {
    return key.payer();
  }

  Sample withKey(PaymentKey other) {
    return new Sample(
        other, binding, envelopeHash, amount, asset, validBefore, spendable, redelivery);
  }

  Sample withBinding(RequestBinding other) {
    return new Sample(key, other, envelopeHash, amount, asset, validBefore, spendable, redelivery);
  }

  Sample withEnvelope(String hash) {
    return new Sample(key, binding, hash, amount, asset, validBefore, spendable, redelivery);
  }

  Sample withAmount(long other) {
    return new Sample(key, binding, envelopeHash, other, asset, validBefore, spendable, redelivery);
  }

  Sample withAsset(String other) {
    return new Sample(
        key, binding, envelopeHash, amount, other, validBefore, spendable, redelivery);
  }

  Sample validUntil(Instant end) {
    return new Sample(key, binding, envelopeHash, amount, asset, end, spendable, redelivery);
  }

  /** Money on a chain: the facilitator saw so much of it. */
  Sample spendable(long atomicUnits) {
    return new Sample(
        key,
        binding,
        envelopeHash,
        amount,
        asset,
        validBefore,
        OptionalLong.of(atomicUnits),
        redelivery);
  }

  Sample rereadable() {
    return new Sample(
        key, binding, envelopeHash, amount, asset, validBefore, spendable, Redelivery.REREAD);
  }

  Sample resumable() {
    return new Sample(
        key, binding, envelopeHash, amount, asset, validBefore, spendable, Redelivery.RESUMED);
  }

  PaymentUse use(Claim claim) {
    return new PaymentUse(claim.id(), binding.hash());
  }

  static String random(int bytes) {
    byte[] random = new byte[bytes];
    ThreadLocalRandom.current().nextBytes(random);
    return "0x" + HexFormat.of().formatHex(random);
  }
}
