package dev.octroi.payments.evm.chain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.octroi.payments.chain.RpcConnection.RpcAnswer;
import dev.octroi.payments.chain.RpcConnection.RpcCall;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.PermitNonce;
import dev.octroi.payments.evm.chain.JsonRpc.Attempt;
import dev.octroi.payments.evm.chain.Multicall3.Call;
import dev.octroi.payments.evm.chain.Multicall3.Result;
import dev.octroi.payments.evm.channel.BatchSettlement;
import dev.octroi.payments.evm.channel.ChannelCalls.DepositTerms;
import dev.octroi.payments.facilitator.ChannelUse;
import dev.octroi.payments.facilitator.Evidence;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.UnresolvedPayments.UnresolvedPayment;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an EVM chain proves of a payment (money rules 5 and 11). Thread-safe.
 *
 * <p>Paid is {@code AuthorizationUsed} with the transfer to the seller in one receipt, at the
 * configured depth, whichever address sent it. Not paid is, in a final block, a cancellation, a use
 * of the nonce for something else, or the authorization's end with it unused. That an authorization
 * counts as used proves neither.
 */
public final class ChainEvidence implements Evidence {

  static final String CANCELED = "authorization_canceled";
  static final String SPENT_OTHERWISE = ChainEvmVerifier.NONCE;
  static final String EXPIRED = "invalid_exact_evm_payload_authorization_valid_before";

  private static final Logger LOG = LoggerFactory.getLogger(ChainEvidence.class);

  private final JsonRpc rpc;
  private final Finality finality;
  private final AuthorizationLogs logs;
  private final PermitEvidence permits;
  private final ChannelEvidence channels;

  public ChainEvidence(JsonRpc rpc, Finality finality) {
    this.rpc = rpc;
    this.finality = finality;
    this.logs = new AuthorizationLogs(rpc, finality);
    this.permits = new PermitEvidence(rpc, finality, logs);
    this.channels = new ChannelEvidence(rpc, finality, logs);
  }

  @Override
  public Optional<Settlement> of(UnresolvedPayment payment) {
    return of(payment, false);
  }

  @Override
  public Optional<Settlement> ofTreasury(UnresolvedPayment payment) {
    return of(payment, true);
  }

  private Optional<Settlement> of(UnresolvedPayment payment, boolean isOfTreasury) {
    try {
      return decide(payment, isOfTreasury);
    } catch (ChainUnavailable e) {
      LOG.warn("The chain proves nothing of payment {} now: {}", payment.id(), e.getMessage());
      return Optional.empty();
    }
  }

  @Override
  public boolean isSignedByContract(String account, byte[] digest, byte[] signature) {
    EvmAddress contract = EvmAddress.parse(account);
    byte[] call = TokenCalls.isValidSignature(digest, signature);
    Attempt attempt =
        rpc.attempt(
            List.of(PaymentReader.code(contract)),
            JsonRpc.callOf(Optional.empty(), contract, call));
    // Some addresses without code answer with what they are asked, which begins as a yes does.
    return PaymentReader.hasCode(attempt.read().get(0))
        && attempt.ended() instanceof RpcAnswer.Result result
        && PaymentReader.isAcceptance(Quantities.bytes(result.value()));
  }

  @Override
  public Map<String, ChannelFunds> channels(List<String> ids) {
    Map<String, ChannelFunds> funds = new HashMap<>();
    try {
      ChannelReader.ask(rpc, finality.confirmations(), ids, Instant.EPOCH)
          .forEach((id, read) -> funds.put(id, new ChannelFunds(read.balance(), read.claimed())));
    } catch (ChainUnavailable e) {
      LOG.warn("The chain says nothing of {} channels now: {}", ids.size(), e.getMessage());
    }
    return funds;
  }

  private Optional<Settlement> decide(UnresolvedPayment payment, boolean isOfTreasury) {
    if (ChannelUse.isChannel(payment.key().network(), payment.key().payer())) {
      return channels.of(payment);
    }
    if (PermitNonce.isOne(Hex.parse(payment.key().nonce()))) {
      return permits.of(payment, isOfTreasury);
    }
    PaidTransfer transfer = PaidTransfer.of(payment);
    Call state =
        new Call(
            transfer.asset(),
            TokenCalls.authorizationState(transfer.payer(), Hex.parse(transfer.nonce())));
    ChainView view = ChainView.read(rpc, finality, List.of(state), payment.transaction());
    if (transfer.isProvenBy(view.receipt())) {
      return settled(view.receipt(), view, finality);
    }
    if (view.number(0).signum() == 0) {
      return expired(payment.validBefore(), view);
    }
    Optional<String> transaction =
        logs.find(transfer.asset(), transfer.topics(), payment, view.head(), log -> true);
    if (transaction.isEmpty()) {
      LOG.warn("The authorization of payment {} counts as used, but no log says how", payment.id());
      return Optional.empty();
    }
    return judge(transfer, rpc.read("eth_getTransactionReceipt", transaction.get()), view);
  }

  static Optional<Settlement> settled(JsonNode receipt, ChainView view, Finality finality) {
    long confirmations = view.head().number() - block(receipt) + 1;
    return confirmations >= finality.confirmations()
        ? Optional.of(new Settlement.Settled(receipt.path("transactionHash").asText()))
        : Optional.empty();
  }

  private static Optional<Settlement> expired(Instant validBefore, ChainView view) {
    return view.isOver(validBefore)
        ? Optional.of(new Settlement.Refused(EXPIRED))
        : Optional.empty();
  }

  private Optional<Settlement> judge(PaidTransfer transfer, JsonNode receipt, ChainView view) {
    if (receipt.isNull()) {
      return Optional.empty();
    }
    if (transfer.isProvenBy(receipt)) {
      return settled(receipt, view, finality);
    }
    if (block(receipt) > view.finalBlock().number()) {
      return Optional.empty();
    }
    String reason = transfer.isCanceledBy(receipt) ? CANCELED : SPENT_OTHERWISE;
    return Optional.of(new Settlement.Refused(reason));
  }

  private static long block(JsonNode receipt) {
    return Quantities.small(receipt.path("blockNumber"));
  }

  /**
   * What the chain says of an authorization at one moment, in one round trip, or two where the
   * final block is a number of blocks behind the latest.
   *
   * <p>The state is asked for at the latest block, which every full node has, and tells its own
   * time: what is unused there, at the authorization's end or later, was used in no block before.
   *
   * @param head the latest block
   * @param finalBlock the latest block that never changes
   * @param said what the contracts said that were asked
   * @param time the time of the block that said so, in Unix seconds
   * @param receipt that of the transaction that is known; a JSON null where there is none
   */
  record ChainView(Block head, Block finalBlock, List<Result> said, long time, JsonNode receipt) {

    private static final Pattern HASH = Pattern.compile("0x[0-9a-fA-F]{64}");

    /** The number that a contract said; zero where it said none. */
    BigInteger number(int index) {
      return TokenCalls.number(said.get(index));
    }

    /** Whether no block of before this moment can come any more. */
    boolean isOver(Instant moment) {
      long end = moment.getEpochSecond();
      return finalBlock.time() >= end && time >= end;
    }

    /**
     * Asks the chain.
     *
     * @param asked what tells whether the authorization was used
     * @param transaction the transaction that was last heard of, if it is one of this chain's
     */
    static ChainView read(
        JsonRpc rpc, Finality finality, List<Call> asked, @Nullable String transaction) {
      List<Call> calls = new ArrayList<>(asked);
      calls.add(Multicall3.TIME);
      boolean named = transaction != null && HASH.matcher(transaction).matches();
      List<RpcCall> batch = new ArrayList<>();
      batch.add(Block.call("latest"));
      batch.add(PaymentReader.simulation(calls));
      if (named) {
        batch.add(RpcCall.of("eth_getTransactionReceipt", String.valueOf(transaction)));
      }
      if (finality.finalDepth() == 0) {
        batch.add(Block.call("finalized"));
      }
      List<JsonNode> answers = rpc.read(batch);
      Block head = Block.of(answers.get(0));
      List<Result> results = Multicall3.results(Quantities.bytes(answers.get(1)), calls.size());
      Block finalBlock =
          finality.finalDepth() == 0
              ? Block.of(answers.get(answers.size() - 1))
              : behind(rpc, head, finality.finalDepth());
      return new ChainView(
          head,
          finalBlock,
          results.subList(0, asked.size()),
          TokenCalls.number(results.get(asked.size())).longValue(),
          named ? answers.get(2) : NullNode.getInstance());
    }

    private static Block behind(JsonRpc rpc, Block head, int depth) {
      String number = Quantities.hex(Math.max(head.number() - depth, 0));
      return Block.of(rpc.read(List.of(Block.call(number))).get(0));
    }
  }

  /**
   * A block's place and time.
   *
   * @param number its height
   * @param time Unix seconds
   */
  record Block(long number, long time) {

    /** The call that reads one, by its tag or its number in hex. */
    static RpcCall call(String tagOrNumber) {
      return RpcCall.of("eth_getBlockByNumber", tagOrNumber, false);
    }

    static Block of(JsonNode block) {
      return new Block(
          Quantities.small(block.path("number")), Quantities.small(block.path("timestamp")));
    }
  }

  /**
   * How deep is deep enough (money rules 5 and 11).
   *
   * @param confirmations blocks that show a transfer, its own included, before it counts as
   *     settled: 1 or more
   * @param finalDepth blocks above one that never changes; 0 asks the chain for its own tag {@code
   *     finalized}
   * @param longestLife how long before its end an authorization may have been used at the earliest
   * @param blocksPerQuery how many blocks a node is asked for logs of at once
   */
  public record Finality(
      int confirmations, int finalDepth, Duration longestLife, int blocksPerQuery) {

    /** Throws {@link IllegalArgumentException} if a number is out of its range. */
    public Finality {
      if (confirmations < 1 || finalDepth < 0 || blocksPerQuery < 1) {
        throw new IllegalArgumentException(
            "confirmations and blocks per query are 1 or more, the final depth is 0 or more");
      }
    }
  }

  /**
   * What an EVM chain proves of a payment that brings a deposit into its channel. Thread-safe.
   *
   * <p>Paid is a transaction of anybody in which the token took this very authorization and the
   * contract logged the deposit, after which the channel holds what the voucher permits. Permit2
   * logs no authorization: then the transaction must be a call of the contract itself with this
   * permit, and a deposit that another contract has made leaves the payment in doubt. Not paid is,
   * once the authorization has ended in a final block, that no log of its life could be of it. A
   * payment by voucher alone moves nothing by itself, so that nothing is proven of it.
   */
  record ChannelEvidence(JsonRpc rpc, Finality finality, AuthorizationLogs logs) {

    private static final Logger LOG = LoggerFactory.getLogger(ChannelEvidence.class);

    private static final String EXPIRED =
        BatchSettlement.PREFIX + "payload_authorization_valid_before";
    private static final String PERMIT_EXPIRED =
        BatchSettlement.PREFIX + "permit2_deadline_expired";

    /** What is certain by now; throws {@link ChainUnavailable}. */
    Optional<Settlement> of(UnresolvedPayment payment) {
      Optional<DepositProof> proof = DepositProof.of(payment);
      if (proof.isEmpty()) {
        return Optional.empty();
      }
      DepositProof wanted = proof.get();
      ChainView view = ChainView.read(rpc, finality, List.of(), payment.transaction());
      Search search = new Search(wanted);
      if (search.isProven(view.receipt())) {
        return ChainEvidence.settled(view.receipt(), view, finality);
      }
      Optional<String> found =
          logs.find(
              BatchSettlement.ADDRESS, wanted.topics(), payment, view.head(), search::isProof);
      if (found.isPresent()) {
        JsonNode receipt = rpc.read("eth_getTransactionReceipt", found.get());
        return ChainEvidence.settled(receipt, view, finality);
      }
      if (search.unclear) {
        LOG.warn(
            "A contract has put money into the channel of payment {}: whether by its permit, no log"
                + " says",
            payment.id());
        return Optional.empty();
      }
      return view.isOver(payment.validBefore())
          ? Optional.of(new Settlement.Refused(wanted.isByPermit() ? PERMIT_EXPIRED : EXPIRED))
          : Optional.empty();
    }

    /** Looks at deposits into one channel. For one thread. */
    private final class Search {

      private final DepositProof wanted;
      private boolean unclear;

      Search(DepositProof wanted) {
        this.wanted = wanted;
      }

      boolean isProof(JsonNode log) {
        JsonNode receipt = logs.receipt(log);
        unclear |= wanted.isByPermit() && wanted.isDeposit(log) && !DepositProof.isCall(receipt);
        return isProven(receipt);
      }

      boolean isProven(JsonNode receipt) {
        if (!wanted.isByPermit()) {
          return wanted.isIn(receipt);
        }
        return DepositProof.isCall(receipt)
            && DepositTerms.read(PermitEvidence.input(logs.sent(receipt)), rpc.chainId())
                .filter(called -> wanted.isIn(receipt, called))
                .isPresent();
      }
    }
  }
}
