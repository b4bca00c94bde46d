package dev.octroi.payments.flow;

import dev.octroi.payments.chain.ChainFamily;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.EvmPayments;
import dev.octroi.payments.facilitator.ChannelUse;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.solana.SolanaPayments;
import dev.octroi.payments.x402.PaymentPayload;
import java.util.Optional;
import java.util.regex.Pattern;

/** What a payment is unique by, as its envelope states it; nothing proves it yet. */
public final class StatedKey {

  private static final Pattern NETWORK = Pattern.compile("[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}");

  private StatedKey() {}

  /** Empty where the envelope states none that a payment could have. */
  public static Optional<PaymentKey> of(PaymentPayload payload) {
    if (!isNetwork(payload)) {
      return Optional.empty();
    }
    return switch (ChainFamily.of(payload.network())) {
      case EVM -> EvmPayments.key(payload);
      case SOLANA -> SolanaPayments.key(payload);
    };
  }

  /** Whether the envelope names a network as CAIP-2 has them, so that a database can be asked. */
  static boolean isNetwork(PaymentPayload payload) {
    return NETWORK.matcher(payload.network()).matches();
  }

  /** A payer or channel as its chain writes it, where the ledger has one form of it alone. */
  public static String payer(PaymentKey known) {
    return ChainFamily.of(known.network()) == ChainFamily.EVM
            && !ChannelUse.isChannel(known.network(), known.payer())
        ? EvmAddress.parse(known.payer()).toString()
        : known.payer();
  }
}
