package dev.octroi.api.language;

import jakarta.ws.rs.ext.ContextResolver;
import org.jspecify.annotations.Nullable;

/** Hands the desk to the language resources, on every implementation and without injection. */
public final class LanguageDeskResolver implements ContextResolver<LanguageDesk> {

  private final LanguageDesk desk;

  public LanguageDeskResolver(LanguageDesk desk) {
    this.desk = desk;
  }

  @Override
  public @Nullable LanguageDesk getContext(Class<?> type) {
    return type == LanguageDesk.class ? desk : null;
  }
}
