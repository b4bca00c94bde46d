package dev.octroi.services.web;

import dev.octroi.services.web.PageFetcher.FetchLimits;
import java.io.IOException;
import java.time.Duration;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.impl.routing.DefaultRoutePlanner;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.Timeout;

/**
 * The HTTP client of fetches and posts: one connection per request, to an address that the guard
 * has checked, with nothing that acts by itself: no redirects, repetitions, cookies, credentials or
 * proxies.
 */
final class PageConnections implements AutoCloseable {

  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final int LONGEST_LINE = 16 << 10;
  private static final int MOST_HEADERS = 200;

  private final Guard guard;
  private final CloseableHttpClient http;

  PageConnections(FetchLimits limits, Guard guard, TlsSocketStrategy tls) {
    this.guard = guard;
    this.http =
        HttpClients.custom()
            .setConnectionManager(manager(limits, guard, tls))
            .setRoutePlanner(new DefaultRoutePlanner(null))
            .setConnectionReuseStrategy((request, response, context) -> false)
            .setDefaultRequestConfig(request(limits))
            .setUserAgent("octroi")
            .disableRedirectHandling()
            .disableAutomaticRetries()
            .disableCookieManagement()
            .disableAuthCaching()
            .disableContentCompression()
            .disableConnectionState()
            .build();
  }

  private static PoolingHttpClientConnectionManager manager(
      FetchLimits limits, Guard guard, TlsSocketStrategy tls) {
    Timeout timeout = Timeout.of(limits.deadline());
    Http1Config wire =
        Http1Config.custom().setMaxLineLength(LONGEST_LINE).setMaxHeaderCount(MOST_HEADERS).build();
    return PoolingHttpClientConnectionManagerBuilder.create()
        .setDnsResolver(guard)
        .setTlsSocketStrategy(tls)
        .setConnectionFactory(
            ManagedHttpClientConnectionFactory.builder().http1Config(wire).build())
        .setDefaultConnectionConfig(
            ConnectionConfig.custom()
                .setConnectTimeout(Timeout.of(CONNECT))
                .setSocketTimeout(timeout)
                .build())
        .setMaxConnTotal(limits.atOnce())
        .setMaxConnPerRoute(limits.atOnce())
        .build();
  }

  private static RequestConfig request(FetchLimits limits) {
    return RequestConfig.custom()
        .setRedirectsEnabled(false)
        .setAuthenticationEnabled(false)
        .setProtocolUpgradeEnabled(false)
        .setConnectionRequestTimeout(Timeout.of(limits.deadline()))
        .setResponseTimeout(Timeout.of(limits.deadline()))
        .build();
  }

  Guard guard() {
    return guard;
  }

  /** The head of the answer; the request's cancellation ends it, and must, for none is reused. */
  ClassicHttpResponse open(HttpUriRequestBase request) throws IOException {
    return http.executeOpen(null, request, null);
  }

  @Override
  public void close() {
    http.close(CloseMode.IMMEDIATE);
  }
}
