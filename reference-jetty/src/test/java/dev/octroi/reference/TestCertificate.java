package dev.octroi.reference;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A certificate that signs itself, for {@code 127.0.0.1} and {@code localhost}, made by the JDK's
 * own tool.
 *
 * @param store a PKCS12 file under {@link #PASSWORD}
 */
public record TestCertificate(Path store) {

  public static final String PASSWORD = "changeit";

  private static final String ALIAS = "server";

  /** One that is valid today. */
  public static TestCertificate made(Path folder, String name, String algorithm) throws Exception {
    return made(folder, name, algorithm, "-0d");
  }

  /** One whose only day was two days ago. */
  static TestCertificate expired(Path folder, String name) throws Exception {
    return made(folder, name, "EC", "-3d");
  }

  private static TestCertificate made(Path folder, String name, String algorithm, String from)
      throws Exception {
    Path store = folder.resolve(name + ".p12");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of("-genkeypair", "-alias", ALIAS, "-keyalg", algorithm));
    command.addAll(List.of("-dname", "CN=" + name, "-ext", "SAN=IP:127.0.0.1,DNS:localhost"));
    command.addAll(List.of("-startdate", from, "-validity", "1", "-storetype", "PKCS12"));
    command.addAll(List.of("-keystore", store.toString(), "-storepass", PASSWORD));
    Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(keytool.waitFor()).as(said).isZero();
    return new TestCertificate(store);
  }

  private KeyStore keys() throws GeneralSecurityException, IOException {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    return keys;
  }

  /** Writes the certificate as operators get it. */
  public void writeCertificate(Path file) throws Exception {
    write(file, "CERTIFICATE", keys().getCertificate(ALIAS).getEncoded());
  }

  /** Writes the key as operators get it. */
  public void writeKey(Path file) throws Exception {
    write(file, "PRIVATE KEY", keys().getKey(ALIAS, PASSWORD.toCharArray()).getEncoded());
  }

  private static void write(Path file, String kind, byte[] content) throws IOException {
    Files.writeString(
        file,
        "Bag Attributes: none\n-----BEGIN %s-----\n%s\n-----END %s-----\n"
            .formatted(kind, Base64.getMimeEncoder().encodeToString(content), kind));
  }

  /** What trusts this certificate and no other. */
  public SSLContext trusted() throws GeneralSecurityException, IOException {
    KeyStore authorities = KeyStore.getInstance("PKCS12");
    authorities.load(null, null);
    authorities.setCertificateEntry("it", keys().getCertificate(ALIAS));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(authorities);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }
}
