package dev.octroi.sandbox.vendor;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.api.http.OwnHosts;
import dev.octroi.api.http.PageRule;
import dev.octroi.sandbox.contract.Call;
import dev.octroi.sandbox.contract.Checked;
import dev.octroi.sandbox.contract.Contract;
import dev.octroi.sandbox.contract.Violation;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Hands each request to the vendor of its first path segment, well or badly as it asks. What the
 * vendor's contract does not know is refused before the vendor answers.
 */
final class SandboxHandler extends Handler.Abstract {

  private static final PageRule THIS_MACHINE = new PageRule(new OwnHosts(), List.of());

  private static final int MOST_REMEMBERED = 1_000;

  private final Map<String, SandboxVendor> vendors;
  private final Replies replies;
  private final MagicScan magic;
  private final CallerWatch watch;
  private final Map<String, Contract> contracts = new ConcurrentHashMap<>();
  private final boolean publicOnly;
  private final Deque<String> refusals = new ArrayDeque<>();

  SandboxHandler(
      Map<String, SandboxVendor> vendors,
      boolean publicOnly,
      ObjectMapper json,
      Scheduler scheduler) {
    this.publicOnly = publicOnly;
    this.watch = new CallerWatch(scheduler);
    this.vendors = Map.copyOf(vendors);
    this.replies = new Replies(json);
    this.magic = new MagicScan(json);
  }

  @Override
  protected void doStart() throws Exception {
    super.doStart();
    watch.start();
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    response.getHeaders().put(SandboxServer.LABEL, "octroi");
    if (isPageOfAnotherSite(request)) {
      replies.json(
          response,
          callback,
          SandboxAnswer.status(
              403, Map.of("error", "The sandbox is there for callers on this machine only.")));
      return true;
    }
    String path = request.getHttpURI().getDecodedPath();
    int end = path.indexOf('/', 1);
    SandboxVendor vendor = vendors.get(end < 0 ? path.substring(1) : path.substring(1, end));
    if (vendor == null) {
      replies.json(
          response,
          callback,
          SandboxAnswer.status(404, Map.of("error", "No sandbox vendor is mounted here")));
      return true;
    }
    byte[] body = body(request, vendor.maxBody());
    if (body.length > vendor.maxBody()) {
      replies.json(response, callback, vendor.failure(413, "Request body too large"));
      return true;
    }
    String below = end < 0 ? "/" : path.substring(end);
    Map<String, List<String>> query = query(request);
    Map<String, String> headers = headers(request);
    Checked checked = contract(vendor).check(request.getMethod(), below, query, headers, body);
    SandboxRequest asked =
        new SandboxRequest(
            request.getMethod(),
            below,
            query,
            headers,
            body,
            checked instanceof Call known ? known : Call.NONE);
    serve(new Asked(vendor, checked, asked, request, response, callback));
    return true;
  }

  private Contract contract(SandboxVendor vendor) {
    return contracts.computeIfAbsent(
        vendor.mount(), mount -> publicOnly ? vendor.contract().publicOnly() : vendor.contract());
  }

  /** One request on its way to a vendor. */
  private record Asked(
      SandboxVendor vendor,
      Checked checked,
      SandboxRequest asked,
      Request request,
      Response response,
      Callback callback) {}

  private void remember(Asked call, Violation violation) {
    SandboxRequest asked = call.asked();
    String operation =
        contract(call.vendor())
            .find(asked.method(), asked.path())
            .orElse(asked.method() + " " + asked.path());
    String line =
        "%s %s %s: %s"
            .formatted(call.vendor().mount(), violation.kind(), operation, violation.sentence());
    synchronized (refusals) {
      if (refusals.size() == MOST_REMEMBERED) {
        refusals.removeFirst();
      }
      refusals.addLast(line);
    }
  }

  /** The last requests that a contract refused, a line each. */
  List<String> refusals() {
    synchronized (refusals) {
      return List.copyOf(refusals);
    }
  }

  private void serve(Asked call) throws IOException {
    if (call.checked() instanceof Violation violation
        && violation.kind() == Violation.Kind.UNAUTHORIZED) {
      replies.json(call.response(), call.callback(), call.vendor().refusal(violation));
      return;
    }
    Optional<Magic> found = magic.scan(call.asked());
    if (found.isEmpty()) {
      answer(call);
    } else {
      misbehave(call, found.get());
    }
  }

  private void misbehave(Asked call, Magic asked) throws IOException {
    Response response = call.response();
    Callback callback = call.callback();
    switch (asked.kind()) {
      case SLOW -> later(call, asked.value());
      case FAIL ->
          replies.json(
              response, callback, call.vendor().failure(asked.value(), "Failed as the call asked"));
      case HANG -> {
        // Nothing: the connection's idle limit ends it, if the caller does not.
      }
      case CUT -> replies.cut(response, callback);
      case MALFORMED -> replies.malformed(response, callback);
      case EMPTY -> replies.empty(response, callback);
      case HUGE -> replies.huge(response, callback);
    }
  }

  private void later(Asked call, int millis) {
    Scheduler scheduler = call.request().getComponents().getScheduler();
    scheduler.schedule(
        () -> call.request().getComponents().getExecutor().execute(() -> answer(call)),
        millis,
        TimeUnit.MILLISECONDS);
  }

  private void answer(Asked call) {
    if (call.checked() instanceof Violation violation) {
      remember(call, violation);
      replies.json(call.response(), call.callback(), call.vendor().refusal(violation));
      return;
    }
    EndPoint connection = call.request().getConnectionMetaData().getConnection().getEndPoint();
    SandboxAnswer answer;
    try {
      answer = watch.during(connection, () -> call.vendor().answer(call.asked()));
    } catch (RuntimeException failed) {
      call.callback().failed(failed);
      return;
    }
    if (answer.equals(SandboxAnswer.LOST)) {
      replies.cut(call.response(), call.callback());
    } else if (answer.equals(SandboxAnswer.NEVER)) {
      // Nothing, as when a call asks for it: the connection's idle limit ends it.
    } else if (answer.json() instanceof SandboxStream stream) {
      Scheduler scheduler = call.request().getComponents().getScheduler();
      new StreamReply(call.response(), call.callback(), scheduler, stream).begin(answer);
    } else {
      replies.json(call.response(), call.callback(), answer);
    }
  }

  /** Any name can be made to lead to this machine, and any page can send what needs no consent. */
  private static boolean isPageOfAnotherSite(Request request) {
    String host = request.getHeaders().get(HttpHeader.HOST);
    return THIS_MACHINE
        .refusal(host == null ? Request.getServerName(request) : host, request.getHeaders()::get)
        .isPresent();
  }

  private static byte[] body(Request request, int limit) throws IOException {
    if (request.getLength() == 0) {
      return new byte[0];
    }
    try (InputStream in = Content.Source.asInputStream(request)) {
      return in.readNBytes(limit + 1);
    }
  }

  private static Map<String, List<String>> query(Request request) {
    Fields fields = Request.extractQueryParameters(request);
    Map<String, List<String>> query = new HashMap<>();
    fields.forEach(field -> query.put(field.getName(), List.copyOf(field.getValues())));
    return query;
  }

  private static Map<String, String> headers(Request request) {
    Map<String, String> headers = new HashMap<>();
    request
        .getHeaders()
        .forEach(field -> headers.putIfAbsent(field.getLowerCaseName(), field.getValue()));
    return headers;
  }
}
