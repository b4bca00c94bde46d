package dev.octroi.api.phone;

import dev.octroi.api.group.CallDeadlines;
import dev.octroi.api.house.Mounted;
import dev.octroi.api.validation.BodyReader;
import dev.octroi.payments.Payment;
import dev.octroi.payments.effect.EffectResult;
import dev.octroi.payments.effect.EffectRunner;
import dev.octroi.services.Answer;
import dev.octroi.services.Deadline;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.phone.Lookups;
import dev.octroi.services.phone.PhoneNumber;
import dev.octroi.services.phone.TextMessage;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.Providers;
import java.time.Duration;
import java.util.Optional;

/**
 * Serves the phone group. Thread-safe.
 *
 * @param texts where texts are sent, if they are
 * @param limit how long the vendors may take in a call
 */
public record PhoneService(
    Optional<Lookups> lookups,
    LeaseService leases,
    Optional<EffectRunner> texts,
    PhoneRecords records,
    BodyReader bodies,
    Duration limit,
    CallDeadlines deadlines) {

  static PhoneService of(Providers providers) {
    return Mounted.of(providers, PhoneService.class);
  }

  Response buy(byte[] body, Payment payment) {
    BuyBody asked = bodies.read(body, BuyBody.class);
    NumberOrder order =
        new NumberOrder(asked.from(), asked.area(), payment.network(), payment.owner());
    Lease lease = leases.buy(order, payment, deadline(payment));
    return json(records.lease(lease, lease.expiresAt(), "The number is yours for 30 days."));
  }

  Response list(Payment payment) {
    return json(records.list(leases.held(payment.owner()), deadlines.clock().instant()));
  }

  Response renew(byte[] body, Payment payment) {
    Lease lease = leases.owned(bodies.read(body, NumberBody.class).number(), payment);
    return json(
        records.lease(
            lease, leases.renew(lease, payment), "The number is yours for 30 days more."));
  }

  Response release(byte[] body, Payment payment) {
    PhoneNumber number = bodies.read(body, NumberBody.class).number();
    leases.release(leases.owned(number, payment), payment);
    return json(PhoneRecords.released(number));
  }

  Response lookUp(byte[] body, Payment payment, LookUp method) {
    PhoneNumber number = bodies.read(body, NumberBody.class).number();
    Lookups vendor =
        lookups.orElseThrow(
            () -> new Failure(ErrorCode.UPSTREAM_UNAVAILABLE, "There is no lookup vendor."));
    return json(method.of(vendor, number, deadline(payment)).body());
  }

  Response send(byte[] body, Payment payment) {
    EffectRunner runner =
        texts.orElseThrow(
            () -> new Failure(ErrorCode.SMS_UNAVAILABLE, "This gateway sends no texts."));
    TextMessage message = bodies.read(body, TextBody.class).message();
    leases.owned(message.from(), payment);
    EffectResult.Done done =
        Outcomes.done(
            runner.perform(payment, TextSending.text(message)),
            ErrorCode.UPSTREAM_FAILED,
            "The text was not sent.");
    return json(PhoneRecords.sent(done.reference(), done.details()));
  }

  /** One of the lookups. */
  @FunctionalInterface
  interface LookUp {
    Answer of(Lookups vendor, PhoneNumber number, Deadline deadline);
  }

  private Deadline deadline(Payment payment) {
    return deadlines.of(Optional.of(payment), limit);
  }

  private static Response json(byte[] body) {
    return Response.ok(body, MediaType.APPLICATION_JSON_TYPE).build();
  }
}
