package dev.octroi.services.cryptodata;

import static dev.octroi.services.read.UpstreamJson.object;
import static dev.octroi.services.read.UpstreamJson.record;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.read.Arguments;
import dev.octroi.services.read.UpstreamJson;
import dev.octroi.services.upstream.UpstreamAnswer;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The wallet-detail record (specification, crypto-data records).
 *
 * <p>The vendor has no risk score. If an answer brings one it is taken; else it is, from 0 to 100,
 * the highest confidence among the labels that name a risk, 0 for an address whose labels name
 * none, and null for one about which nothing is known: no number would be true of it.
 */
final class WalletDetail {

  private static final Pattern RISK =
      Pattern.compile(
          "scam|hack|exploit|phish|sanction|mixer|tumbler|ransom|stolen|fraud|drainer|darknet");

  private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

  private WalletDetail() {}

  static byte[] of(Arguments arguments, UpstreamAnswer answer) {
    JsonNode said = object(answer.body()).path("data");
    JsonNode labelled = said.path("labels");
    ObjectNode detail = record();
    detail.put("address", arguments.value("address").orElse(""));
    put(detail.putArray("labels"), StatedRecords.texts(labelled.path("labels"), "label"));
    detail.set("net_worth_usd", netWorth(said));
    put(detail.putArray("chains"), StatedRecords.texts(said.path("active_chains"), "chain"));
    detail.put("risk_score", riskScore(said, labelled));
    return UpstreamJson.bytes(detail);
  }

  private static void put(ArrayNode list, Set<String> texts) {
    texts.forEach(list::add);
  }

  /** The total as the vendor spells it, else the sum over the chains. */
  private static JsonNode netWorth(JsonNode said) {
    JsonNode total = said.path("evm_balance").path("total_usd");
    if (total.isNumber()) {
      return total;
    }
    BigDecimal sum = BigDecimal.ZERO;
    for (JsonNode chain : said.path("active_chains")) {
      sum = sum.add(chain.path("usd_value").decimalValue());
    }
    return record().put("sum", sum).path("sum");
  }

  private static @Nullable BigDecimal riskScore(JsonNode said, JsonNode labelled) {
    if (said.path("risk_score").isNumber()) {
      return said.path("risk_score").decimalValue();
    }
    boolean unknown = labelled.path("labels").isEmpty() && !labelled.hasNonNull("entity_type");
    if (unknown) {
      return null;
    }
    BigDecimal highest = namesRisk(labelled.path("entity_type")) ? HUNDRED : BigDecimal.ZERO;
    for (JsonNode label : labelled.path("labels")) {
      if (namesRisk(label.path("label"))) {
        BigDecimal confidence = label.path("confidence").decimalValue().multiply(HUNDRED);
        highest = highest.max(confidence.min(HUNDRED));
      }
    }
    return highest.stripTrailingZeros().setScale(Math.max(0, highest.stripTrailingZeros().scale()));
  }

  private static boolean namesRisk(JsonNode word) {
    return RISK.matcher(word.asText("").toLowerCase(Locale.ROOT)).find();
  }
}
