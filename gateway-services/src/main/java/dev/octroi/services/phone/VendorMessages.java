package dev.octroi.services.phone;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.services.Deadline;
import dev.octroi.services.Failure;
import dev.octroi.services.phone.TextMessages.Sending;
import dev.octroi.services.phone.TextMessages.TextMessage;
import dev.octroi.services.read.UpstreamJson;
import dev.octroi.services.upstream.Failures;
import dev.octroi.services.upstream.UpstreamAnswer;
import dev.octroi.services.upstream.UpstreamRequest;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Text messages by the number vendor, who takes no name or key for them: what was sent is found by
 * its numbers, text and time. Thread-safe.
 */
public final class VendorMessages implements TextMessages {

  private static final String PATH = "/Messages.json";
  private static final String PAGE = "100";
  private static final int MOST_PAGES = 50;
  private static final Set<String> UNSENT = Set.of("failed", "canceled");

  private final VendorAccount account;

  public VendorMessages(VendorAccount account) {
    this.account = account;
  }

  @Override
  public void requireReachable() {
    account.client().requireReachable();
  }

  @Override
  public Sending send(TextMessage message, Deadline deadline) {
    Map<String, String> form = ends(message);
    form.put("Body", message.body());
    try {
      UpstreamAnswer answer = account.make(PATH, form, deadline);
      JsonNode said = UpstreamJson.tree(answer.body());
      boolean unsent = answer.successful() && isUnsent(said);
      if (answer.successful() && !unsent) {
        return isOf(said, message) ? sent(said) : new Sending.Unknown();
      }
      return unsent || answer.refused()
          ? new Sending.Refused(account.refusal(answer))
          : new Sending.Unknown();
    } catch (Failure unanswered) {
      return Failures.withoutEffect(unanswered)
          .<Sending>map(Sending.Refused::new)
          .orElseGet(Sending.Unknown::new);
    }
  }

  @Override
  public List<Sending.Sent> sent(TextMessage message, Instant since, Deadline deadline) {
    // The vendor's times have whole seconds.
    Instant earliest = since.truncatedTo(ChronoUnit.SECONDS);
    Map<String, String> query = ends(message);
    query.put("PageSize", PAGE);
    String next = UpstreamRequest.encoded(query);
    List<Sending.Sent> found = new ArrayList<>();
    for (int pages = 0; pages < MOST_PAGES; pages++) {
      UpstreamAnswer answer = account.list(PATH, next, deadline);
      if (!answer.successful()) {
        throw Failures.of(answer);
      }
      JsonNode page = UpstreamJson.object(answer.body());
      JsonNode listed = UpstreamJson.list(page, "messages");
      listed.forEach(one -> add(found, one, message, earliest));
      next = next(page);
      if (next.isEmpty() || listed.isEmpty() || taken(last(listed)).isBefore(earliest)) {
        return List.copyOf(found);
      }
    }
    throw Failures.unreadable("the list of messages does not end");
  }

  private static void add(
      List<Sending.Sent> found, JsonNode listed, TextMessage message, Instant earliest) {
    // A vendor that did not look at the numbers would give us messages of other payments.
    if (listed.path("body").asText("").equals(message.body())
        && isOf(listed, message)
        && !taken(listed).isBefore(earliest)
        && !isUnsent(listed)) {
      if (!(sent(listed) instanceof Sending.Sent one)) {
        throw Failures.unreadable("a listed message has no sid");
      }
      found.add(one);
    }
  }

  private static boolean isOf(JsonNode said, TextMessage message) {
    return !message.to().isOtherThan(said.path("to"))
        && !message.from().isOtherThan(said.path("from"));
  }

  /** Whether the vendor took it and did not send it, for which it bills nothing. */
  private static boolean isUnsent(JsonNode said) {
    return UNSENT.contains(said.path("status").asText(""));
  }

  /** The newest are listed first. */
  private static JsonNode last(JsonNode listed) {
    return listed.path(listed.size() - 1);
  }

  /** The query of the next page; only the query, for the vendor's address is ours to know. */
  private static String next(JsonNode page) {
    String address = Objects.requireNonNullElse(page.path("next_page_uri").textValue(), "");
    return address.substring(address.indexOf('?') + 1);
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
      throw Failures.unreadable("date_created is no time");
    }
  }

  private static Map<String, String> ends(TextMessage message) {
    Map<String, String> ends = new LinkedHashMap<>();
    ends.put("To", message.to().e164());
    ends.put("From", message.from().e164());
    return ends;
  }
}
