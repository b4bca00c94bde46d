package dev.octroi.reference.cli;

import java.net.http.HttpClient;
import java.security.KeyManagementException;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.SecureRandom;
import java.time.Duration;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP client of a command. It reads the platform's certificates at its first HTTPS connection,
 * for which every client else takes a fifth of the time of {@code pay}.
 */
final class QuickClient {

  private static final Duration CONNECT = Duration.ofSeconds(10);

  private QuickClient() {}

  static HttpClient make() {
    return HttpClient.newBuilder()
        .connectTimeout(CONNECT)
        .sslContext(new OnDemand(new PlatformTls()))
        .build();
  }

  private static final class OnDemand extends SSLContext {

    OnDemand(SSLContextSpi tls) {
      super(tls, new NoProvider(), "TLS");
    }
  }

  /** A context names its provider; this one offers nothing. */
  private static final class NoProvider extends Provider {

    private static final long serialVersionUID = 1L;

    NoProvider() {
      super("octroi", "1", "TLS of the platform, on demand");
    }
  }

  /** The platform's own TLS, found when it is needed. */
  private static final class PlatformTls extends SSLContextSpi {

    private static SSLContext platform() {
      try {
        return SSLContext.getDefault();
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("this Java has no TLS", e);
      }
    }

    @Override
    protected void engineInit(
        KeyManager @Nullable [] keys,
        TrustManager @Nullable [] trust,
        @Nullable SecureRandom random)
        throws KeyManagementException {
      throw new KeyManagementException("the platform's TLS is as it is");
    }

    @Override
    protected SSLEngine engineCreateSSLEngine() {
      return platform().createSSLEngine();
    }

    @Override
    protected SSLEngine engineCreateSSLEngine(String host, int port) {
      return platform().createSSLEngine(host, port);
    }

    @Override
    protected SSLSocketFactory engineGetSocketFactory() {
      return platform().getSocketFactory();
    }

    @Override
    protected SSLServerSocketFactory engineGetServerSocketFactory() {
      return platform().getServerSocketFactory();
    }

    @Override
    protected SSLSessionContext engineGetClientSessionContext() {
      return platform().getClientSessionContext();
    }

    @Override
    protected SSLSessionContext engineGetServerSessionContext() {
      return platform().getServerSessionContext();
    }

    /** What the client asks at once; the cipher suites are those of the engine. */
    @Override
    protected SSLParameters engineGetDefaultSSLParameters() {
      return new SSLParameters(null, new String[] {"TLSv1.3", "TLSv1.2"});
    }

    @Override
    protected SSLParameters engineGetSupportedSSLParameters() {
      return platform().getSupportedSSLParameters();
    }
  }
}
