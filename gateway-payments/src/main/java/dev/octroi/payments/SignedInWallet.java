package dev.octroi.payments;

import java.security.Principal;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A payer who has signed in with its wallet and pays nothing now, as the caller's identity.
 *
 * @param payer the wallet's address in the form of its chain (EIP-55 on EVM)
 * @param networks where the wallet may have paid, as CAIP-2 ids: all that its key signs for, or the
 *     one on which a contract took the signature for its own
 */
public record SignedInWallet(String payer, List<String> networks) implements Principal {

  /** How such a caller was found out, for a container's security context. */
  public static final String SCHEME = "sign-in-with-x";

  /** The name of the {@link Exchange#property} that it is noted under. */
  public static final String PROPERTY = "dev.octroi.payments.wallet";

  public SignedInWallet {
    networks = List.copyOf(networks);
  }

  @Override
  public String getName() {
    return payer;
  }

  /** The wallet that the current call is signed in with; empty if with none. */
  public static Optional<SignedInWallet> of(@Nullable Principal caller) {
    return caller instanceof SignedInWallet wallet ? Optional.of(wallet) : Optional.empty();
  }
}
