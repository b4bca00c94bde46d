package dev.octroi.payments.facilitator;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jca.JCAContext;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.io.IOException;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.crypto.params.Ed25519PrivateKeyParameters;
import org.bouncycastle.crypto.signers.Ed25519Signer;

/**
 * A JWT of its own for every request, as hosted facilitators ask for: signed with ES256 or EdDSA,
 * good for two minutes and for one method and address ({@code uris}). Needs the jar {@code
 * com.nimbusds:nimbus-jose-jwt}, which a host without the gateway adds. Thread-safe.
 */
public final class SignedTokens implements FacilitatorAuth {

  private static final Duration LIFE = Duration.ofMinutes(2);
  private static final int NONCE_BYTES = 16;

  private final TokenKey key;
  private final String keyId;
  private final String issuer;
  private final List<String> audience;
  private final Clock clock;
  private final SecureRandom random = new SecureRandom();

  /**
   * Reads the key.
   *
   * @param key an EC key on P-256 in PEM (PKCS #8 or SEC 1), or an Ed25519 key in base64: its seed
   *     of 32 bytes, or seed and public key
   * @param keyId what the facilitator calls the key
   * @param issuer the claim {@code iss}
   * @param audience the claim {@code aud}; empty for none
   * @throws IllegalArgumentException if the key is none of these; the message does not hold it
   */
  public SignedTokens(String key, String keyId, String issuer, List<String> audience, Clock clock) {
    this.key = TokenKey.read(key);
    this.keyId = keyId;
    this.issuer = issuer;
    this.audience = List.copyOf(audience);
    this.clock = clock;
  }

  @Override
  public Optional<String> header(String method, URI uri) {
    Instant now = clock.instant();
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    String request = method + " " + uri.getRawAuthority() + uri.getRawPath();
    JWSHeader header =
        new JWSHeader.Builder(key.algorithm())
            .type(JOSEObjectType.JWT)
            .keyID(keyId)
            .customParam("nonce", HexFormat.of().formatHex(nonce))
            .build();
    JWTClaimsSet.Builder claims =
        new JWTClaimsSet.Builder()
            .issuer(issuer)
            .subject(keyId)
            .claim("iat", now.getEpochSecond())
            .claim("nbf", now.getEpochSecond())
            .claim("exp", now.plus(LIFE).getEpochSecond())
            .claim("uris", List.of(request));
    if (!audience.isEmpty()) {
      claims.audience(audience);
    }
    return Optional.of("Bearer " + signed(new SignedJWT(header, claims.build()), key.signer()));
  }

  private static String signed(SignedJWT token, JWSSigner signer) {
    try {
      token.sign(signer);
      return token.serialize();
    } catch (JOSEException e) {
      throw new IllegalStateException("a request to the facilitator could not be signed", e);
    }
  }

  /** The key that signs tokens, and how. Says nothing of itself. */
  static final class TokenKey {

    private static final int SEED_BYTES = 32;
    private static final int PAIR_BYTES = 64;

    private static final Pattern PEM =
        Pattern.compile("-----BEGIN (EC )?PRIVATE KEY-----(.+?)-----END (EC )?PRIVATE KEY-----");

    private final JWSAlgorithm algorithm;
    private final JWSSigner signer;

    private TokenKey(JWSAlgorithm algorithm, JWSSigner signer) {
      this.algorithm = algorithm;
      this.signer = signer;
    }

    static TokenKey read(String text) {
      // A line break may have become two characters on its way through an environment variable.
      String line = text.replace("\\n", "").replaceAll("\\s", " ");
      Matcher pem = PEM.matcher(line);
      try {
        return pem.find()
            ? es256(bytes(pem.group(2).replace(" ", "")), pem.group(1) != null)
            : edDsa(bytes(line.strip()));
      } catch (IllegalArgumentException
          | IOException
          | GeneralSecurityException
          | JOSEException e) {
        // Neither the cause nor its message may be shown: they might quote the key.
        throw new IllegalArgumentException(
            "the key is an EC key on P-256 in PEM or an Ed25519 key in base64");
      }
    }

    JWSAlgorithm algorithm() {
      return algorithm;
    }

    JWSSigner signer() {
      return signer;
    }

    private static byte[] bytes(String base64) {
      return Base64.getDecoder().decode(base64);
    }

    private static TokenKey es256(byte[] der, boolean sec1)
        throws IOException, GeneralSecurityException, JOSEException {
      byte[] pkcs8 = sec1 ? wrapped(der) : der;
      PrivateKey key = KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
      return new TokenKey(JWSAlgorithm.ES256, new ECDSASigner(key, Curve.P_256));
    }

    private static byte[] wrapped(byte[] sec1) throws IOException {
      AlgorithmIdentifier onP256 =
          new AlgorithmIdentifier(
              X9ObjectIdentifiers.id_ecPublicKey, SECObjectIdentifiers.secp256r1);
      return new PrivateKeyInfo(onP256, ECPrivateKey.getInstance(sec1)).getEncoded();
    }

    private static TokenKey edDsa(byte[] key) {
      if (key.length != SEED_BYTES && key.length != PAIR_BYTES) {
        throw new IllegalArgumentException("an Ed25519 key has 32 or 64 bytes");
      }
      byte[] seed = Arrays.copyOf(key, SEED_BYTES);
      return new TokenKey(
          JWSAlgorithm.EdDSA, new EdDsaSigner(new Ed25519PrivateKeyParameters(seed)));
    }

    @Override
    public String toString() {
      return algorithm + " key";
    }

    /**
     * Ed25519 by BouncyCastle, which is there anyway; the JWT library's own asks for another one.
     */
    private record EdDsaSigner(Ed25519PrivateKeyParameters key) implements JWSSigner {

      @Override
      public Base64URL sign(JWSHeader header, byte[] signingInput) {
        Ed25519Signer signer = new Ed25519Signer();
        signer.init(true, key);
        signer.update(signingInput, 0, signingInput.length);
        return Base64URL.encode(signer.generateSignature());
      }

      @Override
      public Set<JWSAlgorithm> supportedJWSAlgorithms() {
        return Set.of(JWSAlgorithm.EdDSA);
      }

      @Override
      public JCAContext getJCAContext() {
        return new JCAContext();
      }

      @Override
      public String toString() {
        return "Ed25519";
      }
    }
  }
}
