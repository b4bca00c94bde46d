package dev.octroi.payments.facilitator;

import dev.octroi.payments.facilitator.HttpFacilitator.HttpFacilitatorSettings;
import dev.octroi.payments.http.BoundedBody;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;

/**
 * Single HTTP exchanges with remote facilitators: within a deadline that covers the last byte,
 * answers bounded, redirects not followed (a signed payment goes only where the operator said).
 * Thread-safe.
 */
final class RemoteCalls {

  /** An answer as it came. */
  record Reply(int status, byte[] body) {}

  private final HttpClient http;
  private final FacilitatorAuth auth;
  private final int maxAnswer;

  RemoteCalls(HttpFacilitatorSettings settings, FacilitatorAuth auth) {
    this.auth = auth;
    this.maxAnswer = settings.maxAnswer();
    this.http =
        HttpClient.newBuilder()
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(settings.connect())
            .build();
  }

  Reply get(URI uri, Duration deadline) throws NoReply {
    return exchange(request("GET", uri).GET(), deadline);
  }

  /**
   * Posts a body.
   *
   * @param idempotencyKey names what is asked for, so that it may be asked for again; empty for
   *     none
   */
  Reply post(URI uri, byte[] json, String idempotencyKey, Duration deadline) throws NoReply {
    HttpRequest.Builder request =
        request("POST", uri)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofByteArray(json));
    if (!idempotencyKey.isEmpty()) {
      request.header("Idempotency-Key", idempotencyKey);
    }
    return exchange(request, deadline);
  }

  private HttpRequest.Builder request(String method, URI uri) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri).version(version(uri)).header("Accept", "application/json");
    auth.header(method, uri).ifPresent(value -> request.header("Authorization", value));
    return request;
  }

  /**
   * With TLS the newer version, whose server says which requests it has not seen when it closes a
   * connection; in plain text it would be an upgrade that some servers trip over.
   */
  private static HttpClient.Version version(URI uri) {
    return "https".equals(uri.getScheme())
        ? HttpClient.Version.HTTP_2
        : HttpClient.Version.HTTP_1_1;
  }

  private Reply exchange(HttpRequest.Builder request, Duration deadline) throws NoReply {
    try {
      HttpResponse<byte[]> response =
          BoundedBody.answer(http, request.build(), maxAnswer, deadline);
      return new Reply(response.statusCode(), response.body());
    } catch (ConnectException | HttpConnectTimeoutException e) {
      throw NoReply.neverSent(e.toString());
    } catch (HttpTimeoutException e) {
      throw new NoReply("no answer within " + deadline);
    } catch (IOException e) {
      throw new NoReply(e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NoReply("interrupted");
    }
  }

  /** A remote facilitator gave no answer that could be understood. The message is for the log. */
  static final class NoReply extends Exception {

    private static final long serialVersionUID = 1L;

    private final boolean sent;

    NoReply(String message) {
      this(message, true);
    }

    private NoReply(String message, boolean sent) {
      super(message, null, false, false);
      this.sent = sent;
    }

    /** No connection could be opened, so that it certainly never heard of anything. */
    static NoReply neverSent(String message) {
      return new NoReply(message, false);
    }

    boolean mayHaveArrived() {
      return sent;
    }
  }
}
