package dev.octroi.api.docs;

import dev.octroi.api.house.Mounted;
import dev.octroi.api.openapi.ApiDocument;
import jakarta.ws.rs.ext.Providers;
import java.util.List;
import java.util.Optional;

/**
 * What the documentation's resources work with. Thread-safe.
 *
 * @param document the description
 * @param payer who pays for a visitor; empty where the money is worth something
 */
public record DocsServices(ApiDocument document, Optional<SandboxPayer> payer) {

  /** The resource classes, for {@code Application#getClasses}. */
  public static final List<Class<?>> RESOURCES = List.of(OpenApiResource.class, DocsResource.class);

  static DocsServices of(Providers providers) {
    return Mounted.of(providers, DocsServices.class);
  }
}
