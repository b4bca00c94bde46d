package dev.octroi.services.phone;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.services.Deadline;
import dev.octroi.services.Failure;
import dev.octroi.services.phone.TextMessages.Sending;
import dev.octroi.services.phone.TextMessages.TextMessage;
import dev.octroi.services.read.UpstreamJson;
import dev.octroi.services.upstream.Failures;
import dev.octroi.services.upstream.UpstreamAnswer;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Text messages by the number vendor, who takes no name or key for them: what was sent is found by
 * its numbers, text and time. Thread-safe.
 */
public final class VendorMessages implements TextMessages {

  private static final String PATH = "/Messages.json";
  private static final String PAGE = "100";

  private final VendorAccount account;

  public VendorMessages(VendorAccount account) {
    this.account = account;
  }

  @Override
  public Sending send(TextMessage message, Deadline deadline) {
    Map<String, String> form = ends(message);
    form.put("Body", message.body());
    try {
      UpstreamAnswer answer = account.make(PATH, form, deadline);
      if (answer.successful()) {
        return sent(UpstreamJson.tree(answer.body()));
      }
      return answer.refused()
          ? new Sending.Refused(account.refusal(answer))
          : new Sending.Unknown();
    } catch (Failure unanswered) {
      return Failures.withoutEffect(unanswered)
          .<Sending>map(Sending.Refused::new)
          .orElseGet(Sending.Unknown::new);
    }
  }

  @Override
  public Optional<Sending.Sent> sent(TextMessage message, Instant since, Deadline deadline) {
    Map<String, String> query = ends(message);
    query.put("PageSize", PAGE);
    UpstreamAnswer answer = account.list(PATH, query, deadline);
    if (!answer.successful()) {
      throw Failures.of(answer);
    }
    // The vendor's times have whole seconds.
    Instant earliest = since.truncatedTo(ChronoUnit.SECONDS);
    for (JsonNode listed : UpstreamJson.list(UpstreamJson.object(answer.body()), "messages")) {
      if (listed.path("body").asText("").equals(message.body())
          && !taken(listed).isBefore(earliest)
          && sent(listed) instanceof Sending.Sent found) {
        return Optional.of(found);
      }
    }
    return Optional.empty();
  }

  private static Sending sent(JsonNode said) {
    String reference = said.path("sid").asText("");
    return reference.isEmpty()
        ? new Sending.Unknown()
        : new Sending.Sent(reference, said.path("status").asText("queued"));
  }

  private static Instant taken(JsonNode listed) {
    try {
      return Instant.from(
          DateTimeFormatter.RFC_1123_DATE_TIME.parse(listed.path("date_created").asText("")));
    } catch (DateTimeException unreadable) {
      throw Failures.rubbish(unreadable);
    }
  }

  private static Map<String, String> ends(TextMessage message) {
    Map<String, String> ends = new LinkedHashMap<>();
    ends.put("To", message.to().e164());
    ends.put("From", message.from().e164());
    return ends;
  }
}
