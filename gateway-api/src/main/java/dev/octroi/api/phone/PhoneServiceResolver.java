package dev.octroi.api.phone;

import jakarta.ws.rs.ext.ContextResolver;
import org.jspecify.annotations.Nullable;

/**
 * Hands {@link PhoneService} to the phone resource, on every implementation and without injection.
 */
public final class PhoneServiceResolver implements ContextResolver<PhoneService> {

  private final PhoneService service;

  public PhoneServiceResolver(PhoneService service) {
    this.service = service;
  }

  @Override
  public @Nullable PhoneService getContext(Class<?> type) {
    return type == PhoneService.class ? service : null;
  }
}
