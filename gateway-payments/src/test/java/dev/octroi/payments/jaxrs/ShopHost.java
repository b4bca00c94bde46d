package dev.octroi.payments.jaxrs;

import java.net.URI;

/** A server on a loopback port of its own, with a shop below {@code /shop/api/}. */
interface ShopHost {

  URI base();

  /** Whether a client may take a connection of an earlier call for the next one. */
  default boolean keepsConnections() {
    return true;
  }

  void stop() throws Exception;
}
