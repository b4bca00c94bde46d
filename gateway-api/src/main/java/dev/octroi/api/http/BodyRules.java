package dev.octroi.api.http;

import dev.octroi.api.error.ErrorAnswer;
import dev.octroi.api.group.Addressed;
import dev.octroi.api.group.ConfiguredGroup.GroupLimits;
import dev.octroi.api.group.Groups;
import dev.octroi.payments.Admission;
import dev.octroi.payments.Exchange;
import dev.octroi.payments.body.BodyBuffer;
import dev.octroi.payments.body.ReceivedBody;
import dev.octroi.payments.jaxrs.JaxrsExchange;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.MediaType;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Refuses bodies that no method could take, before a payment is looked at: 415 for what is not
 * JSON, and no form where one is taken, 413 for what is too long, whether it says so or turns out
 * to be.
 */
public final class BodyRules implements ContainerRequestFilter {

  private final BodyBuffer bodies;
  private final Admission admission;
  private final long limit;
  private final List<GroupLimits.Body> others;

  /**
   * @param bodies sets the pace at which they have to come
   * @param admission counts requests whose body is broken
   * @param limit longest body in bytes
   * @param others where groups take longer ones, or forms
   */
  public BodyRules(
      BodyBuffer bodies, Admission admission, long limit, List<GroupLimits.Body> others) {
    this.bodies = bodies;
    this.admission = admission;
    this.limit = limit;
    this.others = List.copyOf(others);
  }

  @Override
  public void filter(ContainerRequestContext request) {
    if (!Addressed.isOurs(request)) {
      return;
    }
    JaxrsExchange exchange = JaxrsExchange.of(request);
    bodies.pace(exchange);
    ReceivedBody.of(exchange, admission);
    // Only these are asked whether they have a body: to answer, an implementation may wait for one.
    boolean takesBody = request.getMethod().equals("POST") || request.getMethod().equals("PUT");
    if (!takesBody || (!announcesBody(exchange) && !request.hasEntity())) {
      return;
    }
    Optional<GroupLimits.Body> other = other(request);
    long most = other.map(GroupLimits.Body::longest).orElse(limit);
    if (ReceivedBody.announced(exchange) > most) {
      swallow(request.getEntityStream(), most);
      request.abortWith(tooLarge().getResponse());
    } else if (!isJson(type(request))
        && !(other.filter(GroupLimits.Body::form).isPresent() && isForm(type(request)))) {
      request.abortWith(ErrorAnswer.flat(415, "The body must be application/json.").response());
    } else {
      request.setEntityStream(new Bounded(request.getEntityStream(), most));
    }
  }

  /** Asked first: a caller who waits to be told to send ({@code Expect}) is not told so here. */
  private static boolean announcesBody(Exchange request) {
    return ReceivedBody.announced(request) > 0 || request.header("Transfer-Encoding") != null;
  }

  private Optional<GroupLimits.Body> other(ContainerRequestContext request) {
    if (Addressed.group(JaxrsExchange.of(request)).isEmpty()) {
      return Optional.empty();
    }
    String path = request.getUriInfo().getPath();
    String slashed = path.startsWith("/") ? path : "/" + path;
    return others.stream().filter(other -> Groups.isAtOrBelow(other.path(), slashed)).findFirst();
  }

  private static boolean isForm(@Nullable MediaType type) {
    return type != null
        && type.getType().equalsIgnoreCase("multipart")
        && type.getSubtype().equalsIgnoreCase("form-data");
  }

  /** Of a type that cannot be read there is none: implementations throw what they like. */
  private static @Nullable MediaType type(ContainerRequestContext request) {
    try {
      return request.getMediaType();
    } catch (RuntimeException e) {
      return null;
    }
  }

  private static boolean isJson(@Nullable MediaType type) {
    return type != null
        && type.getType().equalsIgnoreCase("application")
        && type.getSubtype().equalsIgnoreCase("json");
  }

  /**
   * Takes in some more of a body that is refused: a caller who is still sending reads the answer
   * only if the connection is not closed on him.
   */
  private static void swallow(InputStream body, long most) {
    try {
      body.skipNBytes(most);
    } catch (IOException | WebApplicationException e) {
      // It ended before, or does not come: the caller is reading by now.
    }
  }

  private static WebApplicationException tooLarge() {
    return new WebApplicationException(ErrorAnswer.flat(413, "The body is too large.").response());
  }

  /** Ends a body that grows beyond the limit. */
  private static final class Bounded extends FilterInputStream {

    private final long limit;
    private long left;

    Bounded(InputStream in, long limit) {
      super(in);
      this.limit = limit;
      this.left = limit;
    }

    @Override
    public int read() throws IOException {
      int read = super.read();
      return read < 0 ? read : counted(1) - 1 + read;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      int read = super.read(buffer, offset, length);
      return read < 0 ? read : counted(read);
    }

    private int counted(int read) {
      left -= read;
      if (left < 0) {
        swallow(in, limit);
        throw tooLarge();
      }
      return read;
    }
  }
}
