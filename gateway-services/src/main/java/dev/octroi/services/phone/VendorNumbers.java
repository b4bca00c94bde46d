package dev.octroi.services.phone;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.services.Deadline;
import dev.octroi.services.Failure;
import dev.octroi.services.phone.PhoneNumbers.Country;
import dev.octroi.services.phone.PhoneNumbers.LeasedNumber;
import dev.octroi.services.phone.PhoneNumbers.PurchaseOutcome;
import dev.octroi.services.read.UpstreamJson;
import dev.octroi.services.upstream.Failures;
import dev.octroi.services.upstream.UpstreamAnswer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Numbers of the number vendor. What becomes of a purchase whose answer was lost is found under the
 * name that the number was given with it. Thread-safe.
 */
public final class VendorNumbers implements PhoneNumbers {

  private static final String OURS = "/IncomingPhoneNumbers";
  private static final int MOST_LISTED = 20;
  private static final String PAGE = Integer.toString(MOST_LISTED);
  private static final int LONGEST_REFERENCE = 64;

  /**
   * Of a number that has been sold since it was listed (21422, 21452), or that is sold only to who
   * has shown an address or papers (21613, 21615, 21631, 21649).
   */
  private static final Set<Integer> NOT_TO_BE_HAD =
      Set.of(21422, 21452, 21613, 21615, 21631, 21649);

  private final VendorAccount account;
  private final boolean texts;

  /**
   * @param texts whether texts are sent from the numbers too
   */
  public VendorNumbers(VendorAccount account, boolean texts) {
    this.account = account;
    this.texts = texts;
  }

  @Override
  public void requireReachable() {
    account.client().requireReachable();
  }

  @Override
  public List<PhoneNumber> available(
      Country country, Optional<String> areaCode, Deadline deadline) {
    Map<String, String> query = new LinkedHashMap<>();
    query.put("PageSize", PAGE);
    query.put("VoiceEnabled", "true");
    query.put("ExcludeAllAddressRequired", "true");
    if (texts) {
      query.put("SmsEnabled", "true");
    }
    areaCode.ifPresent(code -> query.put("AreaCode", code));
    String path = "/AvailablePhoneNumbers/" + country + "/Local.json";
    UpstreamAnswer answer = account.list(path, query, deadline);
    if (VendorAccount.saysGone(answer)) {
      return List.of();
    }
    if (answer.status() == 400) {
      account.client().warn(answer);
      return List.of();
    }
    List<PhoneNumber> numbers = new ArrayList<>();
    for (JsonNode listed : list(answer, "available_phone_numbers")) {
      PhoneNumber.parse(listed.path("phone_number").asText(""))
          .filter(number -> country.has(number, areaCode))
          .ifPresent(numbers::add);
    }
    return List.copyOf(numbers);
  }

  @Override
  public PurchaseOutcome buy(PhoneNumber number, String name, Deadline deadline) {
    Map<String, String> form = new LinkedHashMap<>();
    form.put("PhoneNumber", number.e164());
    form.put("FriendlyName", name);
    try {
      return purchase(account.make(OURS + ".json", form, deadline));
    } catch (Failure unanswered) {
      return Failures.withoutEffect(unanswered)
          .<PurchaseOutcome>map(PurchaseOutcome.Refused::new)
          .orElseGet(PurchaseOutcome.Unknown::new);
    }
  }

  private PurchaseOutcome purchase(UpstreamAnswer answer) {
    if (answer.successful()) {
      return leased(UpstreamJson.tree(answer.body()))
          .<PurchaseOutcome>map(PurchaseOutcome.Bought::new)
          .orElseGet(PurchaseOutcome.Unknown::new);
    }
    if (!answer.refused()) {
      return new PurchaseOutcome.Unknown();
    }
    return NOT_TO_BE_HAD.contains(VendorAccount.code(answer))
        ? new PurchaseOutcome.Taken()
        : new PurchaseOutcome.Refused(account.refusal(answer));
  }

  @Override
  public List<LeasedNumber> named(String name, Deadline deadline) {
    Map<String, String> query = new LinkedHashMap<>();
    query.put("FriendlyName", name);
    query.put("PageSize", PAGE);
    UpstreamAnswer answer = account.list(OURS + ".json", query, deadline);
    List<LeasedNumber> found = new ArrayList<>();
    JsonNode page = list(answer, "incoming_phone_numbers");
    for (JsonNode listed : page) {
      // A vendor that did not look at the name would give us numbers of other payments.
      if (listed.path("friendly_name").asText("").equals(name)) {
        found.add(
            leased(listed).orElseThrow(() -> Failures.unreadable("a listed number has no sid")));
      }
    }
    if (found.isEmpty() && page.size() >= MOST_LISTED) {
      // It may stand on the pages behind.
      throw Failures.unreadable("the list of numbers does not end");
    }
    return List.copyOf(found);
  }

  @Override
  public void release(String reference, Deadline deadline) {
    UpstreamAnswer answer = account.remove(OURS + "/" + reference + ".json", deadline);
    if (!answer.successful() && !VendorAccount.saysGone(answer)) {
      account.client().warn(answer);
      throw Failures.of(answer);
    }
  }

  private static Optional<LeasedNumber> leased(JsonNode said) {
    String reference = said.path("sid").asText("");
    return reference.matches("[A-Za-z0-9]{1," + LONGEST_REFERENCE + "}")
        ? PhoneNumber.parse(said.path("phone_number").asText(""))
            .map(number -> new LeasedNumber(reference, number))
        : Optional.empty();
  }

  private static JsonNode list(UpstreamAnswer answer, String name) {
    if (!answer.successful()) {
      throw Failures.of(answer);
    }
    return UpstreamJson.list(UpstreamJson.object(answer.body()), name);
  }
}
