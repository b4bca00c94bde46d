package dev.octroi.api.phone;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.payments.chain.ChainFamily;
import dev.octroi.services.phone.PhoneNumber;
import dev.octroi.services.read.UpstreamJson;
import java.time.Instant;
import java.util.List;

/**
 * The records of leases (specification, phone records; decisions, phone bodies).
 *
 * @param evm what the EVM chain is called
 * @param solana what Solana is called
 */
record PhoneRecords(String evm, String solana) {

  private static final String PHONE_NUMBER = "phone_number";

  byte[] lease(Lease lease, Instant expires, String message) {
    ObjectNode stated =
        UpstreamJson.record()
            .put(PHONE_NUMBER, lease.deed().leased().number().e164())
            .put("expires_at", expires.toString())
            .put("chain", chain(lease))
            .put("message", message);
    return UpstreamJson.bytes(stated);
  }

  byte[] list(List<Lease> leases, Instant now) {
    ObjectNode stated = UpstreamJson.record();
    ArrayNode numbers = stated.putArray("numbers");
    for (Lease lease : leases) {
      numbers
          .addObject()
          .put(PHONE_NUMBER, lease.deed().leased().number().e164())
          .put("country", lease.deed().country().name())
          .put("chain", chain(lease))
          .put("expires_at", lease.expiresAt().toString())
          .put("active", lease.isActive(now));
    }
    return UpstreamJson.bytes(stated.put("count", leases.size()));
  }

  static byte[] released(PhoneNumber number) {
    return UpstreamJson.bytes(
        UpstreamJson.record().put("released", true).put(PHONE_NUMBER, number.e164()));
  }

  static byte[] sent(String id, String status) {
    return UpstreamJson.bytes(UpstreamJson.record().put("message_id", id).put("status", status));
  }

  private String chain(Lease lease) {
    return switch (ChainFamily.of(lease.deed().network())) {
      case EVM -> evm;
      case SOLANA -> solana;
    };
  }
}
