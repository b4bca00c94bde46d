package dev.octroi.payments.jaxrs;

import dev.octroi.payments.Admission;
import dev.octroi.payments.CallRefused;
import dev.octroi.payments.Exchange;
import dev.octroi.payments.HttpAnswer;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts places and refuses whom a request header says, as a host's limits would. */
final class TestAdmission implements Admission {

  /** On a request: {@code unpaid}, {@code paid} or {@code all} are refused. */
  static final String REFUSE = "X-Test-Refuse";

  final AtomicInteger places = new AtomicInteger();
  final AtomicInteger unpaid = new AtomicInteger();
  final AtomicInteger broken = new AtomicInteger();

  @Override
  public void unpaid(Exchange request) {
    unpaid.incrementAndGet();
    refuse(request, "unpaid");
  }

  @Override
  public boolean refusesUnpaid(Exchange request) {
    return isRefused(request, "unpaid");
  }

  @Override
  public Permit paid(Exchange request, Caller caller) {
    refuse(request, "paid");
    places.incrementAndGet();
    return places::decrementAndGet;
  }

  @Override
  public Permit free(Exchange request) {
    places.incrementAndGet();
    return places::decrementAndGet;
  }

  @Override
  public void broken(Exchange request) {
    broken.incrementAndGet();
  }

  private static void refuse(Exchange request, String what) {
    if (isRefused(request, what)) {
      throw new CallRefused(HttpAnswer.error(429, "slow down").with("Retry-After", "60"));
    }
  }

  private static boolean isRefused(Exchange request, String what) {
    String refused = request.header(REFUSE);
    return what.equals(refused) || "all".equals(refused);
  }
}
