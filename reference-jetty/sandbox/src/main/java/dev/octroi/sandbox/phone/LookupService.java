package dev.octroi.sandbox.phone;

import dev.octroi.sandbox.vendor.SandboxAnswer;
import dev.octroi.sandbox.vendor.Seeded;
import dev.octroi.services.phone.PhoneNumber;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What is known about every number of the world: invented from the number, the same each time. */
final class LookupService {

  private static final List<String> CARRIERS =
      List.of("Harbour Mobile", "Northern Wire", "Two Rivers Telephone", "Meridian Voice");
  private static final List<String> TYPES =
      List.of("mobile", "landline", "fixedVoip", "nonFixedVoip", "tollFree");
  private static final int FAILED = 60600;
  private static final int CALMEST = 40;

  private LookupService() {}

  /** Fields that are not asked for are null, as with the vendor. */
  static SandboxAnswer lookUp(String text, Form asked) {
    Optional<PhoneNumber> number = PhoneNumber.parse(text);
    MagicNumber magic = MagicNumber.of(text);
    if (magic == MagicNumber.FAILING) {
      return Errors.of(500, 20500, "An internal server error has occurred");
    }
    Map<String, @Nullable Object> answer = new LinkedHashMap<>();
    boolean valid = number.isPresent() && magic != MagicNumber.INVALID;
    answer.put("phone_number", text);
    answer.put("calling_country_code", valid ? number.get().callingCode() : null);
    answer.put("country_code", valid ? number.get().region() : null);
    answer.put("national_format", valid ? number.get().national() : null);
    answer.put("valid", valid);
    answer.put("validation_errors", valid ? null : List.of("INVALID_BUT_POSSIBLE"));
    Set<String> fields = Arrays.stream(asked.get("Fields").split(",")).collect(Collectors.toSet());
    for (Field field : Field.values()) {
      boolean wanted = valid && fields.contains(field.word());
      answer.put(field.word(), wanted ? field(field, text, magic) : null);
    }
    return SandboxAnswer.ok(answer);
  }

  private static Map<String, @Nullable Object> field(
      Field field, String number, MagicNumber magic) {
    boolean failed =
        magic == MagicNumber.NOTHING_KNOWN
            || (magic == MagicNumber.CARRIER_ONLY && field.isAboutFraud());
    Map<String, @Nullable Object> said = new LinkedHashMap<>();
    if (!failed) {
      said.putAll(said(field, Seeded.of(field, number), magic == MagicNumber.RISKY));
    }
    said.put("error_code", failed ? FAILED : null);
    return said;
  }

  private static Map<String, @Nullable Object> said(Field field, Seeded seeded, boolean risky) {
    Map<String, @Nullable Object> said = new LinkedHashMap<>();
    switch (field) {
      case LINE_TYPE_INTELLIGENCE -> {
        said.put("carrier_name", seeded.pick(CARRIERS));
        said.put("type", risky ? "nonFixedVoip" : seeded.pick(TYPES));
        said.put("mobile_country_code", seeded.digits(3));
        said.put("mobile_network_code", seeded.digits(2));
      }
      case CALLER_NAME -> {
        said.put("caller_name", "SANDBOX " + seeded.digits(4));
        said.put("caller_type", seeded.chance(0.5) ? "CONSUMER" : "BUSINESS");
      }
      case SIM_SWAP -> said.put("last_sim_swap", swap(seeded, risky));
      case CALL_FORWARDING -> said.put("call_forwarding_enabled", risky || seeded.chance(0.1));
      case SMS_PUMPING_RISK -> {
        said.put("sms_pumping_risk_score", risky ? 97 : seeded.whole(0, CALMEST));
        said.put("carrier_risk_category", risky ? "high" : "low");
      }
    }
    return said;
  }

  private static Map<String, @Nullable Object> swap(Seeded seeded, boolean risky) {
    Map<String, @Nullable Object> swap = new LinkedHashMap<>();
    swap.put(
        "last_sim_swap_date",
        "202" + seeded.whole(0, 5) + "-1" + seeded.whole(0, 2) + "-05T20:52:09Z");
    swap.put("swapped_period", "PT24H");
    swap.put("swapped_in_period", risky);
    return swap;
  }
}
