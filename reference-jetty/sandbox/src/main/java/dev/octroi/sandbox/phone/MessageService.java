package dev.octroi.sandbox.phone;

import dev.octroi.sandbox.vendor.SandboxAnswer;
import dev.octroi.sandbox.vendor.Seeded;
import dev.octroi.services.phone.PhoneNumber;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Messages that are taken and delivered to no phone; the last thousand are known. Thread-safe. */
final class MessageService {

  private static final int KEPT = 1_000;
  private static final int PAGE = 50;

  /** How the numbers end whose texts are taken, and then not sent. */
  private static final String FAILING = "5550103";

  private final NumberService numbers;
  private final Clock clock;
  private final Deque<Map<String, String>> taken = new ArrayDeque<>();
  private long count;

  MessageService(NumberService numbers, Clock clock) {
    this.numbers = numbers;
    this.clock = clock;
  }

  synchronized SandboxAnswer send(Form asked) {
    if (PhoneNumber.parse(asked.get("To")).isEmpty()) {
      return Errors.of(400, 21211, "Invalid 'To' Phone Number");
    }
    if (!numbers.isSold(asked.get("From"))) {
      return Errors.of(400, 21606, "The 'From' number is not yours");
    }
    count++;
    Map<String, String> message =
        Map.of(
            "sid", "SM" + Seeded.of("message", count, asked.get("Body")).hex(32),
            "to", asked.get("To"),
            "from", asked.get("From"),
            "body", asked.get("Body"),
            "status", asked.get("To").endsWith(FAILING) ? "failed" : "queued",
            "date_created",
                DateTimeFormatter.RFC_1123_DATE_TIME.format(
                    clock.instant().atOffset(ZoneOffset.UTC)));
    taken.addFirst(message);
    if (taken.size() > KEPT) {
      taken.removeLast();
    }
    return SandboxAnswer.status(201, message);
  }

  synchronized SandboxAnswer sent(Form asked) {
    List<Map<String, String>> found =
        taken.stream()
            .filter(one -> is(one, "to", asked.find("To")))
            .filter(one -> is(one, "from", asked.find("From")))
            .limit(asked.count("PageSize", PAGE))
            .toList();
    return SandboxAnswer.ok(Map.of("messages", found, "page", 0));
  }

  private static boolean is(Map<String, String> one, String name, Optional<String> wanted) {
    return wanted.isEmpty() || wanted.get().equals(one.get(name));
  }
}
