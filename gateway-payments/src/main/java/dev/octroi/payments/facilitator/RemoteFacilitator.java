package dev.octroi.payments.facilitator;

import dev.octroi.payments.chain.ChainFamily;
import dev.octroi.payments.facilitator.HttpFacilitator.FacilitatorReport;
import dev.octroi.payments.facilitator.HttpFacilitator.HttpFacilitatorSettings;
import dev.octroi.payments.facilitator.RemoteCalls.NoReply;
import dev.octroi.payments.x402.FacilitatorMessages;
import dev.octroi.payments.x402.FacilitatorMessages.SupportedKind;
import dev.octroi.payments.x402.FacilitatorMessages.VerifyResponse;
import dev.octroi.payments.x402.MalformedPayment;
import dev.octroi.payments.x402.PaymentOption;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import dev.octroi.payments.x402.SettlementResponse;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One remote facilitator: its three verbs, and what is known of it. Thread-safe. */
final class RemoteFacilitator {

  static final String FEE_PAYER = "feePayer";

  private static final Logger LOG = LoggerFactory.getLogger(RemoteFacilitator.class);

  private static final int OK = 200;
  private static final int SERVER_ERROR = 500;
  private static final int VERSION = 2;

  /** An address that has no key. */
  private static final Pattern NO_KEY = Pattern.compile("0x0+");

  /** How long one that gave no answer is asked after the others. */
  private static final Duration REST = Duration.ofSeconds(10);

  private final URI base;
  private final RemoteCalls calls;
  private final HttpFacilitatorSettings settings;
  private final Clock clock;
  private volatile Instant restsUntil = Instant.MIN;
  private volatile @Nullable Supported supported;
  private volatile @Nullable Supported last;
  private volatile boolean silent;
  private volatile boolean reached = true;

  /** What it said it supports, and when. */
  private record Supported(List<SupportedKind> kinds, Instant at) {}

  RemoteFacilitator(URI base, RemoteCalls calls, HttpFacilitatorSettings settings, Clock clock) {
    this.base = base;
    this.calls = calls;
    this.settings = settings;
    this.clock = clock;
  }

  boolean rests() {
    return clock.instant().isBefore(restsUntil);
  }

  /** Whether it was there when it was last asked anything, and is not known to decline. */
  boolean isUsable(String network) {
    return reached && !rests() && !declines(network);
  }

  /** What it says of a payment; anything that is no clear answer is none. */
  VerifyResponse verify(PaymentPayload payload, PaymentRequirements terms) throws NoReply {
    byte[] request = FacilitatorMessages.request(version(terms), payload, terms);
    try {
      RemoteCalls.Reply reply = calls.post(at("verify"), request, "", settings.verify());
      VerifyResponse answer = understood(reply);
      restsUntil = Instant.MIN;
      return answer;
    } catch (NoReply e) {
      restsUntil = clock.instant().plus(REST);
      throw e;
    }
  }

  /** Some say with 400 what the protocol says with 200; a success must be one. */
  private static VerifyResponse understood(RemoteCalls.Reply reply) throws NoReply {
    try {
      VerifyResponse answer = FacilitatorMessages.readVerification(reply.body());
      boolean refusal =
          reply.status() >= 400
              && reply.status() < SERVER_ERROR
              && !answer.valid()
              && answer.invalidReason() != null;
      if (!answer.valid() && Reasons.isItsOwn(answer.invalidReason())) {
        throw new NoReply("it failed with " + answer.invalidReason());
      }
      if (reply.status() == OK || refusal) {
        return answer;
      }
    } catch (MalformedPayment e) {
      throw new NoReply("status " + reply.status() + ", and no verification in it");
    }
    throw new NoReply("status " + reply.status());
  }

  /**
   * Asks once.
   *
   * @param payer who pays, as far as that is known here
   * @param attempt names what is asked for; empty if it has no name
   */
  Settlement settle(
      PaymentPayload payload, PaymentRequirements terms, Optional<String> payer, String attempt) {
    int version = version(terms);
    byte[] request = FacilitatorMessages.request(version, payload, terms);
    try {
      return outcome(
          calls.post(at("settle"), request, attempt, settings.settle()),
          new Asked(
              FacilitatorMessages.networkIn(version, terms.network()),
              ChainFamily.of(terms.network()),
              payer));
    } catch (NoReply e) {
      restsUntil = clock.instant().plus(REST);
      if (!e.mayHaveArrived()) {
        LOG.warn("The facilitator at {} could not be asked to settle: {}", this, e.getMessage());
        return new Settlement.Unsent(Reasons.UNREACHABLE);
      }
      LOG.warn("The facilitator at {} left a settlement in doubt: {}", this, e.getMessage());
      return new Settlement.Unknown(Reasons.NO_ANSWER, null);
    }
  }

  /** Asks what it supports; what it said before is forgotten only after a while. */
  void refresh() {
    boolean answered = false;
    try {
      RemoteCalls.Reply reply = calls.get(at("supported"), settings.verify());
      answered = reply.status() < SERVER_ERROR;
      if (reply.status() != OK) {
        throw new NoReply("status " + reply.status());
      }
      last = new Supported(FacilitatorMessages.readSupported(reply.body()), clock.instant());
      supported = last;
      silent = false;
    } catch (NoReply | MalformedPayment e) {
      if (!silent) {
        LOG.warn("The facilitator at {} does not say what it supports: {}", this, e.getMessage());
      }
      silent = true;
      Supported known = supported;
      if (known != null && known.at().plus(settings.forget()).isBefore(clock.instant())) {
        supported = null;
      }
    } finally {
      reached = answered;
    }
  }

  /** What it says of a network, asked now. */
  FacilitatorReport report(String network) {
    refresh();
    FacilitatorReport.Answer answer =
        silent
            ? FacilitatorReport.Answer.NONE
            : declines(network)
                ? FacilitatorReport.Answer.DOES_NOT_SETTLE
                : FacilitatorReport.Answer.SETTLES;
    return new FacilitatorReport(
        toString(), network, answer, channelAuthorizer(network).isPresent());
  }

  /** Whether it is known not to settle on this network. */
  boolean declines(String network) {
    return supported != null && kind(PaymentOption.EXACT, network).isEmpty();
  }

  /** Who pays the fees on Solana; empty as long as that is not known. */
  Optional<String> feePayer(String network) {
    return kind(PaymentOption.EXACT, network)
        .map(SupportedKind::extra)
        .map(extra -> extra.get(FEE_PAYER))
        .filter(key -> ChainFamily.SOLANA.isAddress(key));
  }

  /** Whose transactions settle upto; empty as long as that is not known. */
  Optional<String> uptoSettler(String network) {
    return named(supported, PaymentOption.UPTO, network, PaymentOption.FACILITATOR).findFirst();
  }

  /** Whose key signs claims and refunds of channels; empty as long as that is not known. */
  Optional<String> channelAuthorizer(String network) {
    return authorizers(supported, network).findFirst();
  }

  private static Stream<String> authorizers(@Nullable Supported said, String network) {
    return named(said, PaymentOption.CHANNEL, network, PaymentOption.RECEIVER_AUTHORIZER)
        .filter(key -> !NO_KEY.matcher(key).matches());
  }

  private static Stream<String> named(
      @Nullable Supported said, String scheme, String network, String member) {
    return said == null
        ? Stream.empty()
        : said.kinds().stream()
            .filter(kind -> kind.settles(scheme, network))
            .flatMap(kind -> Stream.ofNullable(kind.extra()))
            .flatMap(extra -> Stream.ofNullable(extra.get(member)))
            .filter(ChainFamily.EVM::isAddress);
  }

  /** Whether it can verify and settle on these terms, as far as is known. */
  boolean serves(PaymentRequirements terms) {
    if (terms.isChannel()) {
      return terms
          .extra(PaymentOption.RECEIVER_AUTHORIZER)
          .filter(key -> isAuthorizer(terms.network(), key.toString()))
          .isPresent();
    }
    if (terms.isUpto()) {
      return isNamed(terms, PaymentOption.FACILITATOR, uptoSettler(terms.network()));
    }
    if (ChainFamily.of(terms.network()) == ChainFamily.EVM) {
      return !declines(terms.network());
    }
    return isNamed(terms, FEE_PAYER, feePayer(terms.network()));
  }

  /**
   * Whether its key is the receiver's of a channel, by what it said when it last answered: what is
   * owed out of channels is claimed for longer than they are offered.
   */
  boolean isAuthorizer(String network, String key) {
    return authorizers(last, network).anyMatch(key::equalsIgnoreCase);
  }

  private static boolean isNamed(PaymentRequirements terms, String name, Optional<String> key) {
    return key.isPresent() && key.equals(terms.extra(name));
  }

  /** The version in which it is asked: 1 only if it says that it knows no other. */
  private int version(PaymentRequirements terms) {
    return kind(terms.scheme(), terms.network()).map(SupportedKind::x402Version).orElse(VERSION);
  }

  private Optional<SupportedKind> kind(String scheme, String network) {
    Supported known = supported;
    return known == null
        ? Optional.empty()
        : known.kinds().stream()
            .filter(kind -> kind.settles(scheme, network))
            .max(Comparator.comparingInt(SupportedKind::x402Version));
  }

  private URI at(String verb) {
    String address = base.toString();
    return URI.create(address.endsWith("/") ? address + verb : address + "/" + verb);
  }

  @Override
  public String toString() {
    // A path may hold a key.
    return base.getScheme() + "://" + base.getRawAuthority();
  }

  /**
   * What a remote facilitator's answer to {@code /settle} means. Only a complete success is {@link
   * Settlement.Settled}, only a reason that rules out a transaction is {@link Settlement.Refused};
   * anything else is {@link Settlement.Unknown} (x402, rules for an uncertain outcome).
   */
  private static Settlement outcome(RemoteCalls.Reply reply, Asked asked) {
    SettlementResponse answer;
    try {
      answer = FacilitatorMessages.readSettlement(reply.body());
    } catch (MalformedPayment e) {
      return new Settlement.Unknown(Reasons.MALFORMED, null);
    }
    String transaction = asked.transaction(answer);
    if (answer.success()) {
      return reply.status() == OK && transaction != null && asked.isMeantBy(answer)
          ? new Settlement.Settled(transaction)
          : new Settlement.Unknown(Reasons.MALFORMED, transaction);
    }
    // With a transaction on its way, a failure is the chain's to tell: it may be a timeout, or a
    // revert because a third party had submitted the same authorization first.
    boolean none = answer.transaction().isEmpty();
    if (none && reply.status() == OK && Reasons.NOT_SENT.equals(answer.errorReason())) {
      return new Settlement.Unsent(Reasons.NOT_SENT);
    }
    String reason = Reasons.word(answer.errorReason(), Reasons.MALFORMED);
    return none && reply.status() < SERVER_ERROR && Reasons.isCertain(answer.errorReason())
        ? new Settlement.Refused(reason)
        : new Settlement.Unknown(reason, transaction);
  }

  /**
   * What a facilitator was asked.
   *
   * @param network as the facilitator's version of the protocol calls it
   * @param payer who pays, as far as that is known here
   */
  private record Asked(String network, ChainFamily family, Optional<String> payer) {

    private @Nullable String transaction(SettlementResponse answer) {
      return family.isTransaction(answer.transaction()) ? answer.transaction() : null;
    }

    private boolean isMeantBy(SettlementResponse answer) {
      String named = answer.payer();
      return answer.network().equals(network)
          && (named == null
              || payer.map(PaymentKey::spelling).stream()
                  .allMatch(PaymentKey.spelling(named)::equals));
    }
  }
}
