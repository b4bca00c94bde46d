package dev.octroi.payments.solana;

import dev.octroi.payments.facilitator.Facilitator.Balances;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What owners hold of a token in their associated accounts on Solana. Thread-safe. */
public final class SolanaBalances implements Balances {

  private static final Logger LOG = LoggerFactory.getLogger(SolanaBalances.class);

  private final SolanaRpc rpc;

  public SolanaBalances(SolanaRpc rpc) {
    this.rpc = rpc;
  }

  /** An owner without an account holds nothing. */
  @Override
  public OptionalLong of(String asset, String account) {
    SolanaAddress mint = SolanaAddress.parse(asset);
    SolanaAddress owner = SolanaAddress.parse(account);
    try {
      // A mint is of one of the programs, so that at most one of these is there.
      List<OptionalLong> held =
          rpc.tokens(
              AssociatedToken.of(owner, mint, Programs.TOKEN),
              AssociatedToken.of(owner, mint, Programs.TOKEN_2022));
      return OptionalLong.of(held.stream().mapToLong(one -> one.orElse(0)).sum());
    } catch (IOException e) {
      LOG.warn("A balance cannot be asked for: {}", e.getMessage());
      return OptionalLong.empty();
    }
  }
}
