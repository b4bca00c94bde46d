package dev.octroi.services.prediction;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.services.Answer;
import dev.octroi.services.Deadline;
import dev.octroi.services.Failure;
import dev.octroi.services.read.UpstreamJson;
import dev.octroi.services.read.UpstreamTarget;
import dev.octroi.services.upstream.Failures;
import dev.octroi.services.upstream.UpstreamAnswer;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.UpstreamRequest;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What the prediction group offers besides its rows. Thread-safe. */
public final class PredictionMethods {

  private static final int MAX_ADDRESSES = 100;
  private static final String IDENTITIES = "/venue-a/wallet/identities";

  private final UpstreamClient client;

  public PredictionMethods(UpstreamClient client) {
    this.client = client;
  }

  /**
   * The identities of several wallets, as the upstream knows them; its bytes pass unchanged.
   *
   * @param body {@code { addresses }}: 1 to 100 addresses of 0x and 40 hexadecimal digits. Other
   *     members are not sent on.
   * @throws Failure 400 {@code invalid_params} or {@code invalid_address}, 404 {@code not_found}
   *     where no wallet has an identity, and for an upstream that gives no answer
   */
  public Answer identities(byte[] body, Deadline deadline) {
    JsonNode request = request(body);
    String target = client.settings().words().in(IDENTITIES);
    UpstreamAnswer upstream =
        client.send(UpstreamRequest.query(target, UpstreamJson.bytes(request)), deadline);
    if (!upstream.successful()) {
      return VendorErrors.answer(PredictionRead.VENUE_A_WALLET_IDENTITY, upstream);
    }
    UpstreamJson.requireNoError(client, upstream);
    Failures.require(upstream.status() == 200, "its status is not 200");
    JsonNode said = UpstreamJson.object(upstream.body());
    VendorContract.check(UpstreamTarget.at(IDENTITIES, Map.of()), said);
    JsonNode profiles = said.path("profiles");
    Set<String> addresses =
        request
            .path("addresses")
            .valueStream()
            .map(address -> address.textValue().toLowerCase(Locale.ROOT))
            .collect(Collectors.toSet());
    boolean asked =
        profiles
            .propertyStream()
            .filter(profile -> UpstreamJson.isTold(profile.getValue()))
            .allMatch(profile -> addresses.contains(profile.getKey().toLowerCase(Locale.ROOT)));
    Failures.require(
        profiles.isContainerNode() && asked, "profiles is missing, or of other wallets");
    if (profiles.valueStream().noneMatch(UpstreamJson::isTold)) {
      throw VendorErrors.notFound();
    }
    return Answer.json(200, upstream.body());
  }

  private static JsonNode request(byte[] body) {
    JsonNode addresses = UpstreamJson.tree(body).path("addresses");
    if (!addresses.isArray()) {
      throw Failure.invalid("The body is a JSON object with addresses, a list");
    }
    if (addresses.isEmpty() || addresses.size() > MAX_ADDRESSES) {
      throw Failure.invalid("addresses has 1 to " + MAX_ADDRESSES + " elements");
    }
    for (JsonNode address : addresses) {
      if (!address.isTextual()) {
        throw Failure.invalid("addresses holds strings");
      }
      PredictionRules.checkAddress(address.textValue());
    }
    var request = UpstreamJson.record();
    request.set("addresses", addresses);
    return request;
  }
}
