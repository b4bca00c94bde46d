package dev.octroi.reference.bench;

import dev.octroi.payments.x402.Challenges.Challenge;
import dev.octroi.payments.x402.OfferedPrice;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What an unpaid call costs: the challenge's header and body. */
@State(Scope.Benchmark)
public class ChallengeBench {

  private final SamplePayment sample = new SamplePayment();

  @Benchmark
  public Challenge challenge() {
    return sample.challenges.first(OfferedPrice.of(SamplePayment.PRICE), SamplePayment.RESOURCE);
  }
}
