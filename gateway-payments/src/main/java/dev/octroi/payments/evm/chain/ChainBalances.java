package dev.octroi.payments.evm.chain;

import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.facilitator.Facilitator.Balances;
import java.math.BigInteger;
import java.util.Map;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Balances of an EVM chain's tokens. Thread-safe. */
public final class ChainBalances implements Balances {

  private static final Logger LOG = LoggerFactory.getLogger(ChainBalances.class);

  private final JsonRpc rpc;

  public ChainBalances(JsonRpc rpc) {
    this.rpc = rpc;
  }

  @Override
  public OptionalLong of(String asset, String account) {
    byte[] data = TokenCalls.balanceOf(EvmAddress.parse(account));
    try {
      byte[] word =
          Quantities.bytes(
              rpc.read(
                  "eth_call",
                  Map.of("to", EvmAddress.parse(asset).lowerCase(), "data", Hex.of(data)),
                  "latest"));
      if (word.length != AbiReader.WORD) {
        return OptionalLong.empty();
      }
      BigInteger balance = new BigInteger(1, word);
      return OptionalLong.of(balance.min(BigInteger.valueOf(Long.MAX_VALUE)).longValue());
    } catch (ChainUnavailable e) {
      LOG.warn("A balance cannot be asked for: {}", e.getMessage());
      return OptionalLong.empty();
    }
  }
}
