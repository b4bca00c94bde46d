package dev.octroi.api.observe;

import dev.octroi.api.house.HouseJson;
import dev.octroi.api.settings.GatewaySettings.AccessLogForm;
import dev.octroi.payments.Usd;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A line for every call, under the name {@code dev.octroi.access}: what was called, how it ended,
 * who paid what by which transaction. Payers stand there whole, as in the ledger, because a line
 * that the operator cannot match with a payment is of no use; client addresses, queries, bodies,
 * payment headers and keys never do.
 */
public final class AccessLog implements CallWatcher {

  private static final Logger LOG = LoggerFactory.getLogger("dev.octroi.access");
  private static final String NOTHING = "-";

  private final AccessLogForm form;

  public AccessLog(AccessLogForm form) {
    this.form = form;
  }

  @Override
  public void ended(ObservedCall call) {
    if (LOG.isInfoEnabled()) {
      String line = form == AccessLogForm.JSON ? json(call) : text(call);
      LOG.info("{}", line);
    }
  }

  private static String text(ObservedCall call) {
    return new StringJoiner(" ")
        .add(call.at().toString())
        .add(call.requestId())
        .add(call.endpoint().method())
        .add(call.endpoint().path())
        .add(Integer.toString(call.status()))
        .add(millis(call) + "ms")
        .add(call.payer().orElse(NOTHING))
        .add(call.charge().map(Usd::dollars).orElse(NOTHING))
        .add(call.paymentState())
        .add(call.payment().orElse(NOTHING))
        .add(call.transaction().orElse(NOTHING))
        .toString();
  }

  private static String json(ObservedCall call) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("at", call.at());
    line.put("request", call.requestId());
    call.trace().ifPresent(trace -> line.put("trace", trace));
    line.put("group", call.endpoint().group());
    line.put("method", call.endpoint().method());
    line.put("endpoint", call.endpoint().path());
    line.put("status", call.status());
    line.put("millis", millis(call));
    call.payer().ifPresent(payer -> line.put("payer", payer));
    call.charge().ifPresent(charge -> line.put("price", charge));
    line.put("state", call.paymentState());
    call.payment().ifPresent(payment -> line.put("payment", payment));
    call.transaction().ifPresent(transaction -> line.put("transaction", transaction));
    return new String(HouseJson.of(line), StandardCharsets.UTF_8);
  }

  private static long millis(ObservedCall call) {
    return TimeUnit.NANOSECONDS.toMillis(call.nanos());
  }
}
