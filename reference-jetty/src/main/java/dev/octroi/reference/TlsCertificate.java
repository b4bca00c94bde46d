package dev.octroi.reference;

import dev.octroi.api.settings.HttpSettings.TlsSettings;
import dev.octroi.api.settings.InvalidSettings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The certificate and the key of the settings, as they lie in their files now, and known to belong
 * together. Its parts are not changed.
 *
 * @param files the bytes of the files, by which a change is seen
 * @param store the key with its certificates, under the password of the settings
 * @param server the server's own certificate
 */
public record TlsCertificate(List<byte[]> files, KeyStore store, X509Certificate server) {

  private static final String SETTINGS = "gateway.http.tls.";
  private static final String CERTIFICATE = SETTINGS + "certificate";
  private static final String KEY = SETTINGS + "key";
  private static final String KEY_STORE = SETTINGS + "key-store";

  private static final Pattern PEM =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]+)-----END \\1-----");

  /**
   * Reads the files.
   *
   * @throws InvalidSettings with the one sentence that says what is wrong with them
   */
  public static TlsCertificate read(TlsSettings settings) {
    char[] password = settings.password().value().toCharArray();
    return settings.keyStore().isPresent()
        ? stored(settings.keyStore().get(), password)
        : paired(settings.certificate().orElseThrow(), settings.key().orElseThrow(), password);
  }

  /** Whether the files were the same. */
  boolean isSame(TlsCertificate other) {
    return Arrays.deepEquals(files.toArray(), other.files.toArray());
  }

  /** Why the server's certificate does not count today; empty if it does. */
  public Optional<String> untimely() {
    try {
      server.checkValidity();
      return Optional.empty();
    } catch (CertificateExpiredException e) {
      return Optional.of("has expired");
    } catch (CertificateNotYetValidException e) {
      return Optional.of("is not valid yet");
    }
  }

  private static byte[] file(String setting, Path name) {
    try {
      return Files.readAllBytes(name);
    } catch (NoSuchFileException e) {
      throw unusable(setting, name, "there is no such file");
    } catch (IOException e) {
      throw unusable(setting, name, "the file cannot be read");
    }
  }

  private static TlsCertificate stored(Path name, char[] password) {
    byte[] content = file(KEY_STORE, name);
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(new ByteArrayInputStream(content), password);
      for (String alias : Collections.list(store.aliases())) {
        if (store.getKey(alias, password) instanceof PrivateKey key
            && store.getCertificate(alias) instanceof X509Certificate server) {
          requirePair(KEY_STORE, name, key, server);
          return new TlsCertificate(List.of(content), store, server);
        }
      }
    } catch (IOException | GeneralSecurityException e) {
      throw unusable(
          KEY_STORE,
          name,
          "the file is not PKCS12, or " + SETTINGS + "password is not its password");
    }
    throw unusable(KEY_STORE, name, "the file has no private key with a certificate");
  }

  private static TlsCertificate paired(Path certificate, Path key, char[] password) {
    byte[] certified = file(CERTIFICATE, certificate);
    byte[] keyed = file(KEY, key);
    List<Certificate> chain = chain(certificate, certified);
    X509Certificate server = (X509Certificate) chain.get(0);
    PrivateKey secret = key(key, keyed, server.getPublicKey());
    requirePair(KEY, key, secret, server);
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry("server", secret, password, chain.toArray(new Certificate[0]));
      return new TlsCertificate(List.of(certified, keyed), store, server);
    } catch (IOException | GeneralSecurityException e) {
      throw unusable(KEY, key, "the virtual machine cannot use the key");
    }
  }

  private static List<Certificate> chain(Path name, byte[] content) {
    List<Certificate> chain = new ArrayList<>();
    try {
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      for (Matcher block = blocks(content); block.find(); ) {
        if (block.group(1).equals("CERTIFICATE")) {
          chain.add(factory.generateCertificate(new ByteArrayInputStream(bytes(block))));
        }
      }
    } catch (CertificateException | IllegalArgumentException e) {
      throw unusable(CERTIFICATE, name, "the file has a certificate that cannot be read");
    }
    if (chain.isEmpty()) {
      throw unusable(CERTIFICATE, name, "the file has no certificate in the form PEM");
    }
    return chain;
  }

  private static PrivateKey key(Path name, byte[] content, PublicKey certified) {
    for (Matcher block = blocks(content); block.find(); ) {
      if (block.group(1).equals("PRIVATE KEY")) {
        try {
          return KeyFactory.getInstance(certified.getAlgorithm())
              .generatePrivate(new PKCS8EncodedKeySpec(bytes(block)));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
          throw unusable(KEY, name, "the key does not belong to the certificate");
        }
      }
      if (block.group(1).endsWith(" PRIVATE KEY")) {
        throw unusable(
            KEY,
            name,
            "the key is encrypted or of an older form; openssl pkcs8 -topk8 -nodes -in OLD -out NEW"
                + " writes the one that is read");
      }
    }
    throw unusable(KEY, name, "the file has no private key in the form PEM");
  }

  /** What the one signs the other must verify. */
  private static void requirePair(
      String setting, Path name, PrivateKey key, X509Certificate server) {
    PublicKey certified = server.getPublicKey();
    String algorithm =
        switch (certified.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> certified.getAlgorithm();
        };
    byte[] said = server.getSerialNumber().toByteArray();
    try {
      Signature signature = Signature.getInstance(algorithm);
      signature.initSign(key);
      signature.update(said);
      byte[] signed = signature.sign();
      signature.initVerify(certified);
      signature.update(said);
      if (signature.verify(signed)) {
        return;
      }
    } catch (GeneralSecurityException e) {
      throw unusable(setting, name, "the key does not belong to the certificate");
    }
    throw unusable(setting, name, "the key does not belong to the certificate");
  }

  private static Matcher blocks(byte[] pem) {
    return PEM.matcher(new String(pem, StandardCharsets.ISO_8859_1));
  }

  private static byte[] bytes(Matcher block) {
    return Base64.getMimeDecoder().decode(block.group(2).strip());
  }

  private static InvalidSettings unusable(String setting, Path file, String what) {
    return new InvalidSettings(List.of(setting + " is " + file + ": " + what));
  }
}
