package dev.octroi.services.phone;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.services.Answer;
import dev.octroi.services.Deadline;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.read.UpstreamJson;
import dev.octroi.services.upstream.Failures;
import dev.octroi.services.upstream.UpstreamAnswer;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.UpstreamRequest;
import java.util.List;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lookups by the lookup vendor, who bills each package of an answer by itself. A lookup of which
 * nothing was delivered that it is sold for fails, although the vendor answers 200. Thread-safe.
 */
public final class VendorLookups implements Lookups {

  /**
   * What is bought of the vendor.
   *
   * @param packages all that is asked for
   * @param soldFor those of which one at least must be delivered
   */
  private record Order(List<String> packages, List<String> soldFor) {}

  private static final Order CARRIER =
      new Order(List.of(LookupRecords.LINE, LookupRecords.NAME), List.of(LookupRecords.LINE));
  private static final Order FRAUD =
      new Order(
          List.of(
              LookupRecords.LINE,
              LookupRecords.NAME,
              LookupRecords.SWAP,
              LookupRecords.FORWARDING,
              LookupRecords.RISK),
          List.of(LookupRecords.SWAP, LookupRecords.FORWARDING, LookupRecords.RISK));

  /** The vendor's codes from here on are about what is bought, not about the number. */
  private static final int FIRST_OF_PACKAGES = 60_600;

  private static final Logger LOG = LoggerFactory.getLogger(VendorLookups.class);

  private final UpstreamClient client;
  private final boolean statedRecords;

  /**
   * @param statedRecords whether the records that the specification states are made; otherwise
   *     every body passes as it is
   */
  public VendorLookups(UpstreamClient client, boolean statedRecords) {
    this.client = client;
    this.statedRecords = statedRecords;
  }

  @Override
  public Answer carrier(PhoneNumber number, Deadline deadline) {
    return answer(ask(number, CARRIER, deadline), LookupRecords::carrier);
  }

  @Override
  public Answer fraud(PhoneNumber number, Deadline deadline) {
    return answer(ask(number, FRAUD, deadline), LookupRecords::fraud);
  }

  private UpstreamAnswer ask(PhoneNumber number, Order order, Deadline deadline) {
    String target =
        "/PhoneNumbers/%2B"
            + number.e164().substring(1)
            + "?Fields="
            + String.join("%2C", order.packages());
    UpstreamAnswer answer = client.send(UpstreamRequest.get(target), deadline);
    if (!answer.successful()) {
      throw refused(answer);
    }
    JsonNode said = UpstreamJson.object(answer.body());
    if (!LookupRecords.operators(said).isEmpty()) {
      LOG.warn("Upstream lookup delivers not all: {}", LookupRecords.operators(said));
    }
    if (!said.path("valid").asBoolean(true)) {
      throw invalid();
    }
    Failures.require(
        !number.isOtherThan(said.path("phone_number")), "phone_number is not what was asked for");
    if (order.soldFor().stream().allMatch(name -> LookupRecords.delivered(said, name).isNull())) {
      throw new Failure(
          ErrorCode.UPSTREAM_FAILED, "The upstream knows nothing of this number at the moment");
    }
    return answer;
  }

  private Failure refused(UpstreamAnswer answer) {
    int code = VendorAccount.code(answer);
    if (VendorAccount.saysGone(answer) || (answer.status() == 400 && code < FIRST_OF_PACKAGES)) {
      return invalid();
    }
    client.warn(answer);
    return Failures.of(answer);
  }

  private Answer answer(UpstreamAnswer said, Function<JsonNode, JsonNode> record) {
    return Answer.json(
        200,
        statedRecords
            ? UpstreamJson.bytes(record.apply(UpstreamJson.object(said.body())))
            : said.body());
  }

  private static Failure invalid() {
    return new Failure(
        ErrorCode.INVALID_PHONE_NUMBER,
        "phoneNumber is not a number that the numbering plan gives out");
  }
}
