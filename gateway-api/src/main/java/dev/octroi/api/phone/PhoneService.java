package dev.octroi.api.phone;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.api.group.GroupContext.CallDeadlines;
import dev.octroi.api.group.Outcomes;
import dev.octroi.api.house.Mounted;
import dev.octroi.api.phone.NumberPurchase.NumberOrder;
import dev.octroi.api.phone.PhoneResource.BuyBody;
import dev.octroi.api.phone.PhoneResource.NumberBody;
import dev.octroi.api.phone.PhoneResource.TextBody;
import dev.octroi.api.phone.PhoneResource.TextTariff;
import dev.octroi.api.validation.BodyReader;
import dev.octroi.payments.Payment;
import dev.octroi.payments.chain.ChainFamily;
import dev.octroi.payments.effect.EffectRunner;
import dev.octroi.payments.effect.EffectRunner.EffectResult;
import dev.octroi.services.Answer;
import dev.octroi.services.Deadline;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.phone.Lookups;
import dev.octroi.services.phone.PhoneNumber;
import dev.octroi.services.phone.TextMessages.TextMessage;
import dev.octroi.services.read.UpstreamJson;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.Providers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
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
    TextTariff textTariff,
    PhoneRecords records,
    BodyReader bodies,
    Duration limit,
    CallDeadlines deadlines) {

  static PhoneService of(Providers providers) {
    return Mounted.of(providers, PhoneService.class);
  }

  Response buy(byte[] body, Payment payment) {
    BuyBody asked = bodies.exact(body, BuyBody.class);
    NumberOrder order =
        new NumberOrder(asked.from(), asked.area(), payment.network(), payment.owner());
    Lease lease = leases.buy(order, payment, deadline(payment));
    return json(records.lease(lease, lease.expiresAt(), "The number is yours for 30 days."));
  }

  Response list(String owner) {
    return json(records.list(leases.held(owner), deadlines.clock().instant()));
  }

  Response renew(byte[] body, Payment payment) {
    Lease lease = leases.owned(bodies.exact(body, NumberBody.class).number(), payment);
    return json(
        records.lease(
            lease, leases.renew(lease, payment), "The number is yours for 30 days more."));
  }

  Response release(byte[] body, Payment payment) {
    PhoneNumber number = bodies.exact(body, NumberBody.class).number();
    leases.release(leases.owned(number, payment), payment);
    return json(PhoneRecords.released(number));
  }

  Response lookUp(byte[] body, Payment payment, LookUp method) {
    PhoneNumber number = bodies.exact(body, NumberBody.class).number();
    Lookups vendor =
        lookups.orElseThrow(
            () -> new Failure(ErrorCode.UPSTREAM_UNAVAILABLE, "There is no lookup vendor."));
    return json(method.of(vendor, number, deadline(payment)).body());
  }

  Response send(byte[] body, Payment payment) {
    EffectRunner runner =
        texts.orElseThrow(
            () -> new Failure(ErrorCode.SMS_UNAVAILABLE, "This gateway sends no texts."));
    TextMessage message = bodies.exact(body, TextBody.class).message();
    leases.owned(message.from(), payment);
    if (!payment.isSettled()) {
      textTariff.requireCovered(message);
    }
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

  /**
   * The records of leases (specification, phone records; decisions, phone bodies).
   *
   * @param evm what the EVM chain is called
   * @param solana what Solana is called
   */
  record PhoneRecords(String evm, String solana) {

    private static final String PHONE_NUMBER = "phone_number";

    byte[] lease(Lease lease, Instant expires, String message) {
      ObjectNode stated =
          UpstreamJson.record()
              .put(PHONE_NUMBER, lease.deed().leased().number().e164())
              .put("expires_at", expires.toString())
              .put("chain", chain(lease))
              .put("message", message);
      return UpstreamJson.bytes(stated);
    }

    byte[] list(List<Lease> leases, Instant now) {
      ObjectNode stated = UpstreamJson.record();
      ArrayNode numbers = stated.putArray("numbers");
      for (Lease lease : leases) {
        numbers
            .addObject()
            .put(PHONE_NUMBER, lease.deed().leased().number().e164())
            .put("country", lease.deed().country().name())
            .put("chain", chain(lease))
            .put("expires_at", lease.expiresAt().toString())
            .put("active", lease.isActive(now));
      }
      return UpstreamJson.bytes(stated.put("count", leases.size()));
    }

    static byte[] released(PhoneNumber number) {
      return UpstreamJson.bytes(
          UpstreamJson.record().put("released", true).put(PHONE_NUMBER, number.e164()));
    }

    static byte[] sent(String id, String status) {
      return UpstreamJson.bytes(UpstreamJson.record().put("message_id", id).put("status", status));
    }

    private String chain(Lease lease) {
      return switch (ChainFamily.of(lease.deed().network())) {
        case EVM -> evm;
        case SOLANA -> solana;
      };
    }
  }
}
