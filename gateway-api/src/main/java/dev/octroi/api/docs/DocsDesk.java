package dev.octroi.api.docs;

import dev.octroi.api.house.Mounted;
import dev.octroi.api.openapi.ApiDocument;
import jakarta.ws.rs.ext.ContextResolver;
import jakarta.ws.rs.ext.Providers;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the documentation's resources work with, handed to them on every implementation and without
 * injection. Thread-safe.
 *
 * @param document the description
 * @param payer who pays for a visitor; empty where the money is worth something
 */
public record DocsDesk(ApiDocument document, Optional<SandboxPayer> payer)
    implements ContextResolver<DocsDesk> {

  /** The resource classes, for {@code Application#getClasses}. */
  public static final List<Class<?>> RESOURCES = List.of(OpenApiResource.class, DocsResource.class);

  @Override
  public @Nullable DocsDesk getContext(Class<?> type) {
    return type == DocsDesk.class ? this : null;
  }

  static DocsDesk of(Providers providers) {
    return Mounted.of(providers, DocsDesk.class);
  }
}
