package dev.octroi.api.trace;

import io.opentelemetry.context.propagation.TextMapGetter;
import jakarta.ws.rs.container.ContainerRequestContext;
import org.jspecify.annotations.Nullable;

/** Reads a request's headers for the propagator that looks for a trace in them. */
enum RequestHeaders implements TextMapGetter<ContainerRequestContext> {
  GETTER;

  @Override
  public Iterable<String> keys(ContainerRequestContext request) {
    return request.getHeaders().keySet();
  }

  @Override
  public @Nullable String get(@Nullable ContainerRequestContext request, String name) {
    return request == null ? null : request.getHeaderString(name);
  }
}
