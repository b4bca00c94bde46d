package dev.octroi.payments.jaxrs;

import com.fasterxml.jackson.jakarta.rs.json.JacksonJsonProvider;
import dev.octroi.payments.setup.Payments;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;
import jakarta.ws.rs.ext.WriterInterceptor;
import jakarta.ws.rs.ext.WriterInterceptorContext;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;

/** A host's own application: its resource, its JSON, its filters, and the payments feature. */
final class ShopApplication extends Application {

  /** Makes the host's filter turn a success into a 500. */
  static final String SPOIL = "X-Test-Spoil";

  /** Makes the host's filter put the answer into an envelope of the host's. */
  static final String WRAP = "X-Test-Wrap";

  /** Makes the host's interceptor break while the answer is being written. */
  static final String CUT = "X-Test-Cut";

  private final Object resource;
  private final Payments payments;
  private final Set<Object> singletons;

  ShopApplication(Object resource, Payments payments) {
    this(resource, payments, Set.of(new PaymentsFeature(payments), new Cutter()));
  }

  private ShopApplication(Object resource, Payments payments, Set<Object> paying) {
    this.resource = resource;
    this.payments = payments;
    this.singletons = new HashSet<>(paying);
    singletons.addAll(Set.of(resource, new JacksonJsonProvider(), new Mapper(), new Spoiler()));
  }

  Object resource() {
    return resource;
  }

  Payments payments() {
    return payments;
  }

  /** The same application, which knows nothing of payments. */
  ShopApplication unpaid() {
    return new ShopApplication(resource, payments, Set.of());
  }

  @Override
  @SuppressWarnings("deprecation")
  public Set<Object> getSingletons() {
    return singletons;
  }

  @Provider
  static final class Mapper implements ExceptionMapper<Shop.Mapped> {
    @Override
    public Response toResponse(Shop.Mapped exception) {
      return Response.serverError().entity("mapped").build();
    }
  }

  @Provider
  static final class Spoiler implements ContainerResponseFilter {
    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
      if (request.getHeaderString(SPOIL) != null) {
        response.setStatus(500);
      }
      if (request.getHeaderString(WRAP) != null && response.hasEntity()) {
        Object sold = response.getEntity();
        String text =
            sold instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : "" + sold;
        response.setEntity("{\"data\":" + text + "}");
      }
      if (request.getHeaderString(CUT) != null) {
        request.setProperty(CUT, true);
      }
    }
  }

  @Provider
  static final class Cutter implements WriterInterceptor {
    @Override
    public void aroundWriteTo(WriterInterceptorContext writing) throws IOException {
      if (writing.getProperty(CUT) != null) {
        throw new IOException("cut");
      }
      writing.proceed();
    }
  }
}
