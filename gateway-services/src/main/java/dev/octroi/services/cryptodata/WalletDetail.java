package dev.octroi.services.cryptodata;

import static dev.octroi.services.read.UpstreamJson.object;
import static dev.octroi.services.read.UpstreamJson.record;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.read.Arguments;
import dev.octroi.services.read.Parameter.Kind;
import dev.octroi.services.read.UpstreamJson;
import dev.octroi.services.upstream.Failures;
import dev.octroi.services.upstream.UpstreamAnswer;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The wallet-detail record (specification, crypto-data records). What the vendor says it could not
 * fetch is null; where that is all of it, there is no record.
 *
 * <p>The vendor has no risk score. If an answer brings one it is taken; else it is, from 0 to 100,
 * the highest confidence among the labels that name a risk, 0 for an address whose labels name
 * none, and null for one about which nothing is known: no number would be true of it.
 */
final class WalletDetail {

  private static final Pattern RISK =
      Pattern.compile(
          "scam|hack|exploit|phish|sanction|mixer|tumbler|ransom|stolen|fraud|drainer|darknet");

  private static final Pattern BASE58 = Pattern.compile(Kind.BASE58_ADDRESS.form());

  private static final String CHAINS = "active_chains";
  private static final String BALANCE = "evm_balance";

  /** What the vendor may fail to fetch, without which no sum is whole. */
  private static final Set<String> WORTH = Set.of(CHAINS, BALANCE, "sol_balance", "sol_tokens");

  /** What a record is sold for, besides the chains of a wallet whose address does not tell. */
  private static final Set<String> FETCHED = Set.of("labels", "net_worth_usd", "risk_score");

  private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

  private WalletDetail() {}

  static byte[] of(Arguments arguments, UpstreamAnswer answer) {
    JsonNode said = object(answer.body()).path("data");
    Set<String> failed = StatedRecords.texts(said.path("errors"), "field");
    String address = arguments.value("address").orElse("");
    boolean base58 = BASE58.matcher(address).matches();
    JsonNode labelled = said.path("labels");
    ObjectNode detail = record();
    detail.put("address", address);
    put(detail, "labels", failed, labelled.path("labels"), "label");
    detail.set("net_worth_usd", netWorth(said, failed));
    if (base58) {
      detail.putArray("chains").add("solana");
    } else {
      put(detail, "chains", failed, said.path(CHAINS), "chain");
    }
    detail.put("risk_score", failed.contains("labels") ? null : riskScore(said, labelled));
    boolean chains = !base58 && detail.hasNonNull("chains");
    Failures.require(
        chains || FETCHED.stream().anyMatch(detail::hasNonNull), "it says nothing of the wallet");
    return UpstreamJson.bytes(detail);
  }

  /** The texts of a list; null where the vendor could not fetch it. */
  private static void put(
      ObjectNode detail, String name, Set<String> failed, JsonNode list, String member) {
    if (failed.contains(name.equals("chains") ? CHAINS : name)) {
      detail.putNull(name);
    } else {
      StatedRecords.texts(list, member).forEach(detail.putArray(name)::add);
    }
  }

  /**
   * The total as the vendor spells it, else the sum over the chains. Null where the vendor has
   * neither, or could not fetch what the sum is of: a wallet is worth nothing only if the vendor
   * says so.
   */
  private static JsonNode netWorth(JsonNode said, Set<String> failed) {
    JsonNode total = said.path(BALANCE).path("total_usd");
    if (total.isNumber() && !failed.contains(BALANCE)) {
      return total;
    }
    boolean whole =
        said.path(CHAINS).valueStream().allMatch(one -> one.path("usd_value").isNumber());
    if (said.path(CHAINS).isEmpty() || !whole || WORTH.stream().anyMatch(failed::contains)) {
      return NullNode.getInstance();
    }
    BigDecimal sum = BigDecimal.ZERO;
    for (JsonNode chain : said.path(CHAINS)) {
      sum = sum.add(chain.path("usd_value").decimalValue());
    }
    return UpstreamJson.number(sum);
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
