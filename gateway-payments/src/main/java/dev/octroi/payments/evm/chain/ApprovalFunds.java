package dev.octroi.payments.evm.chain;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.chain.RpcConnection.RpcAnswer;
import dev.octroi.payments.chain.RpcConnection.RpcCall;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.chain.JsonRpc.Attempt;
import dev.octroi.payments.evm.permit2.Permit2;
import dev.octroi.payments.evm.permit2.Permitted;
import dev.octroi.payments.evm.permit2.TokenApproval;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;
import org.web3j.abi.FunctionEncoder;
import org.web3j.abi.datatypes.DynamicBytes;
import org.web3j.abi.datatypes.Function;

/**
 * The coin of the chain that payers are given for the gas of their approvals, within a budget of
 * all nodes for 24 hours. A payer may keep what it was given, so that each wallet is given some
 * once for a token, for one payment at a time, and never again where it kept any. Thread-safe.
 */
public final class ApprovalFunds {

  private static final Duration DAY = Duration.ofDays(1);

  /** Published clients ask for 70,000. */
  private static final long MOST_GAS = 100_000;

  /** How much above the price of gas an approval may offer: clients allow for a rise of a fifth. */
  private static final BigInteger MOST_PRICES = BigInteger.valueOf(3);

  /** Says what a rollup of its kind takes for a transaction's data on the chain below. */
  private static final EvmAddress DATA_FEES =
      EvmAddress.parse("0x420000000000000000000000000000000000000F");

  private static final int ANSWERED_DIGITS = 2 + 2 * AbiReader.WORD;

  /** What is given is counted by one node at a time. */
  private static final String LOCK =
      "SELECT address FROM relayer WHERE network = :network ORDER BY address FOR UPDATE";

  private static final String BARRED =
      """
      SELECT COUNT(*) FROM sponsored_approval
      WHERE network = :network AND payer = :payer AND (token = :token OR state <> 'DONE')
      """;

  private static final String GIVEN =
      """
      SELECT state, SUM(given) AS given FROM sponsored_approval
      WHERE network = :network AND given_at > :since GROUP BY state
      """;

  private static final String INSERT =
      """
      INSERT INTO sponsored_approval (network, payer, token, call, approval, nonce, funding, given,
        state, node, given_at, touched_at)
      VALUES (:network, :payer, :token, :call, :approval, :nonce, :funding, :given, 'OPEN', :node, :now, :now)
      """;

  /** What was touched so long after the moment in question, a clock that was ahead has told. */
  private static final Duration AHEAD = Duration.ofMinutes(10);

  private static final String OPEN =
      """
      SELECT payer, token, call, approval, nonce, funding, given FROM sponsored_approval
      WHERE network = :network AND state = 'OPEN' AND (node = :node OR touched_at < :before OR touched_at > :ahead)
      """;

  private static final String ONE =
      " WHERE network = :network AND payer = :payer AND token = :token AND state = 'OPEN'";

  private static final String TOUCH =
      "UPDATE sponsored_approval SET node = :node, touched_at = :now" + ONE;

  private static final String END = "UPDATE sponsored_approval SET state = :state" + ONE;

  private static final String FORGET = "DELETE FROM sponsored_approval" + ONE;

  private static final String OF_CALL =
      "SELECT COUNT(*) FROM sponsored_approval" + ONE + " AND call = :call";

  /** What became of what a payer was given. */
  public enum ApprovalState {
    /** The approval is not on the chain yet. */
    OPEN,
    /** The approval is there, and what settles the payment is stored. */
    DONE,
    /** The payer kept it: another transaction of its own took the approval's nonce, or none did. */
    LOST
  }

  /**
   * A payment that waits for its payer's approval.
   *
   * @param call what settles it
   * @param approval the payer's transaction
   * @param nonce of the payer's transaction
   * @param funding the transaction that gives the payer gas; null where it had enough
   * @param given in wei
   */
  public record Sponsored(
      EvmAddress payer,
      EvmAddress token,
      byte[] call,
      byte[] approval,
      long nonce,
      @Nullable String funding,
      BigInteger given) {

    /** The same with the transaction that gives the payer gas. */
    public Sponsored fundedBy(String transaction) {
      return new Sponsored(payer, token, call, approval, nonce, transaction, given);
    }
  }

  /**
   * What the chain says of an approval.
   *
   * @param broken the first rule that it breaks; null if none
   * @param missing what its payer has too little for it, in wei
   */
  public record ApprovalReading(@Nullable String broken, BigInteger missing) {}

  /**
   * What comes of an approval that a payment needs.
   *
   * @param broken the first rule that it breaks; null if none
   * @param isGiven whether its payer is given what it has too little, so that the payment may count
   *     on it
   */
  record ApprovalJudgement(@Nullable String broken, boolean isGiven) {}

  /**
   * How far a payer has come.
   *
   * @param next the nonce of its next transaction
   * @param allowed what Permit2 may move of the token
   */
  public record ApprovalProgress(long next, BigInteger allowed) {}

  /** The payer, or the budget, has had enough: what was about to be stored is not. */
  public static final class NotSponsored extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NotSponsored() {
      super("no gas is given to this payer now", null, false, false);
    }
  }

  private final JsonRpc rpc;
  private final Jdbi database;
  private final String network;
  private final BigInteger budget;
  private final Clock clock;
  private volatile Map<String, BigInteger> given = Map.of();
  private volatile boolean usedUp;

  /**
   * Makes it.
   *
   * @param database the relay's
   * @param budget what all payers are given in 24 hours, in wei
   */
  public ApprovalFunds(JsonRpc rpc, DataSource database, BigInteger budget, Clock clock) {
    this.rpc = rpc;
    this.database = NamedStatements.of(database);
    this.network = "eip155:" + rpc.chainId();
    this.budget = budget;
    this.clock = clock;
  }

  /**
   * Reads what the chain says of an approval.
   *
   * @throws ChainUnavailable if the chain cannot be asked
   */
  public ApprovalReading read(EvmAddress payer, EvmAddress token, TokenApproval approval) {
    Attempt attempt =
        rpc.attempt(
            List.of(
                RpcCall.of("eth_getTransactionCount", payer.lowerCase(), "latest"),
                RpcCall.of("eth_getTransactionCount", payer.lowerCase(), "pending"),
                RpcCall.of("eth_gasPrice"),
                RpcCall.of("eth_getBalance", payer.lowerCase(), "latest"),
                JsonRpc.callOf(Optional.empty(), DATA_FEES, dataFee(approval))),
            RpcCall.of(
                "eth_estimateGas",
                Map.of(
                    "from",
                    payer.lowerCase(),
                    "to",
                    token.lowerCase(),
                    "data",
                    Hex.of(approve(approval)))));
    List<JsonNode> read = attempt.read();
    BigInteger price = Quantities.of(read.get(2));
    BigInteger missing = approval.cost().add(fee(read.get(4))).subtract(Quantities.of(read.get(3)));
    return new ApprovalReading(
        broken(approval, read, price, attempt.ended()), missing.max(BigInteger.ZERO));
  }

  /** Judges an approval without which nothing moves what its payer permits. */
  ApprovalJudgement judge(Permitted permitted, TokenApproval approval) {
    ApprovalReading now = read(permitted.from(), permitted.token(), approval);
    boolean isGiven =
        now.broken() == null && covers(permitted.from(), permitted.token(), now.missing());
    return new ApprovalJudgement(now.broken(), isGiven);
  }

  private static @Nullable String broken(
      TokenApproval approval, List<JsonNode> read, BigInteger price, RpcAnswer estimated) {
    boolean isNext =
        Quantities.small(read.get(0)) == approval.nonce()
            && Quantities.small(read.get(1)) == approval.nonce();
    if (!isNext) {
      return "erc20_approval_tx_wrong_nonce";
    }
    if (!(estimated instanceof RpcAnswer.Result result)) {
      return "erc20_approval_tx_failed";
    }
    if (approval.gas() > MOST_GAS || Quantities.small(result.value()) > approval.gas()) {
      return "erc20_approval_tx_gas_out_of_range";
    }
    boolean isFair =
        approval.maxFee().compareTo(price) >= 0
            && approval.maxFee().compareTo(price.multiply(MOST_PRICES)) <= 0;
    return isFair ? null : "erc20_approval_tx_fee_out_of_range";
  }

  private static byte[] approve(TokenApproval approval) {
    return TokenCalls.approve(Permit2.ADDRESS, approval.amount());
  }

  private static byte[] dataFee(TokenApproval approval) {
    return Hex.parse(
        FunctionEncoder.encode(
            new Function("getL1Fee", List.of(new DynamicBytes(approval.raw())), List.of())));
  }

  /** Twice what the rollup says, for it may rise; nothing on a chain that is none. */
  private static BigInteger fee(JsonNode answer) {
    boolean said = answer.asText().length() == ANSWERED_DIGITS;
    return said ? Quantities.of(answer).shiftLeft(1) : BigInteger.ZERO;
  }

  /** Asks how far a payer has come. */
  public ApprovalProgress progress(EvmAddress payer, EvmAddress token) {
    return progress(payer, token, "latest");
  }

  /** The same as of a block, by its tag or its number in hex. */
  public ApprovalProgress progress(EvmAddress payer, EvmAddress token, String block) {
    List<JsonNode> read =
        rpc.read(
            List.of(
                RpcCall.of("eth_getTransactionCount", payer.lowerCase(), block),
                JsonRpc.callOf(
                    Optional.empty(), token, TokenCalls.allowance(payer, Permit2.ADDRESS), block)));
    return new ApprovalProgress(Quantities.small(read.get(0)), Quantities.of(read.get(1)));
  }

  /** Whether a payer may be given this much now, in wei, for a token. */
  private boolean covers(EvmAddress payer, EvmAddress token, BigInteger wei) {
    return database.withHandle(handle -> covers(handle, payer, token, wei));
  }

  private boolean covers(Handle handle, EvmAddress payer, EvmAddress token, BigInteger wei) {
    long barred = of(handle.createQuery(BARRED), payer, token).mapTo(Long.class).one();
    return barred == 0 && sum(given(handle)).add(wei).compareTo(budget) <= 0;
  }

  private <S extends SqlStatement<S>> S of(S statement, EvmAddress payer, EvmAddress token) {
    return statement
        .bind("network", network)
        .bind("payer", payer.bytes())
        .bind("token", token.bytes());
  }

  private Map<String, BigInteger> given(Handle handle) {
    Map<String, BigInteger> sums = new HashMap<>();
    handle
        .createQuery(GIVEN)
        .bind("network", network)
        .bind("since", clock.instant().minus(DAY))
        .map((row, context) -> Map.entry(row.getString("state"), row.getBigDecimal("given")))
        .forEach(
            sum -> sums.put(sum.getKey().toLowerCase(Locale.ROOT), sum.getValue().toBigInteger()));
    return sums;
  }

  private static BigInteger sum(Map<String, BigInteger> sums) {
    return sums.values().stream().reduce(BigInteger.ZERO, BigInteger::add);
  }

  /**
   * Enters a payment in a commit of the caller's, such as the one that stores what gives its payer
   * gas.
   *
   * @param node which node goes on with it
   * @throws NotSponsored if its payer may not be given that much now
   */
  public void enter(Handle handle, Sponsored sponsored, String node) {
    var unused = handle.createQuery(LOCK).bind("network", network).mapTo(byte[].class).list();
    if (!covers(handle, sponsored.payer(), sponsored.token(), sponsored.given())) {
      throw new NotSponsored();
    }
    String funding = sponsored.funding();
    of(handle.createUpdate(INSERT), sponsored.payer(), sponsored.token())
        .bind("call", sponsored.call())
        .bind("approval", sponsored.approval())
        .bind("nonce", sponsored.nonce())
        .bind("funding", funding == null ? null : Hex.parse(funding))
        .bind("given", new BigDecimal(sponsored.given()))
        .bind("node", node)
        .bind("now", clock.instant())
        .execute();
  }

  /** Enters one whose payer has enough for its gas; throws as the other does. */
  public void enter(Sponsored sponsored, String node) {
    database.useTransaction(handle -> enter(handle, sponsored, node));
  }

  /** Whether this very payment waits for its payer's approval. */
  public boolean isOpen(EvmAddress payer, EvmAddress token, byte[] call) {
    return database.withHandle(
            handle ->
                of(handle.createQuery(OF_CALL), payer, token)
                    .bind("call", call)
                    .mapTo(Long.class)
                    .one())
        > 0;
  }

  /** What a node may go on with: its own, and what other nodes have not touched since. */
  public List<Sponsored> open(String node, Instant untouchedSince) {
    return database.withHandle(
        handle ->
            handle
                .createQuery(OPEN)
                .bind("network", network)
                .bind("node", node)
                .bind("before", untouchedSince)
                .bind("ahead", untouchedSince.plus(AHEAD))
                .map((row, context) -> sponsored(row))
                .list());
  }

  /** Notes that a node goes on with one. */
  public void hold(Sponsored sponsored, String node) {
    change(TOUCH, sponsored, Map.of("node", node, "now", clock.instant()));
  }

  /** Notes what became of one. */
  public void end(Sponsored sponsored, ApprovalState state) {
    change(END, sponsored, Map.of("state", state.name()));
  }

  /** Forgets one whose payer was given nothing, or by a transaction that the chain did not take. */
  public void forget(Sponsored sponsored) {
    change(FORGET, sponsored, Map.of());
  }

  private void change(String statement, Sponsored sponsored, Map<String, Object> values) {
    database.useHandle(
        handle ->
            of(handle.createUpdate(statement), sponsored.payer(), sponsored.token())
                .bindMap(values)
                .execute());
  }

  private static Sponsored sponsored(ResultSet row) throws SQLException {
    byte[] funding = row.getBytes("funding");
    return new Sponsored(
        EvmAddress.of(row.getBytes("payer")),
        EvmAddress.of(row.getBytes("token")),
        row.getBytes("call"),
        row.getBytes("approval"),
        row.getLong("nonce"),
        funding == null ? null : Hex.of(funding),
        row.getBigDecimal("given").toBigInteger());
  }

  /**
   * Looks at what was given.
   *
   * @param price what is offered for a unit of gas now, in wei
   */
  public void look(BigInteger price) {
    given = Map.copyOf(database.withHandle(this::given));
    BigInteger usual = price.multiply(BigInteger.valueOf(MOST_GAS));
    usedUp = sum(given).add(usual).compareTo(budget) > 0;
  }

  /** Whether the budget was used up when this node last looked. */
  public boolean isUsedUp() {
    return usedUp;
  }

  /** What was given in 24 hours, in wei, by what became of it, when this node last looked. */
  public Map<String, BigInteger> given() {
    return given;
  }
}
