package dev.octroi.reference.bench;

import dev.octroi.payments.Usd;
import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.EvmToken;
import dev.octroi.payments.x402.Challenges;
import dev.octroi.payments.x402.OfferedPrice;
import dev.octroi.payments.x402.Offers;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequired;
import dev.octroi.payments.x402.PaymentRequirements;
import dev.octroi.payments.x402.ResourceInfo;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;

/** A signed payment of a cent and the offer it was made for, at a time that stands still. */
final class SamplePayment {

  static final Usd PRICE = Usd.parse("0.01");
  static final Clock CLOCK = Clock.fixed(Instant.ofEpochSecond(1_800_000_000), ZoneOffset.UTC);

  static final ResourceInfo RESOURCE =
      new ResourceInfo(
          "http://127.0.0.1:8402/v1/exchange/price?pair=BTC-USDT",
          "The price of a pair on an exchange",
          "application/json",
          "Octroi",
          null,
          null);

  final Offers offers =
      new Offers(
          List.of(
              EvmToken.BASE_USDC.payableTo(
                  EvmAddress.parse("0x209693Bc6afc0C5328bA36FaF03C514EF312287C"), 300)));

  final Challenges challenges = new Challenges(offers);
  final PaymentRequirements terms = offers.accepts(PRICE).get(0);
  final String header;
  final PaymentPayload payment;

  SamplePayment() {
    PaymentRequired challenge =
        PaymentRequired.read(challenges.first(OfferedPrice.of(PRICE), RESOURCE).header());
    header = new PaymentSigner(Wallet.generate(), CLOCK).sign(challenge, terms);
    payment = PaymentPayload.read(header);
  }
}
