package dev.octroi.api.language;

import jakarta.ws.rs.ext.ContextResolver;
import org.jspecify.annotations.Nullable;

/**
 * Hands {@link LanguageService} to the language resources, on every implementation and without
 * injection.
 */
public final class LanguageServiceResolver implements ContextResolver<LanguageService> {

  private final LanguageService service;

  public LanguageServiceResolver(LanguageService service) {
    this.service = service;
  }

  @Override
  public @Nullable LanguageService getContext(Class<?> type) {
    return type == LanguageService.class ? service : null;
  }
}
