package dev.octroi.payments.setup;

import dev.octroi.payments.Admission;
import dev.octroi.payments.Exchange;
import dev.octroi.payments.HostNaming;
import dev.octroi.payments.PaymentObserver;
import dev.octroi.payments.PaymentsMisconfigured;
import dev.octroi.payments.Prices;
import dev.octroi.payments.Tariff;
import dev.octroi.payments.Usd;
import dev.octroi.payments.account.AccountCharges;
import dev.octroi.payments.body.BodyBuffer;
import dev.octroi.payments.evm.EvmToken;
import dev.octroi.payments.facilitator.Facilitator;
import dev.octroi.payments.facilitator.FacilitatorAuth;
import dev.octroi.payments.flow.CallLimits;
import dev.octroi.payments.flow.Callers;
import dev.octroi.payments.flow.ClientProtocol;
import dev.octroi.payments.flow.CreditBounds.CreditTerms;
import dev.octroi.payments.flow.FlowSettings;
import dev.octroi.payments.flow.PaymentFlow;
import dev.octroi.payments.flow.ResourceUrl;
import dev.octroi.payments.flow.SignIns;
import dev.octroi.payments.ledger.Debts;
import dev.octroi.payments.ledger.Ledger;
import dev.octroi.payments.ledger.Purchases.Purchase;
import dev.octroi.payments.ledger.jdbc.JdbcLedger;
import dev.octroi.payments.netting.Netting;
import dev.octroi.payments.netting.Netting.NettingTerms;
import dev.octroi.payments.reconcile.Reconciler;
import dev.octroi.payments.x402.Challenges.OfferExtensions;
import dev.octroi.payments.x402.Descriptions;
import dev.octroi.payments.x402.Extensions;
import dev.octroi.payments.x402.OfferedPrice;
import dev.octroi.payments.x402.Offers;
import dev.octroi.payments.x402.PaymentOption;
import dev.octroi.payments.x402.PaymentRequirements;
import java.net.URI;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * How an application is paid: its ledger, its facilitators, what it accepts and within which
 * limits. Handed to a {@code PaymentsFeature}, it charges for JAX-RS methods that are {@link
 * dev.octroi.payments.Paid}; handed to a {@code PaymentServletFilter}, for what lies below a path.
 * Thread-safe; closed with the application.
 */
public final class Payments implements AutoCloseable {

  private final FlowSettings settings;
  private final PaymentFlow flow;
  private final Optional<Reconciler> reconciler;

  private Payments(FlowSettings settings, Optional<Reconciler> reconciler) {
    this.settings = settings;
    this.flow = new PaymentFlow(settings);
    this.reconciler = reconciler;
    // Not by a reference to the method, which would want the scheduler's jar where there is none.
    reconciler.ifPresent(one -> one.start());
  }

  /** Nothing is there yet: the host hands over each part. */
  public static Builder builder() {
    return new Builder(null);
  }

  /**
   * Payments in worthless money, for trials and tests: real signatures, balances in the database.
   *
   * @param database with the schema applied ({@code Migrations.apply}), outside of the host's
   *     transactions; the host closes it after the payments
   */
  public static Builder sandbox(DataSource database) {
    return new Builder(StoredPayments.sandbox(database));
  }

  /**
   * Payments in USDC on Base, which others verify and settle.
   *
   * @param database with the schema applied; an H2 file needs {@code WRITE_DELAY=0}
   * @param payTo the address to be paid at, with its checksum or all in one case
   * @param facilitators the addresses of standard facilitators, the preferred first
   */
  public static Builder remote(DataSource database, String payTo, String... facilitators) {
    return new Builder(StoredPayments.remote(database, payTo, List.of(facilitators)));
  }

  /**
   * Payments in USDC on Base, settled by transactions of this application's own.
   *
   * @param database with the schema applied; an H2 file needs {@code WRITE_DELAY=0}
   * @param payTo the address to be paid at
   * @param relayerKey the private key of a wallet with ether that pays for gas, in hexadecimal
   * @param rpc JSON-RPC addresses of the chain's nodes, the preferred first
   */
  public static Builder chain(DataSource database, String payTo, String relayerKey, String... rpc) {
    return new Builder(StoredPayments.chain(database, payTo, List.of(rpc), List.of(relayerKey)));
  }

  /** How many paid calls are in flight at this moment. */
  public int callsInFlight() {
    return flow.callsInFlight();
  }

  /**
   * What takes in request bodies: for a host that waits for them without a thread, before it calls
   * the application, so that all of them share one room.
   */
  public BodyBuffer bodies() {
    return flow.bodies();
  }

  /**
   * The ways to pay a price above zero now, the preferred first; empty if no facilitator settles.
   */
  public List<PaymentRequirements> accepts(OfferedPrice price) {
    return settings.offers().accepts(price);
  }

  /**
   * Pays for what is owed, also what is left where calls by API key are paid for one by one; empty
   * where these are not taken.
   */
  public Optional<Netting> netting(Debts debts) {
    return settings.netter(debts);
  }

  /** Charges accounts without a call; empty where calls by API key are not taken. */
  public Optional<AccountCharges> charges() {
    return flow.charges();
  }

  /**
   * The payment of an id or of a transaction, for the caller who sends the byte-identical payment
   * header along; empty for any other caller.
   *
   * @throws dev.octroi.payments.CallRefused 400 or 431 if the payment header cannot be read
   */
  public Optional<Purchase> purchase(String id, Function<String, List<String>> headers) {
    return flow.purchase(id, headers);
  }

  /** Lets payers sign in with their wallets; empty where the protocol's part is not spoken. */
  public Optional<SignIns> signIns() {
    return flow.signIns();
  }

  /** What this application is called by those who call it. */
  public ResourceUrl addresses() {
    return settings.urls();
  }

  /** The path of every paid call; for what adapts it to a container. */
  public PaymentFlow flow() {
    return flow;
  }

  /** Stops taking care of calls in flight and closes the facilitators and the ledger. */
  @Override
  public void close() {
    reconciler.ifPresent(one -> one.close());
    flow.close();
    Set.copyOf(settings.facilitators().values()).forEach(Facilitator::close);
    settings.ledger().close();
  }

  /** Collects the configuration; {@link #build} tells all that is wrong with it at once. */
  public static final class Builder {

    private final Map<String, Facilitator> facilitators = new HashMap<>();
    private final List<PaymentOption> options = new ArrayList<>();
    private final Map<Class<? extends Tariff>, Tariff> tariffs = new HashMap<>();
    private final List<String> problems = new ArrayList<>();
    private @Nullable Ledger ledger;
    private @Nullable URI publicBaseUrl;
    private String partBelow = "";
    private Clock clock = Clock.systemUTC();
    private Prices prices = Prices.LISTED;
    private Admission admission = Admission.OPEN;
    private CallLimits limits = CallLimits.defaults();
    private Predicate<String> priceInBody = path -> true;
    private ToIntFunction<Exchange> trustedProxies = request -> 0;
    private HostNaming hosts = HostNaming.AS_CALLED;
    private UnaryOperator<String> canonical = UnaryOperator.identity();
    private Usd unsettledPerPayer = Usd.parse("1");
    private CreditTerms credit = CreditTerms.DEFAULT;
    private Callers callers = Callers.anybody();
    private ClientProtocol protocol = ClientProtocol.DEFAULT;
    private Descriptions descriptions = Descriptions.NONE;
    private @Nullable NettingTerms netting;
    private PaymentObserver observer = PaymentObserver.NONE;
    private boolean strict;
    private final Optional<StoredPayments> stored;

    private Builder(@Nullable StoredPayments stored) {
      this.stored = Optional.ofNullable(stored);
    }

    /** The stablecoin that is taken in place of USDC on Base. */
    public Builder token(EvmToken token) {
      return stored("a token", parts -> parts.token(token));
    }

    /**
     * Seals stored answers: 32 bytes, secret, the same on every node and at every start. Without
     * it, answers that did not arrive before a start cannot be had again.
     */
    public Builder answerKey(byte[] key) {
      return stored("an answerKey", parts -> parts.answerKey(key));
    }

    /**
     * This node's name in the ledger, 1 to 64 characters, of which one process at a time has each;
     * made of host and process unless set.
     */
    public Builder node(String name) {
      return stored("a node", parts -> parts.node(name));
    }

    /** What facilitators know this application by; nothing unless set. */
    public Builder facilitatorAuth(FacilitatorAuth credential) {
      return stored("a facilitatorAuth", parts -> parts.auth(credential));
    }

    /**
     * JSON-RPC addresses of the chain's nodes, by which payments that a facilitator leaves in doubt
     * are decided; without any they wait for a person.
     */
    public Builder rpc(String... urls) {
      return stored("an rpc", parts -> parts.rpc(List.of(urls)));
    }

    private Builder stored(String what, Consumer<StoredPayments> change) {
      if (stored.isEmpty()) {
        problems.add(
            what + " goes with sandbox, remote or chain: with builder() it is a part's own");
      }
      stored.ifPresent(change);
      return this;
    }

    /** Where payments are recorded; the payments own it from now on and close it. Required. */
    public Builder ledger(Ledger theLedger) {
      this.ledger = theLedger;
      return this;
    }

    /**
     * Verifies and settles on its networks; the payments own it from now on and close it. One for
     * each network that is accepted; required.
     */
    public Builder facilitator(Facilitator facilitator) {
      for (String network : facilitator.networks()) {
        if (facilitators.put(network, facilitator) != null) {
          problems.add("two facilitators for " + network + ": which one is to settle?");
        }
      }
      return this;
    }

    /** A way to pay, in the order in which they are offered. At least one is required. */
    public Builder accept(PaymentOption option) {
      options.add(option);
      return this;
    }

    /** An instance of a tariff that has no public constructor without parameters. */
    public Builder tariff(Tariff tariff) {
      tariffs.put(tariff.getClass(), tariff);
      return this;
    }

    /** Decides what a call costs, given its list price; {@link Prices#LISTED} by default. */
    public Builder prices(Prices thePrices) {
      this.prices = thePrices;
      return this;
    }

    /** Decides which calls may go on at all; {@link Admission#OPEN} by default. */
    public Builder admission(Admission theAdmission) {
      this.admission = theAdmission;
      return this;
    }

    /** Who calls by API key, whose money is not taken, and the host's words for what is called. */
    public Builder callers(Callers theCallers) {
      this.callers = theCallers;
      return this;
    }

    /** The clock that deadlines are judged by; the system's by default. */
    public Builder clock(Clock theClock) {
      this.clock = theClock;
      return this;
    }

    /** The address below which the world reaches this application, such as a proxy's. */
    public Builder publicBaseUrl(URI address) {
      if (!address.isAbsolute() || address.getRawAuthority() == null) {
        problems.add("the public base URL is absolute, such as https://api.example.com");
      }
      this.publicBaseUrl = address;
      return this;
    }

    /**
     * A part of the application that lies by itself below a path, such as {@code /octroi}: its
     * requests have a context path that ends with it, and addresses below the public base URL have
     * it too.
     */
    public Builder partBelow(String path) {
      this.partBelow = path;
      return this;
    }

    /**
     * How many proxies, counted from this server, passed a request on whose forwarded headers are
     * believed: each adds to their end what it saw, or overwrites them. None by default.
     */
    public Builder trustedProxies(ToIntFunction<Exchange> passed) {
      this.trustedProxies = passed;
      return this;
    }

    /** Which host challenges and receipts name; {@link HostNaming#AS_CALLED} by default. */
    public Builder hosts(HostNaming naming) {
      this.hosts = naming;
      return this;
    }

    /**
     * The path below the application for which another path stands, as the host's filters rewrite
     * it; the path itself where it is no alias. Payers may state either. No path is one by default.
     */
    public Builder aliases(UnaryOperator<String> toCanonical) {
      this.canonical = toCanonical;
      return this;
    }

    /** Which paths get the price as a member of their JSON answers; all by default. */
    public Builder priceInBody(Predicate<String> paths) {
      this.priceInBody = paths;
      return this;
    }

    /** What a payer whose balance is not told may have unsettled (money rule 8); $1 by default. */
    public Builder unsettledPerPayer(Usd most) {
      this.unsettledPerPayer = most;
      return this;
    }

    /** What payers that sign a ceiling may owe while their answers leave. */
    public Builder credit(CreditTerms terms) {
      this.credit = terms;
      return this;
    }

    /**
     * Settles calls by API key on account, and pays for many of them by one transfer; {@link
     * Payments#netting} is to be run from time to time then. Each by itself unless set.
     */
    public Builder netted(NettingTerms terms) {
      this.netting = terms;
      return this;
    }

    /** What a paid call may take up: time, memory, disk. */
    public Builder limits(CallLimits theLimits) {
      problems.addAll(theLimits.problems());
      this.limits = theLimits;
      return this;
    }

    /** What is spoken with clients beside x402 v2; {@link ClientProtocol#DEFAULT} unless set. */
    public Builder protocol(ClientProtocol spoken) {
      this.protocol = spoken;
      return this;
    }

    /** What challenges say of their resources; {@link Descriptions#NONE} by default. */
    public Builder descriptions(Descriptions ofResources) {
      this.descriptions = ofResources;
      return this;
    }

    /** Is told how the steps of payments ended; none by default. */
    public Builder observer(PaymentObserver theObserver) {
      this.observer = theObserver;
      return this;
    }

    /**
     * Fails the deployment of a method that is neither {@link dev.octroi.payments.Paid} nor {@link
     * dev.octroi.payments.Free}.
     */
    public Builder strict(boolean nothingIsFreeByOmission) {
      this.strict = nothingIsFreeByOmission;
      return this;
    }

    /** Throws {@link PaymentsMisconfigured} with everything that is wrong. */
    public Payments build() {
      if (stored.isEmpty()) {
        return built(Optional.empty());
      }
      StoredPayments parts = stored.get();
      problems.addAll(parts.problems());
      if (!problems.isEmpty()) {
        throw new PaymentsMisconfigured(problems);
      }
      if (options.isEmpty()) {
        options.add(parts.option());
      }
      DataSource store = parts.store();
      Optional<Facilitator> own = Optional.empty();
      if (!facilitators.containsKey(parts.network())) {
        Facilitator made = parts.facilitator(store, clock);
        own = Optional.of(made);
        facilitator(made);
      }
      JdbcLedger kept = null;
      try {
        if (ledger == null) {
          kept = parts.ledger(store, limits.answerBytes(), protocol.signIn(), clock);
          ledger = kept;
        }
        return built(
            Optional.ofNullable(kept)
                .map(opened -> parts.reconciler(opened, store, distinct(), clock)));
      } catch (RuntimeException e) {
        if (kept != null) {
          kept.close();
        }
        own.ifPresent(Facilitator::close);
        throw e;
      }
    }

    private Set<Facilitator> distinct() {
      return Set.copyOf(facilitators.values());
    }

    private Payments built(Optional<Reconciler> reconciler) {
      Optional<Offers> offers = offers();
      if (ledger == null) {
        problems.add("payments need a ledger");
      }
      problems.addAll(unsettled(options, facilitators));
      if (protocol.signIn()
          && publicBaseUrl == null
          && !worthless().containsAll(facilitators.keySet())) {
        problems.add(
            "wallets sign in at the public base URL: without it another site could have its visitors"
                + " sign in here");
      }
      if (ledger == null || offers.isEmpty() || !problems.isEmpty()) {
        throw new PaymentsMisconfigured(problems);
      }
      return new Payments(settings(ledger, offers.get()), reconciler);
    }

    private Optional<Offers> offers() {
      try {
        return Optional.of(settled(options, facilitators));
      } catch (IllegalArgumentException e) {
        problems.add(String.valueOf(e.getMessage()));
        return Optional.empty();
      }
    }

    private OfferExtensions announced() {
      Set<Facilitator> all = distinct();
      return (url, accepts) ->
          all.stream()
              .map(facilitator -> facilitator.announced(accepts))
              .reduce(Extensions.NONE, Extensions::and);
    }

    private List<String> worthless() {
      return facilitators.entrySet().stream()
          .filter(entry -> entry.getValue().settlesInLedger())
          .map(Map.Entry::getKey)
          .toList();
    }

    private FlowSettings settings(Ledger theLedger, Offers offers) {
      return new FlowSettings(
          theLedger,
          facilitators,
          offers,
          protocol.challenges(offers, worthless(), announced(), theLedger.signInNonces(), clock),
          tariffs,
          prices,
          admission,
          callers,
          clock,
          new ResourceUrl(publicBaseUrl, partBelow, trustedProxies, hosts, canonical),
          Optional.ofNullable(netting),
          unsettledPerPayer,
          credit,
          priceInBody,
          limits,
          protocol,
          descriptions,
          observer,
          strict);
    }
  }

  /**
   * The ways to pay, each with what its facilitator says of it. Throws {@link
   * IllegalArgumentException} if the options do not do together.
   */
  private static Offers settled(
      List<PaymentOption> options, Map<String, Facilitator> facilitators) {
    Map<String, Facilitator> settling = Map.copyOf(facilitators);
    return new Offers(
        options,
        option ->
            Optional.ofNullable(settling.get(option.network()))
                .flatMap(facilitator -> said(facilitator, option)));
  }

  private static Optional<Map<String, Object>> said(Facilitator facilitator, PaymentOption option) {
    return switch (option.scheme()) {
      case PaymentOption.UPTO -> facilitator.uptoExtra(option.network());
      case PaymentOption.CHANNEL -> facilitator.channelExtra(option.network());
      default -> facilitator.offerExtra(option.network());
    };
  }

  /** What is accepted although no facilitator settles it, a sentence each. */
  private static List<String> unsettled(
      List<PaymentOption> options, Map<String, Facilitator> facilitators) {
    return options.stream()
        .map(PaymentOption::network)
        .filter(network -> !facilitators.containsKey(network))
        .map(network -> "no facilitator settles on " + network + ", which is accepted")
        .toList();
  }
}
