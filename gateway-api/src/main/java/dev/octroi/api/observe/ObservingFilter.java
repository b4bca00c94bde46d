package dev.octroi.api.observe;

import dev.octroi.api.error.ErrorMapper.WrittenAnswer;
import dev.octroi.api.group.Addressed;
import dev.octroi.api.group.Group;
import dev.octroi.api.group.SoldRow;
import dev.octroi.api.observe.ObservedCall.Endpoint;
import dev.octroi.api.price.PriceBook;
import dev.octroi.payments.jaxrs.JaxrsExchange;
import jakarta.annotation.Priority;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.ext.WriterInterceptor;
import jakarta.ws.rs.ext.WriterInterceptorContext;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Sees every call of the gateway come and go: from the judgement of its path to the last byte of
 * its answer. What orchestrators and scrapers ask is not looked at.
 */
@PreMatching
public final class ObservingFilter implements ContainerRequestFilter {

  private static final String CALL = "dev.octroi.api.observed";
  private static final Pattern EXPRESSION = Pattern.compile("\\{\\s*([\\w.-]+)\\s*:[^{}]*}");

  private final Observation observation;

  public ObservingFilter(Observation observation) {
    this.observation = observation;
  }

  @Override
  public void filter(ContainerRequestContext request) {
    WrittenAnswer.begin();
    if (Addressed.isOurs(request) && !isOperations(request)) {
      request.setProperty(CALL, observation.begin(JaxrsExchange.of(request)));
    }
  }

  private static boolean isOperations(ContainerRequestContext request) {
    String path = request.getUriInfo().getPath(false);
    String below = path.startsWith("/") ? path.substring(1) : path;
    return below.startsWith("health/") || below.equals("metrics");
  }

  /**
   * The last response filter, which only looks. Its priority stands in an annotation because Jersey
   * ignores one below 1 that is given in {@code register}.
   */
  @Priority(Integer.MIN_VALUE)
  public static final class Answered implements ContainerResponseFilter {

    private final Observation observation;
    private final PriceBook rows;
    private final ConcurrentMap<Method, String> templates = new ConcurrentHashMap<>();

    /** What belongs to the request is given to fields alone. */
    @Context private @Nullable ResourceInfo resource;

    public Answered(Observation observation, PriceBook rows) {
      this.observation = observation;
      this.rows = rows;
    }

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
      if (!Addressed.isOurs(request) || isOperations(request)) {
        return;
      }
      ObservedCall call =
          request.getProperty(CALL) instanceof ObservedCall known ? known : late(request);
      call.answered(endpoint(call, request), response.getStatus());
      if (!response.hasEntity() || call.method().equals(HttpMethod.HEAD)) {
        observation.end(call);
      }
    }

    /**
     * What was called: the row that it buys, or the template of its resource. Never the path
     * itself, which callers make up.
     */
    private Endpoint endpoint(ObservedCall call, ContainerRequestContext request) {
      String method = Endpoint.method(call.method());
      String group =
          Addressed.group(JaxrsExchange.of(request)).map(Group::word).orElse(Endpoint.GATEWAY);
      String path = request.getUriInfo().getPath(false);
      return new Endpoint(
          group,
          method,
          rows.sold(method, path.startsWith("/") ? path : "/" + path)
              .map(SoldRow::path)
              .or(this::template)
              .orElse(Endpoint.UNMATCHED));
    }

    /** Empty where no method was matched. */
    private Optional<String> template() {
      Method method = resource == null ? null : resource.getResourceMethod();
      return method == null
          ? Optional.empty()
          : Optional.of(templates.computeIfAbsent(method, Answered::template));
    }

    private static String template(Method method) {
      Path below = method.getAnnotation(Path.class);
      Path base = method.getDeclaringClass().getAnnotation(Path.class);
      String path = slashed(base) + slashed(below);
      return path.isEmpty() ? "/" : EXPRESSION.matcher(path).replaceAll("{$1}");
    }

    private static String slashed(@Nullable Path path) {
      String text = path == null ? "" : path.value();
      if (text.isEmpty() || text.equals("/")) {
        return "";
      }
      return text.startsWith("/") ? text : "/" + text;
    }

    /** A request whose path was refused before the request filter saw it. */
    private ObservedCall late(ContainerRequestContext request) {
      ObservedCall call = observation.begin(JaxrsExchange.of(request));
      request.setProperty(CALL, call);
      return call;
    }
  }

  /**
   * Ends a call with the last byte of its answer, whether or not that could be written. That its
   * caller has gone is no fault of this server and goes no further: implementations and servers log
   * it, with a trace, as often as callers like. The outermost of the gateway's writers.
   */
  @Priority(Integer.MIN_VALUE)
  public static final class Written implements WriterInterceptor {

    private final Observation observation;

    public Written(Observation observation) {
      this.observation = observation;
    }

    @Override
    public void aroundWriteTo(WriterInterceptorContext writing) throws IOException {
      if (!Addressed.isOurs(writing)) {
        writing.proceed();
        WrittenAnswer.end();
        return;
      }
      AnswerStream answer = new AnswerStream(writing.getOutputStream());
      writing.setOutputStream(answer);
      try {
        writing.proceed();
      } catch (IOException | RuntimeException e) {
        if (!answer.isCut()) {
          throw e;
        }
      } finally {
        answer.end();
        if (writing.getProperty(CALL) instanceof ObservedCall call) {
          end(call, answer);
        }
      }
      WrittenAnswer.end();
    }

    private void end(ObservedCall call, AnswerStream answer) {
      if (answer.isCut()) {
        observation.cut(call);
      }
      observation.end(call);
    }
  }

  /**
   * The way of an answer to its caller. It notices that the caller has gone, which only this end of
   * it can tell from a failure of what writes. Used by the thread that serves the call.
   */
  private static final class AnswerStream extends OutputStream {

    private final OutputStream out;
    private boolean cut;
    private boolean ended;

    AnswerStream(OutputStream out) {
      this.out = out;
    }

    /** Whether the caller has gone. */
    boolean isCut() {
      return cut;
    }

    /**
     * All was written that will be: what flushes or closes it from now on is told of no failure.
     */
    void end() {
      ended = true;
    }

    @Override
    public void write(int b) throws IOException {
      pass(() -> out.write(b));
    }

    @Override
    public void write(byte[] b, int offset, int length) throws IOException {
      pass(() -> out.write(b, offset, length));
    }

    @Override
    public void flush() throws IOException {
      pass(out::flush);
    }

    @Override
    public void close() throws IOException {
      pass(out::close);
    }

    /** Until the end a failure is thrown each time: the answer must not count as delivered. */
    private void pass(Writing writing) throws IOException {
      try {
        if (!cut) {
          writing.write();
        } else if (!ended) {
          throw new IOException("the caller has gone");
        }
      } catch (IOException e) {
        cut = true;
        if (!ended) {
          throw e;
        }
      }
    }

    @FunctionalInterface
    private interface Writing {
      void write() throws IOException;
    }
  }
}
