package dev.octroi.payments.servlet;

import dev.octroi.payments.CallRefused;
import dev.octroi.payments.Exchange;
import dev.octroi.payments.HttpAnswer;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A request that a servlet container received. */
public final class ServletExchange implements Exchange {

  private final HttpServletRequest request;
  private final URI address;
  private @Nullable InputStream body;
  private boolean asked;

  /** Throws {@link CallRefused} with 400 if the address is none. */
  public ServletExchange(HttpServletRequest request) {
    this.request = request;
    String query = request.getQueryString();
    try {
      this.address = URI.create(request.getRequestURL() + (query == null ? "" : "?" + query));
    } catch (IllegalArgumentException e) {
      throw new CallRefused(HttpAnswer.error(400, "The address cannot be read."));
    }
  }

  @Override
  public String method() {
    return request.getMethod();
  }

  @Override
  public URI address() {
    return address;
  }

  @Override
  public String contextPath() {
    return Objects.requireNonNullElse(request.getContextPath(), "");
  }

  @Override
  public String path() {
    return below(request.getRequestURI());
  }

  /** After a forward the path that the caller sent is kept by the container. */
  @Override
  public String receivedPath() {
    return request.getAttribute(RequestDispatcher.FORWARD_REQUEST_URI) instanceof String received
        ? below(received)
        : path();
  }

  @Override
  public @Nullable String receivedQuery() {
    return request.getAttribute(RequestDispatcher.FORWARD_REQUEST_URI) == null
        ? request.getQueryString()
        : (String) request.getAttribute(RequestDispatcher.FORWARD_QUERY_STRING);
  }

  private String below(String path) {
    String context = contextPath();
    String below = path.startsWith(context) ? path.substring(context.length()) : path;
    return below.startsWith("/") ? below : "/" + below;
  }

  @Override
  public Map<String, List<String>> pathParameters() {
    return Map.of();
  }

  @Override
  public Map<String, List<String>> queryParameters() {
    Map<String, List<String>> parameters = new LinkedHashMap<>();
    String query = request.getQueryString();
    if (query != null) {
      Forms.read(query, StandardCharsets.UTF_8, parameters);
    }
    return parameters;
  }

  @Override
  public List<String> headers(String name) {
    return Collections.list(request.getHeaders(name));
  }

  /**
   * A request that announces no body has none in HTTP/1, whose server may wait for one; its
   * successors need not announce it.
   */
  @Override
  public @Nullable InputStream body() {
    if (!asked) {
      asked = true;
      boolean announced =
          request.getHeader("Content-Length") != null
              || request.getHeader("Transfer-Encoding") != null;
      if (announced || !request.getProtocol().startsWith("HTTP/1.")) {
        try {
          body = request.getInputStream();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
    return body;
  }

  @Override
  public void body(InputStream instead) {
    asked = true;
    body = instead;
  }

  @Override
  public @Nullable Object property(String name) {
    return request.getAttribute(name);
  }

  @Override
  public void property(String name, Object value) {
    request.setAttribute(name, value);
  }

  @Override
  public <T> Optional<T> unwrap(Class<T> type) {
    return type.isInstance(request) ? Optional.of(type.cast(request)) : Optional.empty();
  }
}
