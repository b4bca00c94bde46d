package dev.octroi.payments.evm.relay;

import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.chain.ChainUnavailable;
import dev.octroi.payments.evm.chain.JsonRpc;
import dev.octroi.payments.evm.chain.RpcAnswer;
import dev.octroi.payments.evm.chain.RpcCall;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
      return answer instanceof RpcAnswer.Refused refused
          ? understood(transaction.hash(), refused)
          : Heard.TAKEN;
    } catch (ChainUnavailable e) {
      LOG.warn("Transaction {} could not be handed over: {}", transaction.hash(), e.getMessage());
      return Heard.NOTHING;
    }
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
