package dev.octroi.payments.evm.relay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.db.H2Schema;
import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.Redelivery;
import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.EvmPayments;
import dev.octroi.payments.evm.EvmToken;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.evm.SignedAuthorization;
import dev.octroi.payments.evm.chain.ApprovalFunds;
import dev.octroi.payments.evm.chain.ChainChannelVerifier;
import dev.octroi.payments.evm.chain.ChainEvidence;
import dev.octroi.payments.evm.chain.ChainEvidence.Finality;
import dev.octroi.payments.evm.chain.ChainEvmVerifier;
import dev.octroi.payments.evm.chain.ChainPermit2Verifier;
import dev.octroi.payments.evm.chain.ChannelReader;
import dev.octroi.payments.evm.chain.JsonRpc;
import dev.octroi.payments.evm.chain.PlayedNode;
import dev.octroi.payments.evm.chain.TokenCalls;
import dev.octroi.payments.evm.permit2.Permit2;
import dev.octroi.payments.evm.relay.TransactionSender.Fees;
import dev.octroi.payments.facilitator.Evidence;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.ledger.AnswerVault;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimRequest;
import dev.octroi.payments.ledger.ClaimRequest.RequestBinding;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.ledger.LedgerSettings;
import dev.octroi.payments.ledger.jdbc.JdbcLedger;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import dev.octroi.testchain.Anvil;
import dev.octroi.testchain.Stablecoin;
import java.math.BigInteger;
import java.net.URI;
import java.net.http.HttpClient;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * A chain with the real stablecoin, a database, a relayer with gas, and payers with ten dollars.
 */
abstract class RelayFixture {

  static final EvmAddress SELLER = EvmAddress.parse("0x209693Bc6afc0C5328bA36FaF03C514EF312287C");
  static final String NETWORK = EvmToken.BASE_USDC.network();
  static final long PRICE = 1_000;

  static final long LEAST_REFUND = PRICE;
  static final long FUNDS = 10_000_000;
  static final BigInteger ETHER = BigInteger.TEN.pow(18);

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  static final Finality FINALITY = new Finality(1, 2, Duration.ofMinutes(70), 1_000);

  final RelayerKey relayer = freshKey();
  private final List<AutoCloseable> open = new ArrayList<>();
  Anvil anvil;
  Stablecoin coin;
  HikariDataSource database;
  JdbcLedger ledger;
  Jdbi jdbi;

  @BeforeEach
  void openAll() {
    anvil = opened(Anvil.start());
    coin = Stablecoin.deploy(anvil);
    anvil.setBalance(relayer.address().toString(), ETHER);
    HikariConfig config = new HikariConfig();
    config.setDataSource(emptyDatabase());
    config.setMaximumPoolSize(20);
    config.setMinimumIdle(1);
    database = opened(new HikariDataSource(config));
    jdbi = NamedStatements.of(database);
    ledger =
        opened(
            new JdbcLedger(
                database, new AnswerVault(new byte[32]), LedgerSettings.of("a"), clock()));
  }

  @AfterEach
  void closeAll() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
  }

  static RelayerKey freshKey() {
    byte[] key = new byte[32];
    new SecureRandom().nextBytes(key);
    return RelayerKey.fromHex(HexFormat.of().formatHex(key));
  }

  <C extends AutoCloseable> C opened(C resource) {
    open.add(resource);
    return resource;
  }

  DataSource emptyDatabase() {
    JdbcDataSource h2 = new JdbcDataSource();
    h2.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    H2Schema.copyTo(h2);
    return h2;
  }

  Clock clock() {
    return Clock.systemUTC();
  }

  /** Whose wallets may pay before they are deployed. */
  Set<EvmAddress> factories() {
    return Set.of();
  }

  /** Quick in all things, and final at once. */
  static RelaySettings.Builder settings() {
    return RelaySettings.builder()
        .refundingAtLeast(LEAST_REFUND)
        .within(Duration.ofMillis(400), Duration.ofSeconds(20))
        .pausing(Duration.ofMillis(600), Duration.ofMillis(30));
  }

  JsonRpc rpc(URI url) {
    return new JsonRpc(HTTP, List.of(url), Anvil.CHAIN_ID, Duration.ofSeconds(10));
  }

  Evidence evidence(URI url) {
    return new ChainEvidence(rpc(url), FINALITY);
  }

  /** The chain, by a node that is behind in what this method asks for. */
  URI behind(String method) {
    return opened(PlayedNode.behind(Anvil.CHAIN_ID, anvil.url(), method)).url();
  }

  /** A facilitator at work, as each node has one. */
  EvmFacilitator started(RelaySettings.Builder settings) {
    EvmFacilitator facilitator = opened(facilitator(settings, anvil.url(), database, relayer));
    facilitator.start();
    return facilitator;
  }

  EvmFacilitator facilitator(
      RelaySettings.Builder settings, URI url, DataSource store, RelayerKey... relayers) {
    JsonRpc rpc = rpc(url);
    ChainEvmVerifier verifier =
        new ChainEvmVerifier(clock(), Signatures.fastest(), rpc, factories());
    return new EvmFacilitator(
        new EvmFacilitator.Parts(
            rpc,
            Verification.Check.either(
                Permit2::isMethodOf,
                new ChainPermit2Verifier(clock(), Signatures.fastest(), rpc, funds(rpc, store))
                    ::verify,
                verifier::verify),
            new ChainEvidence(rpc, FINALITY),
            List.of(relayers),
            store,
            Optional.empty(),
            funds(rpc, store)),
        settings.build(),
        clock());
  }

  /** A facilitator at work that settles channels too. */
  EvmFacilitator channels(ChannelReader reader, RelaySettings.Builder settings) {
    JsonRpc rpc = rpc(anvil.url());
    ChainEvmVerifier usual = new ChainEvmVerifier(clock(), Signatures.fastest(), rpc, Set.of());
    ChainChannelVerifier verifier =
        new ChainChannelVerifier(
            clock(), Signatures.fastest(), rpc, reader, relayer.address(), funds(rpc, database));
    EvmFacilitator made =
        opened(
            new EvmFacilitator(
                new EvmFacilitator.Parts(
                    rpc,
                    Verification.Check.either(
                        PaymentRequirements::isChannel, verifier::verify, usual::verify),
                    new ChainEvidence(rpc, FINALITY),
                    List.of(relayer),
                    database,
                    Optional.of(reader),
                    funds(rpc, database)),
                settings.build(),
                clock()));
    made.start();
    return made;
  }

  /** What payers are given for gas. */
  Optional<ApprovalFunds> funds(JsonRpc rpc, DataSource store) {
    return Optional.empty();
  }

  /** A payer with ten dollars. */
  Wallet payer() {
    Wallet payer = Wallet.generate();
    coin.mint(payer.address().toString(), FUNDS);
    return payer;
  }

  static PaymentRequirements terms() {
    return terms(EvmToken.BASE_USDC.address().toString());
  }

  static PaymentRequirements terms(String asset) {
    return new PaymentRequirements(
        "exact",
        NETWORK,
        Long.toString(PRICE),
        asset,
        SELLER.toString(),
        300,
        Map.of("name", "USD Coin", "version", "2"));
  }

  PaymentPayload payment(Wallet payer) {
    return payment(payer, terms());
  }

  PaymentPayload payment(Wallet payer, PaymentRequirements terms) {
    return payload(terms.scheme(), new PaymentSigner(payer, clock()).payload(terms));
  }

  static PaymentPayload payload(Map<String, Object> signed) {
    return payload("exact", signed);
  }

  static PaymentPayload payload(String scheme, Map<String, Object> signed) {
    return new PaymentPayload(
        2, null, null, scheme, NETWORK, JSON.valueToTree(signed), null, new byte[0]);
  }

  /** The same payment, whose client brings extensions along. */
  static PaymentPayload bringing(PaymentPayload payment, JsonNode extensions) {
    return new PaymentPayload(
        2,
        null,
        null,
        payment.scheme(),
        payment.network(),
        payment.payload(),
        extensions,
        payment.envelope());
  }

  long earned() {
    return coin.balanceOf(SELLER.toString());
  }

  long count(String sql) {
    return jdbi.withHandle(handle -> handle.createQuery(sql).mapTo(Long.class).one());
  }

  /** How many transactions the chain has had of the relayer. */
  long mined() {
    return Long.decode(
        anvil.call("eth_getTransactionCount", relayer.address().toString(), "latest").textValue());
  }

  /** Settles in as many threads as there are payments, all at once. */
  static List<Settlement> together(EvmFacilitator facilitator, List<PaymentPayload> payments)
      throws Exception {
    List<Callable<Settlement>> calls = new ArrayList<>();
    payments.forEach(payment -> calls.add(() -> facilitator.settle(payment, terms())));
    return all(calls);
  }

  static <T> List<T> all(List<Callable<T>> calls) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(calls.size());
    try {
      List<T> results = new ArrayList<>();
      for (Future<T> call : threads.invokeAll(calls)) {
        results.add(call.get());
      }
      return results;
    } finally {
      threads.shutdown();
    }
  }

  /** Settles beside the test. */
  Future<Settlement> beside(EvmFacilitator facilitator, PaymentPayload payment) {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    open.add(thread::shutdown);
    return thread.submit(() -> facilitator.settle(payment, terms()));
  }

  /** A transaction as a node leaves it that dies between storing and sending. */
  void stored(SignedAuthorization signed, long nonce, String node) {
    TransactionStore store = new TransactionStore(database, NETWORK, node, clock());
    store.catchUp(relayer.address(), nonce);
    Draft draft = Draft.of(List.of(TransferCall.of(EvmToken.BASE_USDC.address(), signed)));
    assertThat(draft.data()).isEqualTo(TokenCalls.transfer(signed));
    stored(store, draft);
  }

  void stored(TransactionStore store, Draft draft) {
    Fees fees = new Fees(BigInteger.valueOf(4_000_000_000L), BigInteger.valueOf(1_000_000));
    store.store(
        relayer.address(),
        draft,
        fees,
        taken -> SignedTransaction.of(relayer, Anvil.CHAIN_ID, taken, draft, fees));
  }

  /** A payment whose answer is there and which is about to be sent. */
  Claim settling(PaymentPayload payment) {
    SignedAuthorization signed = SignedAuthorization.read(payment.payload());
    return settling(payment, terms(), signed.authorization().validBefore());
  }

  /** The same of whatever method. */
  Claim settling(PaymentPayload payment, PaymentRequirements terms, BigInteger end) {
    ClaimResult result =
        ledger.claim(
            new ClaimRequest(
                EvmPayments.key(payment).orElseThrow(),
                new RequestBinding("GET", "/read", "", "00".repeat(32)),
                "11".repeat(32),
                PRICE,
                terms.asset(),
                SELLER.toString(),
                Instant.ofEpochSecond(end.longValue()),
                OptionalLong.of(FUNDS),
                Redelivery.REREAD));
    Claim claim = ((ClaimResult.Claimed) result).claim();
    assertThat(ledger.settling(claim, null)).isTrue();
    return claim;
  }
}
