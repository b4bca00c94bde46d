package dev.octroi.api.limit;

import dev.octroi.api.error.ErrorAnswer;
import dev.octroi.api.group.Addressed;
import dev.octroi.api.group.Group;
import dev.octroi.api.http.ClientAddress;
import dev.octroi.api.http.TrustedProxies;
import dev.octroi.api.settings.LimitSettings;
import dev.octroi.payments.Admission;
import dev.octroi.payments.Exchange;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntPredicate;
import java.util.function.IntSupplier;

/**
 * The limits of the gateway (decisions, limits without a number). Payers are counted once their
 * payment is verified, so that a stranger who names a payer uses up none of its calls; unpaid calls
 * by client address, and where the container knows no address, not at all. Counts are those of this
 * node, and so are rates: the setting divided by the living nodes (rules of money, in the
 * database).
 */
public final class Limits implements Admission {

  /**
   * How many times as many calls as there are places left a group may have: the first whose vendor
   * hangs holds two thirds of the places, the next one two thirds of what is left, and so on.
   */
  private static final int SHARE = 2;

  private static final Duration SOON = Duration.ofSeconds(1);

  /** All calls whose payments are verified share as a group does: they wait for one facilitator. */
  private static final Object VERIFYING = new Object();

  /** On a request that was counted as an unpaid call of its address. */
  private static final String COUNTED = "dev.octroi.api.counted";

  /** A payer's or key's calls in a group; EVM addresses come in one spelling, checksummed. */
  private record Payer(Group group, Caller caller) {}

  private final Rates<Payer> paidRates;
  private final Rates<String> unpaidRates;
  private final InFlight<Payer> payersInFlight;
  private final InFlight<Object> groupsInFlight;
  private final Semaphore places;
  private final LongAdder broken = new LongAdder();
  private final TrustedProxies proxies;
  private final Map<Limit, LongAdder> hits = new EnumMap<>(Limit.class);

  /**
   * @param places how many calls may hold a thread of the server while they wait
   * @param nodes how many nodes share the calls at the moment
   */
  public Limits(
      LimitSettings settings, int places, TrustedProxies proxies, Clock clock, IntSupplier nodes) {
    this.places = new Semaphore(places);
    this.proxies = proxies;
    int counted = settings.counted();
    paidRates =
        new Rates<>(
            counted,
            payer ->
                share(
                    payer
                        .caller()
                        .requestsPerMinute()
                        .orElseGet(() -> settings.requestsPerMinute(payer.group().word())),
                    nodes),
            clock);
    unpaidRates = new Rates<>(counted, address -> share(settings.unpaidPerMinute(), nodes), clock);
    payersInFlight = new InFlight<>(settings.inFlightPerPayer());
    groupsInFlight = new InFlight<>(settings.inFlightPerGroup());
    for (Limit limit : Limit.values()) {
      hits.put(limit, new LongAdder());
    }
  }

  /** This node's part of a rate; no caller is shut out because there are many nodes. */
  private static int share(int rate, IntSupplier nodes) {
    return Math.max(1, rate / Math.max(1, nodes.getAsInt()));
  }

  /** How many calls a limit has refused since the start. */
  public long hits(Limit limit) {
    return counter(limit).sum();
  }

  private LongAdder counter(Limit limit) {
    return Objects.requireNonNull(hits.get(limit));
  }

  @Override
  public void unpaid(Exchange request) {
    Optional<String> address = ClientAddress.of(request);
    if (address.isEmpty() || !Addressed.isOurs(request)) {
      return;
    }
    request.property(COUNTED, true);
    Rates.Count count = unpaidRates.count(address.get());
    if (count.pause() != null) {
      String sentence = "Too many unpaid requests from this address.";
      throw refused(Limit.UNPAID_RATE, sentence, count.pause(), count.headers());
    }
  }

  @Override
  public boolean refusesUnpaid(Exchange request) {
    return Addressed.isOurs(request)
        && ClientAddress.of(request).filter(unpaidRates::isUsedUp).isPresent();
  }

  /** A request that was counted already is no second call of its address. */
  @Override
  public void broken(Exchange request) {
    broken.increment();
    if (request.property(COUNTED) == null) {
      request.property(COUNTED, true);
      ClientAddress.of(request).ifPresent(unpaidRates::count);
    }
  }

  /**
   * Counts a request that the server refused before the gateway could read it. One that a trusted
   * proxy sent counts for no address: whose it was cannot be read.
   *
   * @param direct the address at the other end of the connection
   */
  public void broken(String direct) {
    broken.increment();
    proxies.stranger(direct).ifPresent(unpaidRates::count);
  }

  /** How many requests were broken since the start. */
  public long broken() {
    return broken.sum();
  }

  @Override
  public Permit paid(Exchange request, Caller caller) {
    Optional<Group> group = Addressed.group(request);
    if (group.isEmpty()) {
      return () -> {};
    }
    Payer payer = new Payer(group.get(), caller);
    Rates.Count count = paidRates.count(payer);
    if (count.pause() != null) {
      String sentence = "Too many requests in this minute.";
      throw refused(Limit.PAYER_RATE, sentence, count.pause(), count.headers());
    }
    Permit place = enter(payer.group());
    if (!payersInFlight.enter(payer, others -> true)) {
      place.close();
      String sentence = "Too many requests at the same time.";
      throw refused(Limit.PAYER_IN_FLIGHT, sentence, SOON, count.headers());
    }
    return new Permit() {
      @Override
      public Map<String, String> headers() {
        return count.headers();
      }

      @Override
      public void close() {
        payersInFlight.leave(payer);
        place.close();
      }
    };
  }

  /** A thread that is no platform's waits for a facilitator without being missed. */
  @Override
  public Permit verifying(Exchange request) {
    return isVirtual(Thread.currentThread()) ? () -> {} : enter(VERIFYING);
  }

  @Override
  public Permit free(Exchange request) {
    return Addressed.group(request).map(this::enter).orElse(() -> {});
  }

  /** Takes a place among the calls of a group and, where it holds one, a thread of the server. */
  private Permit enter(Object group) {
    boolean holdsThread = !isVirtual(Thread.currentThread());
    boolean entered =
        groupsInFlight.enter(
            group,
            others ->
                !holdsThread
                    || (others < SHARE * places.availablePermits() && places.tryAcquire()));
    if (!entered) {
      throw atCapacity();
    }
    return () -> {
      groupsInFlight.leave(group);
      places.release(holdsThread ? 1 : 0);
    };
  }

  /** By the group that all virtual threads are in (JEP 444): Java 17 cannot ask them. */
  private static boolean isVirtual(Thread thread) {
    return thread.getThreadGroup().getName().equals("VirtualThreads");
  }

  private WebApplicationException refused(
      Limit limit, String message, Duration wait, Map<String, String> headers) {
    counter(limit).increment();
    Response.ResponseBuilder response =
        Response.fromResponse(
            ErrorAnswer.shaped(429, "rate_limited", message).retryAfter(wait).response());
    headers.forEach(response::header);
    return new WebApplicationException(response.build());
  }

  private WebApplicationException atCapacity() {
    counter(Limit.GROUP_IN_FLIGHT).increment();
    return new WebApplicationException(
        ErrorAnswer.flat(429, "The service is at capacity; try again shortly.")
            .retryAfter(SOON)
            .response());
  }

  /**
   * Calls in flight of each payer, key or group that is counted. Holds an entry for each one with a
   * call in flight and no others, so that it is bounded by the calls themselves. Thread-safe.
   *
   * @param <K> who is counted
   */
  static final class InFlight<K> {

    private final Map<K, Integer> counts = new ConcurrentHashMap<>();
    private final int most;

    InFlight(int most) {
      this.most = most;
    }

    /**
     * Takes a place; false if all are taken.
     *
     * @param further whether one more is taken beside so many; asked once, if at all
     */
    boolean enter(K who, IntPredicate further) {
      boolean[] entered = new boolean[1];
      counts.compute(
          who,
          (key, count) -> {
            int now = count == null ? 0 : count;
            entered[0] = now < most && further.test(now);
            return entered[0] ? Integer.valueOf(now + 1) : count;
          });
      return entered[0];
    }

    void leave(K who) {
      counts.computeIfPresent(who, (key, count) -> count == 1 ? null : count - 1);
    }

    int counted() {
      return counts.size();
    }
  }

  /** What a call can be too many of. */
  public enum Limit {
    /** Unpaid calls of an address in a minute. */
    UNPAID_RATE,
    /** A payer's or key's calls in a group and minute. */
    PAYER_RATE,
    /** A payer's or key's calls in a group at the same time. */
    PAYER_IN_FLIGHT,
    /** The calls of all payers and keys in a group at the same time. */
    GROUP_IN_FLIGHT;

    /** How figures name it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
