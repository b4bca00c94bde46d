package dev.octroi.payments.facilitator;

import dev.octroi.payments.Daemons;
import dev.octroi.payments.Sha256;
import dev.octroi.payments.chain.ChainFamily;
import dev.octroi.payments.facilitator.RemoteCalls.NoReply;
import dev.octroi.payments.x402.FacilitatorMessages.VerifyResponse;
import dev.octroi.payments.x402.PaymentOption;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Any standard x402 facilitator over HTTP, or several of them in order. Thread-safe.
 *
 * <p>A payment is checked here first, as far as no chain is needed. One facilitator that cannot be
 * asked to verify is replaced by the next; the one that verified is asked to settle, once, and
 * never another one. What a facilitator says it supports is asked in the background.
 *
 * <p>A payment out of a channel is verified here alone. What is to be sent for it is asked of the
 * facilitator whose key is in the channel's terms.
 */
public final class HttpFacilitator implements Facilitator {

  private static final Logger LOG = LoggerFactory.getLogger(HttpFacilitator.class);

  /** The same instance always, see {@link Facilitator#offerExtra}. */
  private static final Optional<Map<String, Object>> NOTHING_BESIDES = Optional.of(Map.of());

  private final List<String> networks;
  private final Map<String, Verification.Check> checks;
  private final List<RemoteFacilitator> remotes;
  private final Map<String, Watched> watched = new ConcurrentHashMap<>();
  private final Verifiers verifiers = new Verifiers();
  private final ScheduledExecutorService background;
  private final ScheduledFuture<?> refreshing;
  private final Told extras;
  private final Told uptoExtras;
  private final Told channelExtras;
  private volatile boolean asked;

  /** What is read of a network's chain here. */
  private record Watched(
      Evidence evidence, Balances balances, Optional<ChannelRefunds> channelRefunds) {}

  /**
   * Begins to ask what the facilitators support.
   *
   * @param networks where to be paid, as CAIP-2 ids
   * @param checks what is checked here, by the namespace of a network such as {@code eip155}
   */
  public HttpFacilitator(
      HttpFacilitatorSettings settings,
      FacilitatorAuth auth,
      List<String> networks,
      Map<String, Verification.Check> checks,
      Clock clock) {
    this.networks = List.copyOf(networks);
    this.checks = Map.copyOf(checks);
    for (String network : networks) {
      check(network);
    }
    RemoteCalls calls = new RemoteCalls(settings, auth);
    this.remotes =
        settings.urls().stream()
            .map(url -> new RemoteFacilitator(url, calls, settings, clock))
            .toList();
    this.extras = new Told("What the facilitators settle", this::extraNow);
    this.uptoExtras = new Told("Who settles upto for the facilitators", this::uptoExtraNow);
    this.channelExtras =
        new Told("Whose key claims channels for the facilitators", this::channelExtraNow);
    this.background =
        Executors.newSingleThreadScheduledExecutor(new Daemons("octroi-facilitators"));
    long every = settings.refresh().toNanos();
    this.refreshing =
        background.scheduleWithFixedDelay(
            Daemons.guarded("Asking what the facilitators support", this::refresh),
            0,
            every,
            TimeUnit.NANOSECONDS);
  }

  /**
   * Has a chain read beside the facilitators, so that what became of a payment there is proven and
   * not believed.
   *
   * @param network its CAIP-2 id
   * @param refunds gives back what is left in channels there; empty where calls are paid out of
   *     none
   */
  public HttpFacilitator watching(
      String network, Evidence evidence, Balances balances, Optional<ChannelRefunds> refunds) {
    watched.put(network, new Watched(evidence, balances, refunds));
    return this;
  }

  /**
   * Asks each facilitator now what it supports, and begins nothing.
   *
   * @param networks CAIP-2 ids
   * @return a report for each facilitator and network
   */
  public static List<FacilitatorReport> reports(
      HttpFacilitatorSettings settings, FacilitatorAuth auth, List<String> networks, Clock clock) {
    RemoteCalls calls = new RemoteCalls(settings, auth);
    return settings.urls().stream()
        .map(url -> new RemoteFacilitator(url, calls, settings, clock))
        .flatMap(remote -> networks.stream().map(remote::report))
        .toList();
  }

  @Override
  public Verification verify(PaymentPayload payload, PaymentRequirements terms) {
    Verification local = check(terms.network()).verify(payload, terms);
    if (!(local instanceof Verification.Valid good)) {
      return local;
    }
    if (terms.isChannel()) {
      return authorizer(terms).isPresent()
          ? good
          : new Verification.Late(ChannelUse.NO_AUTHORIZER, good);
    }
    Verification.Valid valid = good.spending(OptionalLong.empty());
    for (RemoteFacilitator remote : inOrder(terms)) {
      try {
        Verification answer = understood(remote.verify(payload, terms), valid);
        verifiers.verified(payload, remote);
        return answer;
      } catch (NoReply e) {
        LOG.warn("The facilitator at {} did not verify a payment: {}", remote, e.getMessage());
      }
    }
    throw new FacilitatorUnavailable("no facilitator of " + terms.network() + " could be asked");
  }

  /**
   * What is good here and not there may have been settled by us before: its nonce used, its payer's
   * money gone. So the ledger is asked before the payer is told to pay again.
   */
  private static Verification understood(VerifyResponse answer, Verification.Valid valid)
      throws NoReply {
    if (!answer.valid()) {
      return new Verification.Late(Reasons.word(answer.invalidReason(), Reasons.INVALID), valid);
    }
    if (answer.payer() != null && !answer.payer().equalsIgnoreCase(valid.payer())) {
      throw new NoReply("it verified another payer's payment");
    }
    return valid;
  }

  @Override
  public Settlement settle(PaymentPayload payload, PaymentRequirements terms) {
    return settle(payload, terms, "");
  }

  @Override
  public Settlement settle(PaymentPayload payload, PaymentRequirements terms, String attempt) {
    if (terms.isChannel()) {
      return settleChannel(payload, terms, attempt);
    }
    RemoteFacilitator verifier = verifiers.take(payload);
    RemoteFacilitator remote = verifier == null ? inOrder(terms).get(0) : verifier;
    return remote.settle(payload, terms, payer(payload, terms), attempt);
  }

  /** What a channel needs is sent by the one whose key is in its terms, and by no other. */
  private Settlement settleChannel(
      PaymentPayload payload, PaymentRequirements terms, String attempt) {
    Optional<String> payer =
        Optional.ofNullable(payload.payload().at("/channelConfig/payer").textValue());
    return authorizer(terms)
        .map(remote -> remote.settle(payload, terms, payer, attempt))
        .orElseGet(() -> new Settlement.Unsent(Reasons.UNREACHABLE));
  }

  private Optional<RemoteFacilitator> authorizer(PaymentRequirements terms) {
    return remotes.stream()
        .filter(remote -> remote.serves(terms))
        .min(Comparator.comparing(RemoteFacilitator::rests));
  }

  /** Whether a facilitator says that this is its key for claims and refunds of channels. */
  public boolean isAuthorizer(String network, String key) {
    return remotes.stream().anyMatch(remote -> remote.isAuthorizer(network, key));
  }

  /** Whether each facilitator was asked by now what it supports, whatever came of it. */
  public boolean isAsked() {
    return asked;
  }

  private Optional<String> payer(PaymentPayload payload, PaymentRequirements terms) {
    Verification local = check(terms.network()).verify(payload, terms);
    if (local instanceof Verification.Valid valid) {
      return Optional.of(valid.payer());
    }
    return local instanceof Verification.Late late
        ? Optional.of(late.payment().payer())
        : Optional.empty();
  }

  @Override
  public List<String> networks() {
    return networks;
  }

  @Override
  public Optional<Map<String, Object>> offerExtra(String network) {
    return extras.of(network);
  }

  @Override
  public Optional<Map<String, Object>> uptoExtra(String network) {
    return uptoExtras.of(network);
  }

  @Override
  public Optional<Map<String, Object>> channelExtra(String network) {
    return channelExtras.of(network);
  }

  @Override
  public boolean isUsable(String network) {
    return offerExtra(network).isPresent()
        && remotes.stream().anyMatch(remote -> remote.isUsable(network));
  }

  @Override
  public Optional<Evidence> evidence(String network) {
    return Optional.ofNullable(watched.get(network)).map(Watched::evidence);
  }

  @Override
  public Optional<Balances> balances(String network) {
    return Optional.ofNullable(watched.get(network)).map(Watched::balances);
  }

  @Override
  public Optional<ChannelRefunds> channelRefunds(String network) {
    return Optional.ofNullable(watched.get(network)).flatMap(Watched::channelRefunds);
  }

  @Override
  public void close() {
    refreshing.cancel(true);
    background.shutdownNow();
  }

  /** Those that serve these terms, or all if none is known to; those that rest come last. */
  private List<RemoteFacilitator> inOrder(PaymentRequirements terms) {
    List<RemoteFacilitator> serving =
        remotes.stream()
            .filter(remote -> remote.serves(terms))
            .sorted(Comparator.comparing(RemoteFacilitator::rests))
            .toList();
    return serving.isEmpty() ? remotes : serving;
  }

  private void refresh() {
    remotes.forEach(RemoteFacilitator::refresh);
    extras.refresh();
    uptoExtras.refresh();
    channelExtras.refresh();
    asked = true;
  }

  private Optional<Map<String, Object>> uptoExtraNow(String network) {
    return remotes.stream()
        .flatMap(remote -> remote.uptoSettler(network).stream())
        .findFirst()
        .map(key -> Map.of(PaymentOption.FACILITATOR, key));
  }

  private Optional<Map<String, Object>> channelExtraNow(String network) {
    return remotes.stream()
        .flatMap(remote -> remote.channelAuthorizer(network).stream())
        .findFirst()
        .map(key -> Map.of(PaymentOption.RECEIVER_AUTHORIZER, key));
  }

  /** On EVM an unheard facilitator is offered all the same: it will say itself if it cannot. */
  private Optional<Map<String, Object>> extraNow(String network) {
    if (ChainFamily.of(network) == ChainFamily.EVM) {
      return remotes.stream().allMatch(remote -> remote.declines(network))
          ? Optional.empty()
          : NOTHING_BESIDES;
    }
    return remotes.stream()
        .flatMap(remote -> remote.feePayer(network).stream())
        .findFirst()
        .map(key -> Map.of(RemoteFacilitator.FEE_PAYER, key));
  }

  private Verification.Check check(String network) {
    Verification.Check check = checks.get(network.substring(0, network.indexOf(':')));
    if (check == null) {
      throw new IllegalArgumentException("nothing checks payments on " + network);
    }
    return check;
  }

  /** What is offered on each network by what the facilitators say; the same until that changes. */
  private final class Told {

    private final String what;
    private final Function<String, Optional<Map<String, Object>>> said;
    private volatile Map<String, Optional<Map<String, Object>>> known;

    Told(String what, Function<String, Optional<Map<String, Object>>> said) {
      this.what = what;
      this.said = said;
      this.known = now();
    }

    private Map<String, Optional<Map<String, Object>>> now() {
      return networks.stream()
          .distinct()
          .collect(Collectors.toUnmodifiableMap(Function.identity(), said));
    }

    Optional<Map<String, Object>> of(String network) {
      return known.getOrDefault(network, Optional.empty());
    }

    void refresh() {
      Map<String, Optional<Map<String, Object>>> fresh = now();
      if (!fresh.equals(known)) {
        LOG.info("{} has changed: {}", what, fresh);
        known = fresh;
      }
    }
  }

  /**
   * Which facilitator verified a payment, so that the same one settles it. Bounded; thread-safe.
   *
   * <p>What is lost here is no harm: the facilitator that settles verifies again, and only one is
   * ever asked to.
   */
  private static final class Verifiers {

    private static final int MAX = 16_384;

    private final Map<String, RemoteFacilitator> verifiers =
        new LinkedHashMap<>() {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<String, RemoteFacilitator> eldest) {
            return size() > MAX;
          }
        };

    void verified(PaymentPayload payload, RemoteFacilitator by) {
      String key = key(payload);
      synchronized (verifiers) {
        verifiers.put(key, by);
      }
    }

    @Nullable RemoteFacilitator take(PaymentPayload payload) {
      String key = key(payload);
      synchronized (verifiers) {
        return verifiers.remove(key);
      }
    }

    private static String key(PaymentPayload payload) {
      return Sha256.hex(payload.envelope());
    }
  }

  /**
   * What a remote facilitator says it supports, asked once.
   *
   * @param facilitator scheme and host of its address
   * @param network CAIP-2 id of the network that it was asked about
   * @param answer what it said
   * @param isForChannels whether it names the key there by which channels are claimed
   */
  public record FacilitatorReport(
      String facilitator, String network, Answer answer, boolean isForChannels) {

    /** What a facilitator says of a network. */
    public enum Answer {
      SETTLES,
      DOES_NOT_SETTLE,
      /** It gave no usable answer: not reached, or the credential was refused. */
      NONE
    }
  }

  /** No facilitator could be asked: nothing was decided, and nothing moved. */
  public static final class FacilitatorUnavailable extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** An outage is logged once for each payment, so that it carries no stack trace. */
    public FacilitatorUnavailable(String message) {
      super(message, null, false, false);
    }
  }

  /**
   * How remote facilitators are asked.
   *
   * @param urls their base addresses, 1 to 8, in the order in which they are asked
   * @param connect how long a connection may take to open
   * @param verify how long one facilitator may take to verify, and to say what it supports
   * @param settle how long it may take to settle, a chain's confirmation included
   * @param refresh how often they are asked what they support
   * @param forget how long what one supports is believed while it does not answer that question
   * @param maxAnswer the longest answer, in bytes
   */
  public record HttpFacilitatorSettings(
      List<URI> urls,
      Duration connect,
      Duration verify,
      Duration settle,
      Duration refresh,
      Duration forget,
      int maxAnswer) {

    private static final int MAX_URLS = 8;
    private static final int LEAST_ANSWER = 1024;

    public HttpFacilitatorSettings {
      urls = List.copyOf(urls);
      require(!urls.isEmpty() && urls.size() <= MAX_URLS, "1 to 8 facilitators are asked");
      for (URI url : urls) {
        require(isHttp(url), "a facilitator's address is http or https, without query or user");
      }
      for (Duration time : List.of(connect, verify, settle, refresh, forget)) {
        require(
            !time.isNegative() && !time.isZero(), "what waits for a facilitator has a deadline");
      }
      require(maxAnswer >= LEAST_ANSWER, "an answer may have 1024 bytes at least");
    }

    /** The defaults: 2 s, 5 s and 30 s; supported refreshed each minute, forgotten after five. */
    public static HttpFacilitatorSettings of(List<URI> urls) {
      return new HttpFacilitatorSettings(
          urls,
          Duration.ofSeconds(2),
          Duration.ofSeconds(5),
          Duration.ofSeconds(30),
          Duration.ofMinutes(1),
          Duration.ofMinutes(5),
          64 << 10);
    }

    private static boolean isHttp(URI url) {
      return ("http".equals(url.getScheme()) || "https".equals(url.getScheme()))
          && url.getHost() != null
          && url.getRawUserInfo() == null
          && url.getRawQuery() == null
          && url.getRawFragment() == null;
    }

    private static void require(boolean holds, String rule) {
      if (!holds) {
        throw new IllegalArgumentException(rule);
      }
    }
  }
}
