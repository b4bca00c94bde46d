package dev.octroi.payments.flow;

import dev.octroi.payments.CallRefused;
import dev.octroi.payments.Exchange;
import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.SignedInWallet;
import dev.octroi.payments.Usd;
import dev.octroi.payments.chain.ChainFamily;
import dev.octroi.payments.evm.EvmSignIn;
import dev.octroi.payments.flow.SignInChallenge.ChallengedAddress;
import dev.octroi.payments.ledger.SignInNonces;
import dev.octroi.payments.solana.SolanaSignIn;
import dev.octroi.payments.x402.Extensions;
import dev.octroi.payments.x402.MalformedPayment;
import dev.octroi.payments.x402.PaymentRequirements;
import dev.octroi.payments.x402.SignInMessage;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets payers sign in with their wallets (the protocol's extension {@code sign-in-with-x}).
 * Thread-safe.
 *
 * <p>A message says who signed it, and nothing else that counts: which address it is good for, the
 * nonce says; what is shown, the route and the ledger decide.
 */
public final class SignIns {

  private static final Logger LOG = LoggerFactory.getLogger(SignIns.class);

  /** What the clocks of two nodes may differ by. */
  private static final Duration SKEW = Duration.ofSeconds(30);

  private static final Usd ANY_PRICE = Usd.parse("1");
  private static final Pattern CHAIN =
      Pattern.compile("(eip155:[0-9]{1,20}|solana:[1-9A-Za-z]{1,32})");

  private final FlowSettings settings;
  private final SignInNonces nonces;
  private final SignInChallenge challenge;
  private final Map<SignInOutcome, LongAdder> counts = new EnumMap<>(SignInOutcome.class);

  SignIns(FlowSettings settings) {
    this.settings = settings;
    this.nonces = settings.ledger().signInNonces();
    this.challenge = new SignInChallenge(nonces, settings.clock());
    for (SignInOutcome outcome : SignInOutcome.values()) {
      counts.put(outcome, new LongAdder());
    }
  }

  /** What came of a signed message. */
  public enum SignInOutcome {
    /** Its wallet was shown something. */
    SHOWN,
    /** It is good, and there is nothing to show to its wallet. */
    NOTHING_BOUGHT,
    /** It is not good, or was used before. */
    INVALID,
    /** Payments of its wallet are not taken. */
    REFUSED,
    /** It cannot be read. */
    UNREADABLE;

    /** As figures name it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** How many messages this node has had of which this came. */
  public long count(SignInOutcome outcome) {
    return adder(outcome).sum();
  }

  private LongAdder adder(SignInOutcome outcome) {
    return Objects.requireNonNull(counts.get(outcome));
  }

  /** Whether a request brings a signed message, good or not. */
  public static boolean isTried(Exchange request) {
    return !request.headers(SignInMessage.HEADER).isEmpty();
  }

  /**
   * The wallet that a free request is signed in with, if it has paid here before; its nonce is used
   * then. Such a request counts as one without payment.
   *
   * @throws CallRefused 401 with a message to sign, where none was or it is not good; 403 where the
   *     wallet has never paid; 400 or 431 where the message cannot be read
   */
  public SignedInWallet reader(Exchange request) {
    settings.admission().unpaid(request);
    if (!isTried(request)) {
      throw new CallRefused(unknown(request, "An API key or a signed-in wallet is required."));
    }
    try {
      SignIn signIn = verified(request);
      if (!hasPaid(signIn.wallet())) {
        nothingBought();
        throw new CallRefused(
            settings
                .callers()
                .errors()
                .answer(request, 403, "never_paid", "This wallet has paid for nothing here."));
      }
      use(signIn);
      return signIn.wallet();
    } catch (MalformedPayment e) {
      throw e.refused();
    } catch (Invalid e) {
      throw new CallRefused(unknown(request, e.code()));
    }
  }

  /**
   * Who has signed the message of a request. Throws {@link MalformedPayment}, {@link CallRefused}
   * where there are two or it is too long, {@link Invalid} where it is not good. Its caller says
   * what came of it, by {@link #use} or {@link #nothingBought}.
   */
  SignIn verified(Exchange request) throws Invalid {
    SignInMessage message = message(request);
    SignedInWallet wallet;
    try {
      requireOurs(message, ChallengedAddress.of(settings.urls().of(request)));
      wallet = signer(message);
    } catch (Invalid e) {
      adder(SignInOutcome.INVALID).increment();
      throw e;
    }
    for (String network : wallet.networks()) {
      if (!settings.callers().policy().serves(network, key(network, wallet))) {
        adder(SignInOutcome.REFUSED).increment();
        throw new CallRefused(settings.callers().payerRefused(request));
      }
    }
    return new SignIn(wallet, message.nonce());
  }

  private SignInMessage message(Exchange request) {
    try {
      return SignInMessage.read(header(request));
    } catch (MalformedPayment | CallRefused e) {
      adder(SignInOutcome.UNREADABLE).increment();
      throw e;
    }
  }

  /** Uses its nonce up: now something is shown for it. */
  void use(SignIn signIn) throws Invalid {
    if (!nonces.use(signIn.nonce())) {
      adder(SignInOutcome.INVALID).increment();
      throw new Invalid("nonce");
    }
    adder(SignInOutcome.SHOWN).increment();
  }

  /** There is nothing to show: its nonce stays good, so that a stranger writes nothing down. */
  void nothingBought() {
    adder(SignInOutcome.NOTHING_BOUGHT).increment();
  }

  private boolean hasPaid(SignedInWallet wallet) {
    return wallet.networks().stream()
        .anyMatch(network -> settings.ledger().history(network, key(network, wallet)).hasPaid());
  }

  private static String key(String network, SignedInWallet wallet) {
    return ChainFamily.of(network).spelling(wallet.payer());
  }

  private static String header(Exchange request) {
    String value =
        Objects.requireNonNull(PaymentHeader.only(request::headers, SignInMessage.HEADER));
    if (value.length() > SignInMessage.MAX_HEADER_CHARS) {
      throw new CallRefused(
          HttpAnswer.error(431, "The header " + SignInMessage.HEADER + " is longer than 6 KiB."));
    }
    return value;
  }

  /** In the protocol's order: domain, origin, times, nonce. */
  private void requireOurs(SignInMessage message, ChallengedAddress address) throws Invalid {
    require(message.domain().equals(address.domain()), "domain_mismatch");
    require(origin(message.uri()).equals(Optional.of(address.origin())), "uri_mismatch");
    Instant now = settings.clock().instant();
    Instant issuedAt = time(message.issuedAt(), "issued_at");
    require(!issuedAt.plus(SignInNonces.LIFE).isBefore(now), "issued_at_too_old");
    require(!issuedAt.isAfter(now.plus(SKEW)), "issued_at_in_future");
    if (message.expirationTime() != null) {
      require(!time(message.expirationTime(), "expiration_time").isBefore(now), "expired");
    }
    if (message.notBefore() != null) {
      require(!time(message.notBefore(), "not_before").isAfter(now), "not_yet_valid");
    }
    require(nonces.isOurs(message.nonce(), address.text(), issuedAt), "nonce");
  }

  private SignedInWallet signer(SignInMessage message) throws Invalid {
    String chain = message.chainId();
    require(CHAIN.matcher(chain).matches(), "chain_id");
    List<String> networks = networks();
    require(networks.contains(chain), "unsupported_chain");
    ChainFamily family = ChainFamily.of(chain);
    List<String> ofKey =
        networks.stream().filter(network -> ChainFamily.of(network) == family).toList();
    try {
      return switch (family) {
        case EVM -> evm(EvmSignIn.of(message), chain, ofKey);
        case SOLANA -> solana(SolanaSignIn.of(message), ofKey);
      };
    } catch (IllegalArgumentException e) {
      throw new Invalid("malformed_signature");
    }
  }

  /** A key is one payer's on every chain; a contract's address may be another's elsewhere. */
  private SignedInWallet evm(EvmSignIn signIn, String chain, List<String> ofKey) throws Invalid {
    String payer = signIn.account().toString();
    if (signIn.isSignedByKey()) {
      return new SignedInWallet(payer, ofKey);
    }
    require(isSignedByContract(signIn, chain), "signature");
    return new SignedInWallet(payer, List.of(chain));
  }

  private boolean isSignedByContract(EvmSignIn signIn, String chain) throws Invalid {
    try {
      return Optional.ofNullable(settings.facilitators().get(chain))
          .flatMap(facilitator -> facilitator.evidence(chain))
          .filter(
              evidence ->
                  evidence.isSignedByContract(
                      signIn.account().toString(), signIn.digest(), signIn.signature()))
          .isPresent();
    } catch (RuntimeException e) {
      LOG.warn("A contract of {} cannot be asked for its signature: {}", chain, e.getMessage());
      throw new Invalid("verifier_error");
    }
  }

  private static SignedInWallet solana(SolanaSignIn signIn, List<String> ofKey) throws Invalid {
    require(signIn.isSigned(), "signature");
    return new SignedInWallet(signIn.account().toString(), ofKey);
  }

  /** Those that are offered, whether or not their facilitators settle at the moment. */
  private List<String> networks() {
    return settings.offers().networks().stream().sorted().toList();
  }

  private static Instant time(String text, String code) throws Invalid {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw new Invalid(code);
    }
  }

  private static Optional<String> origin(String uri) {
    try {
      URI stated = URI.create(uri);
      return stated.getRawAuthority() == null || stated.getScheme() == null
          ? Optional.empty()
          : Optional.of(ChallengedAddress.of(uri).origin());
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static void require(boolean holds, String code) throws Invalid {
    if (!holds) {
      throw new Invalid(code);
    }
  }

  /** 401 with a message to sign. */
  private HttpAnswer unknown(Exchange request, String error) {
    List<PaymentRequirements> accepts = settings.offers().accepts(ANY_PRICE);
    Map<String, Object> said = challenge.said(settings.urls().of(request), accepts);
    return HttpAnswer.json(
            401,
            Extensions.object(
                Map.of("error", error, "extensions", Map.of(SignInMessage.EXTENSION, said))))
        .with("WWW-Authenticate", "Bearer");
  }

  /**
   * A wallet that has proven to be there.
   *
   * @param nonce what it may be shown something for, once
   */
  record SignIn(SignedInWallet wallet, String nonce) {}

  /** A message that is not good, by one of the protocol's codes. */
  static final class Invalid extends Exception {

    private static final long serialVersionUID = 1L;
    private static final String PREFIX = "invalid_siwx_";

    private final String code;

    Invalid(String reason) {
      // Without a stack trace: a flood of rubbish must stay cheap to refuse.
      super(PREFIX + reason, null, false, false);
      this.code = PREFIX + reason;
    }

    String code() {
      return code;
    }
  }
}
