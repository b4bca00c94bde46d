package dev.octroi.payments.setup;

import dev.octroi.payments.chain.ChainFamily;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.EvmToken;
import dev.octroi.payments.evm.ExactEvmVerifier;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.evm.TokenDomain;
import dev.octroi.payments.evm.chain.ChainBalances;
import dev.octroi.payments.evm.chain.ChainEvidence;
import dev.octroi.payments.evm.chain.ChainEvidence.Finality;
import dev.octroi.payments.evm.chain.ChainEvmVerifier;
import dev.octroi.payments.evm.chain.JsonRpc;
import dev.octroi.payments.evm.relay.EvmFacilitator;
import dev.octroi.payments.evm.relay.RelaySettings;
import dev.octroi.payments.evm.relay.RelayerKey;
import dev.octroi.payments.facilitator.Facilitator;
import dev.octroi.payments.facilitator.FacilitatorAuth;
import dev.octroi.payments.facilitator.HttpFacilitator;
import dev.octroi.payments.facilitator.HttpFacilitator.HttpFacilitatorSettings;
import dev.octroi.payments.facilitator.SandboxFacilitator;
import dev.octroi.payments.ledger.AnswerVault;
import dev.octroi.payments.ledger.LedgerSettings;
import dev.octroi.payments.ledger.LedgerSettings.ReplayLimits;
import dev.octroi.payments.ledger.jdbc.Durability;
import dev.octroi.payments.ledger.jdbc.JdbcLedger;
import dev.octroi.payments.ledger.jdbc.SingleWriter;
import dev.octroi.payments.reconcile.Decisions.Backoff;
import dev.octroi.payments.reconcile.LedgerTasks;
import dev.octroi.payments.reconcile.Reconciler;
import dev.octroi.payments.reconcile.Reconciler.ScheduleSettings;
import dev.octroi.payments.reconcile.RecurringTask;
import dev.octroi.payments.x402.PaymentOption;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts of payments that a host did not hand over itself: how each is made out of a database,
 * an address to be paid at, and those who settle. Used by one thread, and once.
 */
final class StoredPayments {

  /** Who settles. */
  enum Money {
    SANDBOX,
    REMOTE,
    CHAIN
  }

  /** The address that is paid in the sandbox; its key is unknown. */
  static final String UNOWNED = "0x000000000000000000000000000000000000dEaD";

  private static final Logger LOG = LoggerFactory.getLogger(StoredPayments.class);

  private static final int SECONDS_TO_PAY = 300;
  private static final int LONGEST_NAME = 64;
  private static final Duration CONNECT = Duration.ofSeconds(2);
  private static final Duration RPC_DEADLINE = Duration.ofSeconds(5);

  /** An hour, which is the longest offer, and what clocks may differ by. */
  private static final Finality FINALITY = new Finality(1, 0, Duration.ofMinutes(70), 1000);

  /** How often transactions that are under way are looked at. */
  private static final Duration FOLLOW = Duration.ofSeconds(2);

  private static final Duration CLOSING_PAUSE = Duration.ofMinutes(1);

  private final Money money;
  private final DataSource database;
  private final String payTo;
  private final List<String> facilitators;
  private final List<String> relayerKeys;
  private List<String> rpc;
  private EvmToken token = EvmToken.BASE_USDC;
  private FacilitatorAuth auth = FacilitatorAuth.NONE;
  private @Nullable String node;
  private byte @Nullable [] answerKey;

  private StoredPayments(
      Money money,
      DataSource database,
      String payTo,
      List<String> facilitators,
      List<String> rpc,
      List<String> relayerKeys) {
    this.money = money;
    this.database = database;
    this.payTo = payTo;
    this.facilitators = List.copyOf(facilitators);
    this.rpc = List.copyOf(rpc);
    this.relayerKeys = List.copyOf(relayerKeys);
  }

  static StoredPayments sandbox(DataSource database) {
    return new StoredPayments(Money.SANDBOX, database, UNOWNED, List.of(), List.of(), List.of());
  }

  static StoredPayments remote(DataSource database, String payTo, List<String> facilitators) {
    return new StoredPayments(Money.REMOTE, database, payTo, facilitators, List.of(), List.of());
  }

  static StoredPayments chain(
      DataSource database, String payTo, List<String> rpc, List<String> relayerKeys) {
    return new StoredPayments(Money.CHAIN, database, payTo, List.of(), rpc, relayerKeys);
  }

  void token(EvmToken other) {
    this.token = other;
  }

  void auth(FacilitatorAuth credential) {
    this.auth = credential;
  }

  void rpc(List<String> urls) {
    this.rpc = List.copyOf(urls);
  }

  void node(String name) {
    this.node = name;
  }

  void answerKey(byte[] key) {
    this.answerKey = key.clone();
  }

  /** The network whose payments are taken, unless the host says otherwise. */
  String network() {
    return token.network();
  }

  /** What is wrong, one sentence each, never with a key in it; empty if nothing is. */
  List<String> problems() {
    List<String> problems = new ArrayList<>();
    told(problems, "the address to be paid at, " + payTo + ": ", this::option);
    byte[] key = answerKey;
    if (key != null) {
      told(problems, "", () -> new AnswerVault(key));
    }
    if (money == Money.REMOTE) {
      told(problems, "the facilitators: ", this::remoteSettings);
    }
    if (money == Money.CHAIN || !rpc.isEmpty()) {
      told(problems, "the chain's nodes: ", this::nodes);
    }
    if (money == Money.CHAIN && relayerKeys.isEmpty()) {
      problems.add("a wallet that pays for gas is needed to settle on a chain: its private key");
    }
    told(problems, "the wallets that pay for gas: ", this::keys);
    if (money != Money.SANDBOX && payTo.equalsIgnoreCase(UNOWNED)) {
      problems.add(
          "the address to be paid at is the sandbox's, whose key is unknown: with real money, name your own");
    }
    if (money != Money.SANDBOX) {
      Durability.problem(database).ifPresent(problems::add);
    }
    return problems;
  }

  private static void told(List<String> problems, String what, Supplier<?> part) {
    try {
      Object unused = part.get();
    } catch (IllegalArgumentException e) {
      problems.add(what + e.getMessage());
    }
  }

  PaymentOption option() {
    return token.payableTo(EvmAddress.parseChecked(payTo), SECONDS_TO_PAY);
  }

  /** The database as all parts must write it. */
  DataSource store() {
    return SingleWriter.of(database);
  }

  JdbcLedger ledger(DataSource store, int longestAnswer, boolean forWallets, Clock clock) {
    return new JdbcLedger(
        store,
        answerKey == null ? passing() : new AnswerVault(answerKey),
        LedgerSettings.builder(node == null ? thisProcess() : node)
            .maxAnswer(longestAnswer)
            .replays(ReplayLimits.DEFAULT.alsoForWallets(forWallets))
            .build(),
        clock);
  }

  /**
   * No two living processes have it; one that starts anew waits until the life before has expired.
   */
  private static String thisProcess() {
    String own = ":" + ProcessHandle.current().pid();
    String host;
    try {
      host = InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      host = "localhost";
    }
    return host.substring(0, Math.min(host.length(), LONGEST_NAME - own.length())) + own;
  }

  private AnswerVault passing() {
    if (money != Money.SANDBOX) {
      LOG.warn(
          "There is no answerKey: answers that were paid for and did not arrive before this start"
              + " cannot be had again");
    }
    return AnswerVault.ofThisProcess();
  }

  Facilitator facilitator(DataSource store, Clock clock) {
    return switch (money) {
      case SANDBOX -> new SandboxFacilitator(local(clock)::verify, List.of(network()));
      case REMOTE -> remote(clock);
      case CHAIN -> relaying(store, clock);
    };
  }

  /** What goes on beside the calls: deciding, following, and closing the books' old months. */
  Reconciler reconciler(
      JdbcLedger ledger, DataSource store, Set<Facilitator> facilitators, Clock clock) {
    List<RecurringTask> tasks = new ArrayList<>();
    tasks.add(new RecurringTask("close-books", CLOSING_PAUSE, ledger.closing()));
    tasks.addAll(
        new LedgerTasks(ledger, ledger.unresolved(), facilitators, clock)
            .of(Backoff.defaults(), FOLLOW));
    return new Reconciler(
        store,
        ledger.settings().node(),
        LedgerTasks.whileAlive(tasks, () -> ledger.pulse().alive()),
        ScheduleSettings.defaults());
  }

  private static ExactEvmVerifier local(Clock clock) {
    return new ExactEvmVerifier(clock, Signatures.fastest());
  }

  /** With nodes of the chain, what a facilitator leaves open is found out there. */
  private Facilitator remote(Clock clock) {
    HttpFacilitator remote =
        new HttpFacilitator(
            remoteSettings(),
            auth,
            List.of(network()),
            Map.of(ChainFamily.EVM.namespace(), local(clock)::verifyLeavingContracts),
            clock);
    if (rpc.isEmpty()) {
      return remote;
    }
    JsonRpc nodes = nodes();
    return remote.watching(
        network(), new ChainEvidence(nodes, FINALITY), new ChainBalances(nodes), Optional.empty());
  }

  private Facilitator relaying(DataSource store, Clock clock) {
    JsonRpc nodes = nodes();
    ChainEvmVerifier verifier = new ChainEvmVerifier(clock, Signatures.fastest(), nodes, Set.of());
    EvmFacilitator facilitator =
        new EvmFacilitator(
            new EvmFacilitator.Parts(
                nodes, verifier::verify, new ChainEvidence(nodes, FINALITY), keys(), store),
            RelaySettings.builder().build(),
            clock);
    facilitator.start();
    return facilitator;
  }

  private HttpFacilitatorSettings remoteSettings() {
    return HttpFacilitatorSettings.of(facilitators.stream().map(URI::create).toList());
  }

  private JsonRpc nodes() {
    HttpClient http = HttpClient.newBuilder().connectTimeout(CONNECT).build();
    long chain = TokenDomain.chainId(network());
    return new JsonRpc(http, rpc.stream().map(URI::create).toList(), chain, RPC_DEADLINE);
  }

  private List<RelayerKey> keys() {
    return relayerKeys.stream().map(RelayerKey::fromHex).toList();
  }
}
