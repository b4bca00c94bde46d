package dev.octroi.payments.facilitator;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

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
}
