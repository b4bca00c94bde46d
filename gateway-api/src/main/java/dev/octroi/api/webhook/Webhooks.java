package dev.octroi.api.webhook;

import dev.octroi.api.house.HouseJson;
import dev.octroi.api.house.Query;
import dev.octroi.api.house.Query.Page;
import dev.octroi.api.settings.Entries;
import dev.octroi.api.settings.WebhookSettings;
import dev.octroi.api.webhook.WebhookStore.DeliveryState;
import dev.octroi.api.webhook.WebhookStore.Relayed;
import dev.octroi.api.webhook.WebhookStore.Sending;
import dev.octroi.api.webhook.WebhookStore.Sum;
import dev.octroi.api.webhook.WebhookStore.Tried;
import dev.octroi.payments.Daemons;
import dev.octroi.payments.ledger.jdbc.JdbcLedger;
import dev.octroi.payments.ledger.jdbc.Outbox;
import dev.octroi.payments.reconcile.RecurringTask;
import dev.octroi.services.HostThreads;
import dev.octroi.services.web.WebPost.Posted;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends events to the endpoints that the settings name, each at least once and with the same id at
 * each attempt.
 *
 * <p>A recurring task, on one node at a time, makes of each event in the outbox a delivery to each
 * endpoint that wants it, and has those sent that are due, on threads of this class: an endpoint
 * has its own, so that a slow one holds up no other. A delivery whose node dies is sent by another
 * node half a minute later. Thread-safe.
 */
public final class Webhooks implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Webhooks.class);

  /** Between attempts, as Standard Webhooks has them: ten in 76 hours. */
  static final List<Duration> PAUSES =
      List.of(
          Duration.ofSeconds(5),
          Duration.ofMinutes(5),
          Duration.ofMinutes(30),
          Duration.ofHours(2),
          Duration.ofHours(5),
          Duration.ofHours(10),
          Duration.ofHours(14),
          Duration.ofHours(20),
          Duration.ofHours(24));

  private static final Duration LONGEST_WAIT = Duration.ofHours(24);
  private static final Duration TAKEN_OVER = Endpoint.DEADLINE.multipliedBy(2);
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration FINDING = Duration.ofMinutes(1);
  private static final int EVENTS_A_COMMIT = 100;
  private static final int COMMITS_A_RUN = 50;
  private static final int GONE = 410;

  /** Up to so much is added to a pause, so that what failed together is not sent together. */
  private static final double JITTER = 0.2;

  private final Map<String, Endpoint> endpoints = new TreeMap<>();
  private final Set<String> types;
  private final WebhookStore store;
  private final OutboxEvents events;
  private final ExecutorService threads;
  private final Clock clock;
  private volatile boolean closed;

  /**
   * Connects to nothing yet.
   *
   * @param ledger has the outbox
   * @param reads the database for what operators read
   */
  public Webhooks(
      Entries<WebhookSettings> settings,
      JdbcLedger ledger,
      DataSource database,
      DataSource reads,
      HostThreads threads,
      Clock clock) {
    settings.values().forEach((word, one) -> endpoints.put(word, new Endpoint(word, one, threads)));
    this.types = types(settings);
    this.store = new WebhookStore(ledger.statements(), database, reads, ledger.outbox());
    this.events = new OutboxEvents(store.reading());
    this.threads = threads.pool("octroi-webhooks");
    this.clock = clock;
  }

  /** The outbox that a ledger needs for these endpoints. */
  public static Outbox outbox(Entries<WebhookSettings> settings) {
    return new Outbox(types(settings));
  }

  private static Set<String> types(Entries<WebhookSettings> settings) {
    return settings.values().values().stream()
        .flatMap(one -> one.types().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** What is done from time to time, by one node; nothing without an endpoint. */
  public List<RecurringTask> tasks() {
    return endpoints.isEmpty()
        ? List.of()
        : List.of(
            new RecurringTask("send-webhooks", PAUSE, this::run),
            new RecurringTask("find-webhook-events", FINDING, this::find));
  }

  /** Finds what no change of state tells, and forgets what is too old. */
  private void find() {
    Instant now = clock.instant();
    if (types.contains(WebhookSettings.EventType.LEASE_EXPIRING.word())) {
      store.write(events.leases(now));
    }
    if (types.contains(WebhookSettings.EventType.BUDGET_NEARLY_USED.word())) {
      store.write(events.budgets(now));
    }
    store.forget(now);
  }

  private void run() {
    Set<String> disabled = store.disabled().keySet();
    relay(disabled);
    for (Endpoint endpoint : endpoints.values()) {
      if (!disabled.contains(endpoint.word())) {
        begin(endpoint, store.due(endpoint.word(), clock.instant()));
      }
    }
  }

  private void relay(Set<String> disabled) {
    int found = EVENTS_A_COMMIT;
    for (int commits = 0; found == EVENTS_A_COMMIT && commits < COMMITS_A_RUN; commits++) {
      List<Relayed> open =
          events.open(
              EVENTS_A_COMMIT,
              type ->
                  endpoints.values().stream()
                      .filter(one -> one.wants(type) && !disabled.contains(one.word()))
                      .map(Endpoint::word)
                      .toList());
      found = open.size();
      if (found > 0) {
        store.relay(open, clock.instant());
      }
    }
  }

  private void begin(Endpoint endpoint, int due) {
    for (int more = Math.min(due, Endpoint.AT_ONCE - endpoint.sending().get()); more > 0; more--) {
      endpoint.sending().incrementAndGet();
      try {
        threads.execute(Daemons.guarded("Sending webhooks", () -> sendAll(endpoint)));
      } catch (RejectedExecutionException e) {
        endpoint.sending().decrementAndGet();
      }
    }
  }

  /** Until nothing is due. */
  private void sendAll(Endpoint endpoint) {
    try {
      Optional<Sending> next = next(endpoint);
      while (next.isPresent()) {
        Sending sending = next.get();
        byte[] body = body(sending.type(), sending.at(), sending.data());
        Posted posted = endpoint.send(sending.event(), clock.instant(), body);
        if (closed) {
          // What a node that stops has not seen the end of, another sends again.
          return;
        }
        note(endpoint, sending, posted);
        next = next(endpoint);
      }
    } finally {
      endpoint.sending().decrementAndGet();
    }
  }

  private Optional<Sending> next(Endpoint endpoint) {
    Instant now = clock.instant();
    return closed ? Optional.empty() : store.next(endpoint.word(), now, now.plus(TAKEN_OVER));
  }

  private void note(Endpoint endpoint, Sending sending, Posted posted) {
    Instant now = clock.instant();
    Tried tried = tried(sending, posted, now);
    boolean noted = store.tried(sending, tried, now);
    if (noted && tried.state() == DeliveryState.DELIVERED) {
      endpoint.delivered().increment();
    } else if (noted && tried.state() == DeliveryState.FAILED) {
      endpoint.failed().increment();
      LOG.warn(
          "The event {} was not delivered to the webhook {} in {} attempts: {} {}",
          sending.event(),
          endpoint.word(),
          sending.attempt(),
          tried.status() == null ? "" : tried.status(),
          WebhookStore.shown(tried.answer()));
    }
    if (isGone(posted)) {
      store.disable(endpoint.word(), now);
      LOG.warn("The webhook {} has answered 410 and gets no more events", endpoint.word());
    }
  }

  private static boolean isGone(Posted posted) {
    return posted instanceof Posted.Answered answered && answered.status() == GONE;
  }

  private static boolean isTaken(int status) {
    return status >= 200 && status < 300;
  }

  private static Tried tried(Sending sending, Posted posted, Instant now) {
    Optional<Duration> asked = Optional.empty();
    Integer status = null;
    String answer;
    if (posted instanceof Posted.Answered answered) {
      status = answered.status();
      answer = answered.start();
      asked = answered.retryAfter().flatMap(header -> retryAfter(header, now));
      if (isTaken(status)) {
        return new Tried(DeliveryState.DELIVERED, now, status, answer);
      }
    } else {
      answer = ((Posted.Unanswered) posted).why();
    }
    boolean last = sending.attempt() > PAUSES.size() || isGone(posted);
    return last
        ? new Tried(DeliveryState.FAILED, now, status, answer)
        : new Tried(
            DeliveryState.WAITING, now.plus(pause(sending.attempt(), asked)), status, answer);
  }

  /** The pause after an attempt, or longer if the endpoint asks for it. */
  private static Duration pause(int attempt, Optional<Duration> asked) {
    long usual = PAUSES.get(attempt - 1).toMillis();
    double factor = 1 + ThreadLocalRandom.current().nextDouble(JITTER);
    Duration varied = Duration.ofMillis((long) (usual * factor));
    return asked.filter(wish -> wish.compareTo(varied) > 0).orElse(varied);
  }

  /** What the header says, seconds or a time, up to a day. */
  private static Optional<Duration> retryAfter(String header, Instant now) {
    try {
      Duration wish =
          header.matches("\\d{1,9}")
              ? Duration.ofSeconds(Long.parseLong(header))
              : Duration.between(
                  now,
                  ZonedDateTime.parse(header, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
      return Optional.of(wish.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wish);
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /**
   * What is sent; the same bytes at each attempt.
   *
   * @param data a JSON object
   */
  private static byte[] body(String type, Instant at, String data) {
    return "{\"type\":\"%s\",\"timestamp\":\"%s\",\"data\":%s}"
        .formatted(type, at, data)
        .getBytes(StandardCharsets.UTF_8);
  }

  /**
   * An endpoint and how it does.
   *
   * @param state active, or disabled once it has answered 410
   * @param disabled since when it is
   * @param retrying how many of those that wait were sent before, in vain
   * @param oldestWaiting since when the oldest event waits for it; null if none does
   * @param lastDelivered when the last event was delivered to it
   */
  public record EndpointView(
      String endpoint,
      String url,
      List<String> events,
      String state,
      @Nullable Instant disabled,
      long waiting,
      long retrying,
      long delivered,
      long failed,
      @Nullable Instant oldestWaiting,
      @Nullable Instant lastDelivered) {}

  /** All endpoints, by their words. */
  public List<EndpointView> endpoints() {
    Map<String, Instant> disabled = store.disabled();
    Map<String, Map<DeliveryState, Sum>> sums = store.sums();
    return endpoints.values().stream()
        .map(
            one ->
                view(
                    one,
                    Optional.ofNullable(disabled.get(one.word())),
                    sums.getOrDefault(one.word(), Map.of())))
        .toList();
  }

  private static EndpointView view(
      Endpoint endpoint, Optional<Instant> disabled, Map<DeliveryState, Sum> sums) {
    Optional<Sum> waiting = Optional.ofNullable(sums.get(DeliveryState.WAITING));
    Optional<Sum> delivered = Optional.ofNullable(sums.get(DeliveryState.DELIVERED));
    return new EndpointView(
        endpoint.word(),
        endpoint.settings().shownAddress(),
        endpoint.settings().types().stream().sorted().toList(),
        disabled.isPresent() ? "disabled" : "active",
        disabled.orElse(null),
        waiting.map(Sum::count).orElse(0L),
        waiting.map(Sum::tried).orElse(0L),
        delivered.map(Sum::count).orElse(0L),
        Optional.ofNullable(sums.get(DeliveryState.FAILED)).map(Sum::count).orElse(0L),
        waiting.map(Sum::oldest).orElse(null),
        delivered.map(Sum::latest).orElse(null));
  }

  /**
   * What an endpoint said to an event that was sent as a test.
   *
   * @param delivered whether it took it
   * @param status HTTP status of the answer; null if there was none
   * @param answer how the answer begins, or why there was none
   */
  public record TestResult(
      String event, boolean delivered, @Nullable Integer status, String answer, long millis) {}

  /** What is told by a test. */
  private record OfTest(String endpoint) {}

  /**
   * Sends an event of the type {@code octroi.test} at once; an endpoint that takes it is active
   * from then on. Empty if there is no such endpoint.
   */
  public Optional<TestResult> test(String word) {
    return Optional.ofNullable(endpoints.get(word)).map(this::test);
  }

  private TestResult test(Endpoint endpoint) {
    String id = "octroi_test_" + UUID.randomUUID();
    Instant now = clock.instant();
    String data = new String(HouseJson.of(new OfTest(endpoint.word())), StandardCharsets.UTF_8);
    long begun = System.nanoTime();
    Posted posted = endpoint.send(id, now, body("octroi.test", now, data));
    long millis = Duration.ofNanos(System.nanoTime() - begun).toMillis();
    if (posted instanceof Posted.Unanswered none) {
      return new TestResult(id, false, null, none.why(), millis);
    }
    Posted.Answered answered = (Posted.Answered) posted;
    if (isTaken(answered.status())) {
      store.enable(endpoint.word());
    }
    return new TestResult(
        id,
        isTaken(answered.status()),
        answered.status(),
        WebhookStore.shown(answered.start()),
        millis);
  }

  /** Has a delivery sent again, whatever came of it; empty if there is none. */
  public Optional<Delivery> again(UUID delivery) {
    return store.again(delivery, clock.instant());
  }

  /** A delivery; empty if there is none. */
  public Optional<Delivery> delivery(UUID id) {
    return store.find(id);
  }

  /** Deliveries that fit what is asked for, the latest first. */
  public Page<Delivery> deliveries(Query query) {
    return store.page(query);
  }

  /** Whether there is an endpoint of this name. */
  public boolean has(String word) {
    return endpoints.containsKey(word);
  }

  /** What is counted; to be closed. */
  public WebhookFigures figures() {
    return new WebhookFigures(List.copyOf(endpoints.values()), store, clock);
  }

  /** Ends what is under way; it is sent again by another node, or after the next start. */
  @Override
  public void close() {
    closed = true;
    threads.shutdown();
    endpoints.values().forEach(Endpoint::close);
  }
}
