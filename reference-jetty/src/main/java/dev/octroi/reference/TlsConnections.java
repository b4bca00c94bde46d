package dev.octroi.reference;

import dev.octroi.api.settings.HttpSettings.TlsSettings;
import dev.octroi.api.settings.InvalidSettings;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.DetectorConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.eclipse.jetty.util.thread.Scheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A port that speaks TLS, HTTP/2 and HTTP/1.1 below it, and plain HTTP with this machine: the
 * gateway calls itself there, and so do the command line and probes.
 */
final class TlsConnections {

  /** HTTP/1.1 as clients name it in TLS, in small letters. */
  private static final String FORMER = "http/1.1";

  /** So many times the longest headers that are served are read before a connection ends. */
  private static final int TIMES_READ = 8;

  private TlsConnections() {}

  /**
   * What speaks with a connection.
   *
   * @throws dev.octroi.api.settings.InvalidSettings if certificate and key cannot be used
   */
  static ConnectionFactory[] of(TlsSettings settings, HttpConfiguration http) {
    // Which hosts are ours is told by the gateway's own rules.
    http.addCustomizer(new SecureRequestCustomizer(false));
    HTTP2ServerConnectionFactory newer =
        new HTTP2ServerConnectionFactory(withoutTunnels(readingMore(http)));
    newer.setConnectProtocolEnabled(false);
    // The better one first; with a client that names none, the former.
    ALPNServerConnectionFactory either =
        new ALPNServerConnectionFactory(newer.getProtocol(), FORMER);
    either.setDefaultProtocol(FORMER);
    SslConnectionFactory tls =
        new SslConnectionFactory(new ReloadedCertificate(settings), either.getProtocol());
    return new ConnectionFactory[] {
      new DetectorConnectionFactory(tls), new HttpConnectionFactory(http), either, newer
    };
  }

  /**
   * For HTTP/2, where headers that are longer than Jetty takes end the connection, and with it all
   * other calls that are on it: longer ones are taken, and refused as they are elsewhere.
   */
  private static HttpConfiguration readingMore(HttpConfiguration http) {
    int longest = http.getRequestHeaderSize();
    HttpConfiguration more = new HttpConfiguration(http);
    more.setRequestHeaderSize(longest * TIMES_READ);
    more.addCustomizer(
        (request, ignored) -> {
          long bytes = request.getHttpURI().asString().length();
          for (HttpField header : request.getHeaders()) {
            bytes += header.toString().length();
          }
          if (bytes > longest) {
            throw new HttpException.RuntimeException(
                HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE_431);
          }
          return request;
        });
    return more;
  }

  /**
   * For HTTP/2, whose tunnels Jetty hands on as requests with a body that neither comes nor ends,
   * and whose requests need not name a host.
   */
  private static HttpConfiguration withoutTunnels(HttpConfiguration http) {
    http.addCustomizer(
        (request, ignored) -> {
          if (HttpMethod.CONNECT.is(request.getMethod())) {
            throw new HttpException.RuntimeException(HttpStatus.METHOD_NOT_ALLOWED_405);
          }
          if (request.getHttpURI().getAuthority() == null
              && !request.getHeaders().contains(HttpHeader.HOST)) {
            throw new HttpException.RuntimeException(HttpStatus.BAD_REQUEST_400);
          }
          return request;
        });
    return http;
  }

  /** Refuses plain HTTP that comes from another machine, before anything of it is looked at. */
  static final class NoPlainCalls extends Handler.Wrapper {

    private static final byte[] SENTENCE =
        "{\"error\":\"This address speaks HTTPS.\"}".getBytes(StandardCharsets.UTF_8);

    NoPlainCalls(Handler handler) {
      super(handler);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      if (request.isSecure() || isOfThisMachine(request)) {
        return super.handle(request, response, callback);
      }
      response.setStatus(HttpStatus.BAD_REQUEST_400);
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
      response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
      response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString());
      response.write(true, ByteBuffer.wrap(SENTENCE), callback);
      return true;
    }

    /** It calls the loopback address, or itself by another one that it has. */
    private static boolean isOfThisMachine(Request request) {
      return request.getConnectionMetaData().getRemoteSocketAddress()
              instanceof InetSocketAddress remote
          && request.getConnectionMetaData().getLocalSocketAddress()
              instanceof InetSocketAddress local
          && remote.getAddress() != null
          && (remote.getAddress().isLoopbackAddress()
              || remote.getAddress().equals(local.getAddress()));
    }
  }

  /** The certificate of new connections, which is read anew when its files change. Thread-safe. */
  private static final class ReloadedCertificate extends SslContextFactory.Server {

    private static final Logger LOG = LoggerFactory.getLogger(TlsConnections.class);

    private final TlsSettings settings;
    private final Scheduler scheduler = new ScheduledExecutorScheduler("tls", true);

    /** Written by the one thread of the scheduler. */
    private volatile TlsCertificate serving;

    private volatile String told = "";

    ReloadedCertificate(TlsSettings settings) {
      this.settings = settings;
      serving = TlsCertificate.read(settings);
      setKeyStorePassword(settings.password().value());
      setKeyStore(serving.store());
      installBean(scheduler);
    }

    @Override
    protected void doStart() throws Exception {
      super.doStart();
      lookLater();
    }

    private void lookLater() {
      scheduler.schedule(this::look, settings.reload().toMillis(), TimeUnit.MILLISECONDS);
    }

    private void look() {
      try {
        TlsCertificate now = TlsCertificate.read(settings);
        if (!now.isSame(serving)) {
          reload(context -> context.setKeyStore(now.store()));
          serving = now;
        }
        told = "";
      } catch (InvalidSettings e) {
        tell(e.problems().get(0));
      } catch (Exception e) {
        tell("The new one cannot be used: " + e);
      } finally {
        if (isRunning()) {
          lookLater();
        }
      }
    }

    /** Once for each trouble: the files are looked at again and again. */
    private void tell(String why) {
      if (!told.equals(why)) {
        told = why;
        LOG.warn("The former TLS certificate stays in use: {}", why);
      }
    }
  }
}
