package dev.octroi.services.phone;

import static dev.octroi.services.read.UpstreamJson.at;
import static dev.octroi.services.read.UpstreamJson.record;
import static dev.octroi.services.read.UpstreamJson.taken;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The records of lookups (specification, phone records; decisions, fraud score) from the vendor's
 * answer, in which each package may have failed by itself and then carries an {@code error_code}:
 * such a package is null here.
 */
final class LookupRecords {

  static final String LINE = "line_type_intelligence";
  static final String NAME = "caller_name";
  static final String SWAP = "sim_swap";
  static final String FORWARDING = "call_forwarding";
  static final String RISK = "sms_pumping_risk";

  private static final List<String> NUMBER =
      List.of("phone_number", "calling_country_code", "country_code", "national_format");

  private static final String SCORE = "sms_pumping_risk_score";
  private static final int HIGHEST_SCORE = 100;
  private static final String SWAPPED = "/last_sim_swap/swapped_in_period";

  /** A package that the account may not use, or not in its region of the vendor. */
  private static final Set<Integer> OPERATORS = Set.of(60606, 60614, 60619);

  private LookupRecords() {}

  /** A package that was delivered; null for one that failed, is empty or was not asked for. */
  static JsonNode delivered(JsonNode said, String name) {
    JsonNode bought = said.path(name);
    boolean empty =
        switch (name) {
          case LINE -> !bought.hasNonNull("type") && !bought.hasNonNull("carrier_name");
          case SWAP -> !bought.at(SWAPPED).isBoolean();
          case FORWARDING -> !bought.path("call_forwarding_enabled").isBoolean();
          case RISK -> risk(bought.path(SCORE)).isNull();
          default -> !bought.isObject();
        };
    return empty || bought.hasNonNull("error_code") ? NullNode.getInstance() : bought;
  }

  /** The packages that failed for what only the operator can mend, each with the vendor's code. */
  static List<String> operators(JsonNode said) {
    return Stream.of(LINE, NAME, SWAP, FORWARDING, RISK)
        .filter(name -> OPERATORS.contains(said.path(name).path("error_code").asInt()))
        .map(name -> name + " " + said.path(name).path("error_code").asInt())
        .toList();
  }

  static ObjectNode carrier(JsonNode said) {
    ObjectNode stated = taken(said, NUMBER);
    stated.set(
        LINE,
        of(
            delivered(said, LINE),
            "carrier_name",
            "type",
            "mobile_country_code",
            "mobile_network_code"));
    stated.set(NAME, of(delivered(said, NAME), "caller_name", "caller_type"));
    stated.set(SWAP, swap(delivered(said, SWAP)));
    return stated;
  }

  static ObjectNode fraud(JsonNode said) {
    ObjectNode stated = carrier(said);
    stated.set(FORWARDING, of(delivered(said, FORWARDING), "call_forwarding_enabled"));
    stated.set("risk", risk(delivered(said, RISK).path(SCORE)));
    return stated;
  }

  /** The vendor nests the last swap's time and period, the specification does not. */
  private static JsonNode swap(JsonNode said) {
    if (said.isNull()) {
      return said;
    }
    JsonNode last = said.path("last_sim_swap");
    ObjectNode flat = record();
    flat.set("last_sim_swap", at(last, "last_sim_swap_date"));
    return flat.put("swapped_in_period", last.path("swapped_in_period").asBoolean(false));
  }

  private static JsonNode risk(JsonNode score) {
    if (!score.isInt() || score.intValue() < 0 || score.intValue() > HIGHEST_SCORE) {
      return NullNode.getInstance();
    }
    return record()
        .put("score", score.intValue())
        .put("level", RiskLevel.of(score.intValue()).word());
  }

  private static JsonNode of(JsonNode said, String... members) {
    return said.isNull() ? said : taken(said, List.of(members));
  }

  /** Bands of the risk score (specification, fraud lookup). */
  enum RiskLevel {
    LOW(25),
    MEDIUM(50),
    HIGH(75),
    CRITICAL(100);

    private final int most;

    RiskLevel(int most) {
      this.most = most;
    }

    /**
     * The band of a score.
     *
     * @param score 0 to 100
     */
    static RiskLevel of(int score) {
      return Arrays.stream(values()).filter(level -> score <= level.most).findFirst().orElseThrow();
    }

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
