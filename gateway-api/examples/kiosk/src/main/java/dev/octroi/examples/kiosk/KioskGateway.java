package dev.octroi.examples.kiosk;

import dev.octroi.api.GatewayBuilder;
import dev.octroi.api.health.Readiness.HealthCheck;
import io.micrometer.core.instrument.Gauge;
import java.util.function.LongSupplier;

/** What the kiosk adds to the gateway: one thing that must be well, and its figure. */
final class KioskGateway {

  private static final long LEAST_BYTES = 1L << 30;

  private KioskGateway() {}

  /**
   * Adds both.
   *
   * @param room bytes that are free where the ledger lies
   */
  static GatewayBuilder with(GatewayBuilder gateway, LongSupplier room) {
    return gateway
        .check(
            new HealthCheck(
                "disk",
                "Make room where the ledger lies, a gibibyte at least.",
                () -> room.getAsLong() >= LEAST_BYTES))
        .figures(
            registry ->
                Gauge.builder("kiosk.disk.free", () -> room.getAsLong())
                    .baseUnit("bytes")
                    .register(registry));
  }
}
