package dev.octroi.payments.ledger;

import dev.octroi.payments.Redelivery;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;

/** Requests for claims, as the gate makes them. */
record Sample(ClaimRequest request) {

  static final String NETWORK = "eip155:8453";
  static final String ASSET = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
  static final StoredAnswer ANSWER =
      new StoredAnswer(200, Map.of("Content-Type", "application/json"), "{\"a\":1}".getBytes());

  /** A fresh payment of 10,000 atomic units of sandbox money by a payer never seen. */
  static Sample fresh() {
    return fresh(random(20));
  }

  static Sample fresh(String payer) {
    return new Sample(
        new ClaimRequest(
            new PaymentKey(NETWORK, payer, random(32)),
            new RequestBinding("GET", "/crypto/exchange/price", "pair=BTC-USDT", "00".repeat(32)),
            "11".repeat(32),
            10_000,
            ASSET,
            "0x209693Bc6afc0C5328bA36FaF03C514EF312287C",
            Instant.parse("2030-01-01T00:00:00Z"),
            OptionalLong.empty(),
            Redelivery.STORED));
  }

  Sample withBinding(RequestBinding binding) {
    return with(binding, request.envelopeHash(), request.amount(), request.redelivery());
  }

  Sample withEnvelope(String hash) {
    return with(request.binding(), hash, request.amount(), request.redelivery());
  }

  Sample withAmount(long amount) {
    return with(request.binding(), request.envelopeHash(), amount, request.redelivery());
  }

  Sample rereadable() {
    return with(request.binding(), request.envelopeHash(), request.amount(), Redelivery.REREAD);
  }

  Sample spendable(long atomicUnits) {
    return new Sample(
        new ClaimRequest(
            request.key(),
            request.binding(),
            request.envelopeHash(),
            request.amount(),
            request.asset(),
            request.payTo(),
            request.validBefore(),
            OptionalLong.of(atomicUnits),
            request.redelivery()));
  }

  String payer() {
    return request.key().payer();
  }

  static String random(int bytes) {
    byte[] random = new byte[bytes];
    ThreadLocalRandom.current().nextBytes(random);
    return "0x" + HexFormat.of().formatHex(random);
  }

  private Sample with(
      RequestBinding binding, String envelopeHash, long amount, Redelivery redelivery) {
    return new Sample(
        new ClaimRequest(
            request.key(),
            binding,
            envelopeHash,
            amount,
            request.asset(),
            request.payTo(),
            request.validBefore(),
            request.spendable(),
            redelivery));
  }
}
