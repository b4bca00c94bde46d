package dev.octroi.payments.evm.relay;

import dev.octroi.payments.evm.channel.ChannelSettlements;
import dev.octroi.payments.facilitator.Facilitator;
import org.junit.jupiter.api.BeforeEach;

/** A seller whose own node settles what its channels need. */
abstract class RelayedChannelFixture extends ChannelFixture {

  EvmFacilitator facilitator;

  @BeforeEach
  void serve() {
    facilitator = channels(reader(), settings());
  }

  @Override
  Facilitator settling() {
    return facilitator;
  }

  @Override
  ChannelSettlements claiming() {
    return facilitator;
  }
}
