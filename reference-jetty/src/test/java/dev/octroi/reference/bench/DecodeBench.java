package dev.octroi.reference.bench;

import dev.octroi.payments.x402.OfferedPrice;
import dev.octroi.payments.x402.Offers.OfferMatch;
import dev.octroi.payments.x402.PaymentPayload;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What it costs to read a payment header and to find the offer it was made for. */
@State(Scope.Benchmark)
public class DecodeBench {

  private final SamplePayment sample = new SamplePayment();

  @Benchmark
  public PaymentPayload decode() {
    return PaymentPayload.read(sample.header);
  }

  @Benchmark
  public OfferMatch match() {
    return sample.offers.match(sample.payment, OfferedPrice.of(SamplePayment.PRICE));
  }
}
