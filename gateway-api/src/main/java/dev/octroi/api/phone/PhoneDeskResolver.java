package dev.octroi.api.phone;

import jakarta.ws.rs.ext.ContextResolver;
import org.jspecify.annotations.Nullable;

/** Hands the desk to the phone resource, on every implementation and without injection. */
public final class PhoneDeskResolver implements ContextResolver<PhoneDesk> {

  private final PhoneDesk desk;

  public PhoneDeskResolver(PhoneDesk desk) {
    this.desk = desk;
  }

  @Override
  public @Nullable PhoneDesk getContext(Class<?> type) {
    return type == PhoneDesk.class ? desk : null;
  }
}
