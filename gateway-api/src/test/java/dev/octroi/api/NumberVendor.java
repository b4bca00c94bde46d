package dev.octroi.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URLDecoder;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A vendor of ten numbers and of texts that behaves as badly as a test wants. */
final class NumberVendor implements AutoCloseable {

  /** How purchases and texts go. */
  enum Mood {
    GOOD,
    SNAPPED_UP_ONCE,
    SNAPPED_UP,
    DONE_AND_FAILED,
    /** The first number is sold again and again, under its own id. */
    SOLD_TWICE,
    /** What there is, is in another area than was asked for. */
    ELSEWHERE,
    /** What is sold is. */
    SOLD_ELSEWHERE,
    /** Texts go to another number. */
    SENT_ELSEWHERE,
    FAILED,
    DOWN
  }

  /** A moment of a purchase at which the vendor waits until its caller has been killed. */
  enum Step {
    /** It is asked what there is: the effect is noted and paid for, or nothing is yet. */
    LISTING,
    /** It is to sell. */
    SELLING,
    /** It has sold, and has not said so. */
    SOLD
  }

  private record Stop(Step step, CountDownLatch reached, CountDownLatch over) {}

  private record Sold(String number, String name) {}

  private static final int NUMBERS = 10;

  private final Map<String, Sold> sold = new LinkedHashMap<>();
  private final List<Map<String, String>> texts = new ArrayList<>();
  private final List<String> purchases = new CopyOnWriteArrayList<>();
  private final List<String> deletions = new CopyOnWriteArrayList<>();
  private volatile Mood mood = Mood.GOOD;
  private volatile @Nullable Said refusal;
  private volatile @Nullable Stop stop;
  private final LoopbackServer server = new LoopbackServer(this::serve);

  String base() {
    return server.base().toString();
  }

  void mood(Mood next) {
    mood = next;
  }

  /**
   * Waits at a step, once, when it comes for this time.
   *
   * @param passed how often the step may pass before
   */
  CountDownLatch stopAt(Step step, int passed) {
    Stop next = new Stop(step, new CountDownLatch(passed + 1), new CountDownLatch(1));
    stop = next;
    return next.reached();
  }

  /** Lets the requests that wait at the step go on. */
  void letGo() {
    Stop now = stop;
    if (now != null) {
      stop = null;
      now.over().countDown();
    }
  }

  private void pass(Step step) {
    Stop now = stop;
    if (now == null || now.step() != step) {
      return;
    }
    now.reached().countDown();
    try {
      if (now.reached().getCount() == 0) {
        now.over().await();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Who has which number, by the vendor's ids. */
  synchronized Map<String, String> owned() {
    return sold.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().number()));
  }

  /** The numbers that somebody tried to buy, however that went. */
  List<String> purchases() {
    return purchases;
  }

  /** The ids that were really given back. */
  List<String> deletions() {
    return deletions;
  }

  synchronized List<Map<String, String>> texts() {
    return List.copyOf(texts);
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      Map<String, String> asked = fields(exchange.getRequestURI().getRawQuery());
      asked.putAll(fields(new String(exchange.getRequestBody().readAllBytes(), UTF_8)));
      boolean purchase =
          exchange.getRequestMethod().equals("POST") && path.contains("IncomingPhoneNumbers");
      if (purchase || path.contains("AvailablePhoneNumbers")) {
        pass(purchase ? Step.SELLING : Step.LISTING);
      }
      Said said = mood == Mood.DOWN ? Said.of(503, 20503) : said(exchange, path, asked);
      if (purchase) {
        pass(Step.SOLD);
      }
      byte[] body = said.body().getBytes(UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(said.status(), said.status() == 204 ? -1 : body.length);
      if (said.status() != 204) {
        exchange.getResponseBody().write(body);
      }
    }
  }

  /** From now on purchases and texts are refused; with 0 they are not any more. */
  void refuses(int status, int code) {
    refusal = status == 0 ? null : Said.of(status, code);
  }

  private record Said(int status, String body) {
    static Said of(int status, int code) {
      return new Said(status, "{\"code\":" + code + "}");
    }
  }

  private synchronized Said said(HttpExchange exchange, String path, Map<String, String> asked) {
    boolean post = exchange.getRequestMethod().equals("POST");
    Said no = refusal;
    if (post && no != null) {
      purchases.add(asked.getOrDefault("PhoneNumber", "none"));
      return no;
    }
    if (exchange.getRequestMethod().equals("DELETE")) {
      String sid = path.substring(path.lastIndexOf('/') + 1).replace(".json", "");
      if (sold.remove(sid) == null) {
        return Said.of(404, 20404);
      }
      deletions.add(sid);
      return new Said(204, "");
    }
    if (path.contains("AvailablePhoneNumbers")) {
      return new Said(200, "{\"available_phone_numbers\":[" + available(asked) + "]}");
    }
    if (path.contains("Messages")) {
      return post ? text(asked) : new Said(200, "{\"messages\":[" + list(texts) + "]}");
    }
    return post
        ? sell(asked)
        : new Said(200, "{\"incoming_phone_numbers\":[" + bought(asked) + "]}");
  }

  private String available(Map<String, String> asked) {
    List<String> gone = sold.values().stream().map(Sold::number).toList();
    String area = mood == Mood.ELSEWHERE ? "212" : asked.getOrDefault("AreaCode", "415");
    List<String> free = new ArrayList<>();
    for (int last = 100; last < 100 + NUMBERS; last++) {
      String number = "+1" + area + "5550" + last;
      if (!gone.contains(number) && !area.equals("211")) {
        free.add("{\"phone_number\":\"" + number + "\"}");
      }
    }
    return String.join(",", free);
  }

  private Said sell(Map<String, String> asked) {
    String number = asked.get("PhoneNumber");
    boolean first = !purchases.contains(number) && purchases.isEmpty();
    purchases.add(number);
    if (mood == Mood.SNAPPED_UP || (mood == Mood.SNAPPED_UP_ONCE && first)) {
      return Said.of(400, 21422);
    }
    if (mood == Mood.FAILED) {
      return Said.of(500, 20500);
    }
    if (mood == Mood.SOLD_TWICE) {
      Map.Entry<String, Sold> again = sold.entrySet().iterator().next();
      return new Said(201, record(again.getKey(), again.getValue()));
    }
    if (mood == Mood.SOLD_ELSEWHERE) {
      number = number.replace("+1415", "+1212");
    }
    String sid = "PN" + purchases.size();
    sold.put(sid, new Sold(number, asked.get("FriendlyName")));
    return mood == Mood.DONE_AND_FAILED
        ? Said.of(500, 20500)
        : new Said(201, record(sid, sold.get(sid)));
  }

  private Said text(Map<String, String> asked) {
    if (mood == Mood.FAILED) {
      return Said.of(500, 20500);
    }
    Map<String, String> text = new HashMap<>(asked);
    text.put("sid", "SM" + texts.size());
    text.put("body", asked.get("Body"));
    text.put("status", "queued");
    text.put("to", mood == Mood.SENT_ELSEWHERE ? "+12065550999" : asked.get("To"));
    text.put(
        "date_created",
        DateTimeFormatter.RFC_1123_DATE_TIME.format(Instant.now().atOffset(ZoneOffset.UTC)));
    texts.add(text);
    return mood == Mood.DONE_AND_FAILED ? Said.of(500, 20500) : new Said(201, list(List.of(text)));
  }

  private String bought(Map<String, String> asked) {
    return sold.entrySet().stream()
        .filter(entry -> entry.getValue().name().equals(asked.get("FriendlyName")))
        .map(entry -> record(entry.getKey(), entry.getValue()))
        .collect(Collectors.joining(","));
  }

  private static String record(String sid, Sold one) {
    return list(
        List.of(Map.of("sid", sid, "phone_number", one.number(), "friendly_name", one.name())));
  }

  private static String list(List<Map<String, String>> records) {
    return records.stream()
        .map(
            record ->
                record.entrySet().stream()
                    .map(field -> "\"" + field.getKey() + "\":\"" + field.getValue() + "\"")
                    .collect(Collectors.joining(",", "{", "}")))
        .collect(Collectors.joining(","));
  }

  private static Map<String, String> fields(String form) {
    Map<String, String> fields = new HashMap<>();
    for (String field : form == null ? new String[0] : form.split("&")) {
      String[] sides = field.split("=", 2);
      if (sides.length == 2) {
        fields.put(URLDecoder.decode(sides[0], UTF_8), URLDecoder.decode(sides[1], UTF_8));
      }
    }
    return fields;
  }

  @Override
  public void close() {
    letGo();
    server.close();
  }
}
