package dev.octroi.examples.bookshop;

import dev.octroi.api.Gateway;
import dev.octroi.api.GatewayFeature;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;

/** Mounts the gateway that the container has as a bean. */
@Dependent
public class MountedGateway extends GatewayFeature {

  @Inject Gateway gateway;

  @Override
  protected Gateway gateway() {
    return gateway;
  }
}
