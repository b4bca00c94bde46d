package dev.octroi.api.settings;

import java.time.Duration;
import java.util.Optional;

/** TLS of the jar, {@code gateway.http.tls}: where its certificate and key lie. */
public record TlsSettings(
    @Setting(
            about =
                "A PEM file with the server's certificate, followed by those that lead to its"
                    + " authority. With it, or with `key-store`, the jar speaks HTTPS, HTTP/2"
                    + " included, on `gateway.http.port`; plain HTTP is then served to this machine"
                    + " alone. A container has its own TLS.")
        Optional<String> certificate,
    @Setting(
            about =
                "The PEM file with the certificate's private key, in the form PKCS#8 and not"
                    + " encrypted.")
        Optional<String> key,
    @Setting(about = "A PKCS12 file with certificate and key, in place of the two PEM files.")
        Optional<String> keyStore,
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
