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
public record DocsServices(ApiDocument document, Optional<SandboxPayer> payer)
    implements ContextResolver<DocsServices> {

  /** The resource classes, for {@code Application#getClasses}. */
  public static final List<Class<?>> RESOURCES = List.of(OpenApiResource.class, DocsResource.class);

  @Override
  public @Nullable DocsServices getContext(Class<?> type) {
    return type == DocsServices.class ? this : null;
  }

  static DocsServices of(Providers providers) {
    return Mounted.of(providers, DocsServices.class);
  }
}
