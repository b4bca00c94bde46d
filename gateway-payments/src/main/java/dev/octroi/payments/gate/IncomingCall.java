package dev.octroi.payments.gate;

import dev.octroi.payments.Admission;
import dev.octroi.payments.PricedRequest;
import dev.octroi.payments.ledger.RequestBinding;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A request as the gate sees it; its body is read, once, when somebody asks for it. */
final class IncomingCall implements PricedRequest, AutoCloseable {

  private final ContainerRequestContext request;
  private final BodyBuffer bodies;
  private @Nullable BufferedBody body;
  private @Nullable Object finding;

  /** What working with the body may take; below 0 as long as nothing was taken for it. */
  private long memory = -1;

  private Admission.Permit permit = () -> {};

  /**
   * A request that nothing was read of yet.
   *
   * @param admission counts it if its body is broken
   */
  IncomingCall(ContainerRequestContext request, BodyBuffer bodies, Admission admission) {
    this.request = request;
    this.bodies = bodies;
    ReceivedBody.of(request, admission);
  }

  ContainerRequestContext context() {
    return request;
  }

  @Override
  public String method() {
    return request.getMethod();
  }

  @Override
  public String path() {
    return CanonicalPath.below(request.getUriInfo());
  }

  @Override
  public Map<String, List<String>> pathParameters() {
    return request.getUriInfo().getPathParameters();
  }

  @Override
  public Map<String, List<String>> queryParameters() {
    return request.getUriInfo().getQueryParameters();
  }

  @Override
  public byte[] body() {
    return opened().bytes();
  }

  @Override
  public void note(Object given) {
    finding = given;
  }

  <T> Optional<T> noted(Class<T> type) {
    return type.isInstance(finding) ? Optional.of(type.cast(finding)) : Optional.empty();
  }

  /**
   * What a payment for this request is bound to; the whole address, so that mounts differ. Asked
   * for before the claim, which is when it turns out whether there is memory for the call.
   */
  RequestBinding binding() {
    URI uri = request.getUriInfo().getRequestUri();
    String query = Objects.requireNonNullElse(uri.getRawQuery(), "");
    return new RequestBinding(method(), uri.getRawPath(), query, opened().hash());
  }

  /** The body, and the memory that the tariff and the method need to work with it. */
  private BufferedBody opened() {
    BufferedBody read = buffered();
    if (memory < 0) {
      memory = bodies.working().take(read.weight());
    }
    return read;
  }

  private BufferedBody buffered() {
    if (body == null) {
      body = read();
    }
    return body;
  }

  /** Does not ask {@code hasEntity}: RESTEasy denies a body that came without a content type. */
  private BufferedBody read() {
    bodies.pace(request);
    InputStream received = request.getEntityStream();
    if (received == null) {
      return BufferedBody.NONE;
    }
    try {
      PushbackInputStream in = new PushbackInputStream(received);
      int first = in.read();
      if (first < 0) {
        return BufferedBody.NONE;
      }
      in.unread(first);
      BufferedBody read = bodies.read(in, AnnouncedLength.of(request));
      request.setEntityStream(read.stream());
      return read;
    } catch (BrokenRequest e) {
      throw new Refusal(FlatErrors.brokenRequest());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Takes a place among the calls in flight, until this call is closed. */
  void occupy(Admission.Permit place) {
    permit = place;
  }

  /**
   * Ends a call whose method does not run. A body that the gate has not read is taken off the
   * connection first, within the limit and without keeping it: a sender whose connection is closed
   * while it still writes never reads the challenge.
   */
  void refuse() {
    try {
      if (body == null && announcesBody() && !asksFirst()) {
        bodies.pace(request);
        bodies.discard(request.getEntityStream());
      }
    } finally {
      close();
    }
  }

  /** Its sender waits to be told to send: to read would be to tell. */
  private boolean asksFirst() {
    return "100-continue".equalsIgnoreCase(request.getHeaderString("Expect"));
  }

  private boolean announcesBody() {
    return request.getEntityStream() != null
        && (AnnouncedLength.of(request) > 0
            || request.getHeaderString("Transfer-Encoding") != null);
  }

  /** Gives back all that the call took up; its method has ended or will not run. */
  @Override
  public void close() {
    permit.close();
    permit = () -> {};
    if (body != null) {
      body.close();
    }
    body = BufferedBody.NONE;
    if (memory > 0) {
      bodies.working().give(memory);
    }
    memory = 0;
  }
}
