package dev.octroi.payments.evm.relay;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.chain.RpcConnection.RpcAnswer;
import dev.octroi.payments.chain.RpcConnection.RpcCall;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.chain.ChainUnavailable;
import dev.octroi.payments.evm.chain.JsonRpc;
import dev.octroi.payments.evm.chain.Quantities;
import dev.octroi.payments.evm.relay.TransactionStore.RelayedTransaction;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.web3j.crypto.RawTransaction;
import org.web3j.crypto.TransactionDecoder;

/** Signs, stores and sends, always in this order (x402, uncertain outcome, 2). Thread-safe. */
final class TransactionSender {

  private static final Logger LOG = LoggerFactory.getLogger(TransactionSender.class);

  /** How often a payment moves on to the next nonce where strangers used the key. */
  private static final int TRIES = 3;

  private final TransactionStore store;
  private final Broadcast broadcast;
  private final Relayers relayers;
  private final long chainId;
  private final Set<EvmAddress> known = ConcurrentHashMap.newKeySet();

  TransactionSender(TransactionStore store, Broadcast broadcast, Relayers relayers, long chainId) {
    this.store = store;
    this.broadcast = broadcast;
    this.relayers = relayers;
    this.chainId = chainId;
  }

  /** Whether this node has a key that may send a payment. */
  boolean maySend(TransferCall call) {
    return call.sender().map(relayers::find).map(Optional::isPresent).orElse(true);
  }

  /** What this node is called in the database. */
  String node() {
    return store.node();
  }

  /** What is stored. */
  TransactionQueries stored() {
    return store.read();
  }

  /** Which relayer is to pay for this; empty if none can. */
  Optional<RelayerKey> relayerFor(Draft draft, Situation now, Fees fees) {
    Map<EvmAddress, TransactionQueries.Load> load = store.read().load();
    relayers.look(now, load);
    BigInteger cost = fees.cost(draft.gas()).add(draft.value());
    return relayers.choose(now, load, cost, draft.sender());
  }

  /**
   * Stores a transaction and sends it.
   *
   * @param onStored told the hash as soon as the transaction is durable
   * @return the hash, if a node has taken it
   */
  Optional<String> send(
      RelayerKey relayer, Draft draft, Situation now, Fees fees, Consumer<String> onStored) {
    EvmAddress address = relayer.address();
    open(address, now);
    for (int i = 0; i < TRIES; i++) {
      TransactionStore.Taken stored =
          store.store(
              address,
              draft,
              fees,
              nonce -> SignedTransaction.of(relayer, chainId, nonce, draft, fees));
      onStored.accept(stored.signed().hash());
      Broadcast.Heard heard = handOver(stored.signed());
      if (heard == Broadcast.Heard.NONCE_USED) {
        heard = usedBy(address, stored.nonce());
      }
      if (heard != Broadcast.Heard.NONCE_USED) {
        return heard == Broadcast.Heard.TAKEN
            ? Optional.of(stored.signed().hash())
            : Optional.empty();
      }
      LOG.warn(
          "Nonce {} of relayer {} was used by a transaction that no node here sent",
          stored.nonce(),
          address);
      store.catchUp(address, stored.nonce() + 1);
      store.replaced(address, stored.nonce());
    }
    return Optional.empty();
  }

  /**
   * Stores a transaction that pays nothing, and sends it. It is not made again: where another one
   * takes its nonce it does not happen.
   *
   * @param with what is written in the same commit, told the hash
   */
  void sendOnce(
      RelayerKey relayer, Draft draft, Situation now, Fees fees, BiConsumer<Handle, String> with) {
    EvmAddress address = relayer.address();
    open(address, now);
    TransactionStore.Taken stored =
        store.store(
            address,
            draft,
            fees,
            nonce -> SignedTransaction.of(relayer, chainId, nonce, draft, fees),
            with);
    var unused = handOver(stored.signed());
  }

  private void open(EvmAddress relayer, Situation now) {
    if (!known.contains(relayer)) {
      // Noted only afterwards: another sender that found it noted before would find no row.
      store.catchUp(relayer, now.nonces().getOrDefault(relayer, 0L));
      known.add(relayer);
    }
  }

  /** Sends the bytes of this transaction again. */
  void again(String hash) {
    LOG.info("Transaction {} is sent again", hash);
    handOver(new SignedTransaction(hash, store.read().raw(hash)));
  }

  /** Sends another transaction in the place of one that is stuck. */
  void instead(RelayedTransaction stuck, RelayerKey relayer, Draft draft, Fees fees) {
    SignedTransaction signed = SignedTransaction.of(relayer, chainId, stuck.nonce(), draft, fees);
    LOG.info("Transaction {} is replaced by {} with other fees", stuck.hash(), signed.hash());
    store.storeAgain(relayer.address(), stuck.nonce(), draft, fees, signed);
    handOver(signed);
  }

  /**
   * Whose transaction has used a nonce: one that was handed to a node before may be mined by now.
   */
  Broadcast.Heard usedBy(EvmAddress relayer, long nonce) {
    return broadcast.usedBy(
        relayer,
        nonce,
        store.read().ofNonce(relayer, nonce).stream().map(RelayedTransaction::hash).toList());
  }

  private Broadcast.Heard handOver(SignedTransaction signed) {
    Broadcast.Heard heard = broadcast.send(signed);
    if (heard == Broadcast.Heard.TAKEN) {
      store.sent(signed.hash());
    }
    return heard;
  }

  /** What a stored transaction does, to be signed once more. */
  Draft draft(RelayedTransaction transaction) {
    RawTransaction raw = TransactionDecoder.decode(Hex.of(store.read().raw(transaction.hash())));
    return new Draft(
        EvmAddress.parse(raw.getTo()),
        Hex.parse(raw.getData().startsWith("0x") ? raw.getData() : "0x" + raw.getData()),
        transaction.gas(),
        raw.getValue(),
        store.read().calls(transaction.hash()));
  }

  /** Uses up a nonce that was taken and that no transaction has. */
  void fill(RelayerKey relayer, long nonce, Fees fees) {
    Draft filler = Draft.filler(relayer.address());
    SignedTransaction signed = SignedTransaction.of(relayer, chainId, nonce, filler, fees);
    LOG.warn("Nonce {} of relayer {} is filled, for nothing has it", nonce, relayer.address());
    store.storeAgain(relayer.address(), nonce, filler, fees, signed);
    handOver(signed);
  }

  /**
   * What is offered for a unit of gas (EIP-1559), in wei.
   *
   * @param max base fee and tip together
   * @param tip what the block's producer gets of it
   */
  record Fees(BigInteger max, BigInteger tip) {

    private static final BigInteger EIGHT = BigInteger.valueOf(8);

    /** Nodes take a replacement only if both are at least 12.5 % higher. */
    Fees raised() {
      return new Fees(raised(max), raised(tip));
    }

    private static BigInteger raised(BigInteger fee) {
      return fee.add(fee.add(EIGHT).divide(EIGHT)).max(fee.add(BigInteger.ONE));
    }

    Fees atLeast(Fees other) {
      return new Fees(max.max(other.max), tip.max(other.tip));
    }

    boolean isWithin(BigInteger cap) {
      return max.compareTo(cap) <= 0;
    }

    /** What a transaction may cost at most. */
    BigInteger cost(long gas) {
      return max.multiply(BigInteger.valueOf(gas));
    }
  }

  /** Hands stored bytes to a node and understands its answer, which no standard words. */
  record Broadcast(JsonRpc rpc) {

    private static final Logger LOG = LoggerFactory.getLogger(Broadcast.class);

    /** What a node says to a transaction. */
    enum Heard {
      /** It has it, since now or before. */
      TAKEN,
      /** Its nonce was used: by itself, by a dearer one like it, or by a stranger. */
      NONCE_USED,
      /** The node refused, or none answered: the transaction may or may not be on its way. */
      NOTHING
    }

    Heard send(SignedTransaction transaction) {
      try {
        RpcAnswer answer = rpc.ask(RpcCall.of("eth_sendRawTransaction", Hex.of(transaction.raw())));
        return answer instanceof RpcAnswer.Result result
            ? understood(transaction.hash(), result)
            : understood(transaction.hash(), (RpcAnswer.Refused) answer);
      } catch (ChainUnavailable e) {
        LOG.warn("Transaction {} could not be handed over: {}", transaction.hash(), e.getMessage());
        return Heard.NOTHING;
      }
    }

    /**
     * Whose transaction has used a nonce, in the words of a node that was asked for all of it at
     * once: one that does not know of the nonce's use yet cannot say whose it was.
     *
     * @param own all that were sent with the nonce
     * @return taken if one of them has; that the nonce is used if a stranger's has; or nothing
     */
    Heard usedBy(EvmAddress relayer, long nonce, List<String> own) {
      List<RpcCall> calls = new ArrayList<>();
      calls.add(RpcCall.of("eth_getTransactionCount", relayer.lowerCase(), "latest"));
      own.forEach(hash -> calls.add(RpcCall.of("eth_getTransactionReceipt", hash)));
      try {
        List<JsonNode> answers = rpc.read(calls);
        if (answers.stream().skip(1).anyMatch(receipt -> !receipt.isNull())) {
          return Heard.TAKEN;
        }
        return Quantities.small(answers.get(0)) > nonce ? Heard.NONCE_USED : Heard.NOTHING;
      } catch (ChainUnavailable e) {
        LOG.warn(
            "Nonce {} of {} was used, and no node says by what: {}",
            nonce,
            relayer,
            e.getMessage());
        return Heard.NOTHING;
      }
    }

    /** What stands before a node may answer in its place, with something else than the hash. */
    private static Heard understood(String hash, RpcAnswer.Result result) {
      if (result.value().asText().equalsIgnoreCase(hash)) {
        return Heard.TAKEN;
      }
      LOG.warn("A node was handed transaction {}, and named another one or none", hash);
      return Heard.NOTHING;
    }

    private static Heard understood(String hash, RpcAnswer.Refused refused) {
      String words = refused.message().toLowerCase(Locale.ROOT).replace(" ", "");
      if (words.contains("alreadyknown") || words.contains("alreadyimported")) {
        return Heard.TAKEN;
      }
      if (words.contains("noncetoolow") || words.contains("oldnonce")) {
        return Heard.NONCE_USED;
      }
      LOG.warn("A node refused transaction {}: {}", hash, refused.message());
      return Heard.NOTHING;
    }
  }
}
