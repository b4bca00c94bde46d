package dev.octroi.api.settings;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** How the gateway is reached, {@code gateway.http}. */
public record HttpSettings(
    @Setting(
            about =
                "The address to listen on. In a container, say here what the container binds to:"
                    + " sandbox money is not served on a public address.",
            value = "127.0.0.1")
        @NotBlank
        String bindAddress,
    @Setting(
            about = "The port to listen on; 0 takes a free one. A container has its own.",
            value = "8402")
        @Min(0)
        @Max(65_535)
        int port,
    @Setting(
            about =
                "Threads of the server that serve calls. Calls that may wait for a vendor hold no"
                    + " more of them than leaves some to all others; one more is 429. The jar"
                    + " makes so many itself, 848 unless set. Virtual threads are not counted.",
            value = "200")
        @Min(10)
        @Max(100_000)
        int threads,
    @Setting(
            about =
                "The address that callers use, for absolute addresses in answers and challenges."
                    + " Without it, a trusted proxy's forwarded headers, else the host that the"
                    + " caller named if it is known (`gateway.http.hosts`), else the connector's"
                    + " own.")
        Optional<URI> publicUrl,
    @Setting(
            about =
                "Further hosts by which callers reach this gateway, comma-separated, without ports,"
                    + " such as `api.example.com`. Answers name the host that a caller named only"
                    + " if it is one of these, the public address's or a loopback one; else the"
                    + " connector's address. Sandbox money on a loopback address is served by no"
                    + " other name.")
        List<String> hosts,
    @Setting(
            about =
                "Addresses of proxies whose `X-Forwarded-For`, `-Proto` and `-Host` are believed,"
                    + " comma-separated, each an address or a block such as `10.0.0.0/8`.")
        List<String> trustedProxies,
    @Setting(about = "TLS of the jar.") TlsSettings tls,
    @Setting(about = "Whether answers are compressed for callers that ask.", value = "true")
        boolean gzip,
    @Setting(about = "The smallest answer that is compressed.", value = "1KiB") DataSize gzipFrom,
    @Setting(about = "How long calls in flight may take to end at shutdown.", value = "20s")
        Duration shutdownGrace,
    @Setting(
            about =
                "How long a node that is to stop still takes calls while `/health/ready` says 503,"
                    + " so that load balancers stop sending; longer than their probes need.",
            value = "0s")
        Duration drainDelay,
    @Setting(
            about =
                "Where the gateway's own paths lie (`/docs`, `/console`, `/v1/…` and all the rest),"
                    + " such as `/octroi`: everything else is then left to routes. Without it they"
                    + " lie at the root, and no route can have them.")
        Optional<String> ownPrefix) {

  private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._-]{1,253}|\\[[0-9A-Fa-f:.]+]");

  private static final Pattern PREFIX = Pattern.compile("(/[A-Za-z0-9_][A-Za-z0-9._-]{0,63}){1,4}");

  /** The address by which callers reach the gateway's own paths, where it is set. */
  public Optional<URI> ownAddress() {
    return publicUrl.map(
        url -> URI.create(url.toString().replaceFirst("/$", "") + ownPrefix.orElse("")));
  }

  public HttpSettings {
    if (ownPrefix.filter(prefix -> !PREFIX.matcher(prefix).matches()).isPresent()) {
      throw new IllegalArgumentException("own-prefix is a plain path such as /octroi");
    }
    for (String host : hosts) {
      if (!HOST.matcher(host).matches()) {
        throw new IllegalArgumentException(
            "hosts are names such as api.example.com, without scheme and port");
      }
    }
  }

  /** TLS of the jar, {@code gateway.http.tls}: where its certificate and key lie. */
  public record TlsSettings(
      @Setting(
              about =
                  "A PEM file with the server's certificate, followed by those that lead to its"
                      + " authority. With it, or with `key-store`, the jar speaks HTTPS, HTTP/2"
                      + " included, on `gateway.http.port`; plain HTTP is then served to this machine"
                      + " alone. A container has its own TLS.")
          Optional<Path> certificate,
      @Setting(
              about =
                  "The PEM file with the certificate's private key, in the form PKCS#8 and not"
                      + " encrypted.")
          Optional<Path> key,
      @Setting(about = "A PKCS12 file with certificate and key, in place of the two PEM files.")
          Optional<Path> keyStore,
      @Setting(about = "The password of the PKCS12 file.") Secret password,
      @Setting(
              about =
                  "How often the files are looked at. What has changed serves new connections,"
                      + " without a restart; what cannot be used is told in the log, and the former"
                      + " certificate stays.",
              value = "10s")
          Duration reload) {

    public TlsSettings {
      if (keyStore.isPresent() && (certificate.isPresent() || key.isPresent())) {
        throw new IllegalArgumentException("key-store takes the place of certificate and key");
      }
      if (certificate.isPresent() != key.isPresent()) {
        throw new IllegalArgumentException("certificate and key belong together: set both or none");
      }
      if (reload.isNegative() || reload.isZero()) {
        throw new IllegalArgumentException("reload is longer than 0s");
      }
    }

    /** Whether the jar speaks TLS. */
    public boolean isSet() {
      return certificate.isPresent() || keyStore.isPresent();
    }
  }
}
