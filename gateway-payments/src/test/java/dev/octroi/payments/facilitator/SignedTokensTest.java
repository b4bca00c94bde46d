package dev.octroi.payments.facilitator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.crypto.params.Ed25519PrivateKeyParameters;
import org.bouncycastle.crypto.signers.Ed25519Signer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SignedTokensTest {

  private static final Clock NOW =
      Clock.fixed(Instant.parse("2026-11-21T12:00:00Z"), ZoneOffset.UTC);
  private static final URI VERIFY = URI.create("https://pay.example/platform/v2/x402/verify");

  private static SignedTokens tokens(String key) {
    return new SignedTokens(key, "key-7", "iss", List.of("aud"), NOW);
  }

  private static SignedJWT token(SignedTokens tokens) throws Exception {
    String header = tokens.header("POST", VERIFY).orElseThrow();
    assertThat(header).startsWith("Bearer ");
    return SignedJWT.parse(header.substring("Bearer ".length()));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anEcKeyInEitherFormSignsForOneMinuteOrTwoAndOneRequest(boolean sec1) throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    KeyPair pair = generator.generateKeyPair();

    SignedJWT token = token(tokens(pem(pair, sec1)));

    assertThat(token.verify(new ECDSAVerifier((ECPublicKey) pair.getPublic()))).isTrue();
    assertThat(token.getHeader().getAlgorithm()).isEqualTo(JWSAlgorithm.ES256);
    assertThat(token.getHeader().getKeyID()).isEqualTo("key-7");
    assertThat(token.getHeader().getCustomParam("nonce")).asString().hasSize(32);
    JWTClaimsSet claims = token.getJWTClaimsSet();
    assertThat(claims.getIssuer()).isEqualTo("iss");
    assertThat(claims.getSubject()).isEqualTo("key-7");
    assertThat(claims.getAudience()).containsExactly("aud");
    assertThat(claims.getNotBeforeTime()).isEqualTo(NOW.instant());
    assertThat(claims.getExpirationTime()).isEqualTo(NOW.instant().plus(Duration.ofMinutes(2)));
    assertThat(claims.getStringListClaim("uris"))
        .containsExactly("POST pay.example/platform/v2/x402/verify");
  }

  private static String pem(KeyPair pair, boolean sec1) throws Exception {
    byte[] der =
        sec1
            ? PrivateKeyInfo.getInstance(pair.getPrivate().getEncoded())
                .parsePrivateKey()
                .toASN1Primitive()
                .getEncoded()
            : pair.getPrivate().getEncoded();
    String kind = sec1 ? "EC PRIVATE KEY" : "PRIVATE KEY";
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(kind, Base64.getMimeEncoder().encodeToString(der), kind);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anEd25519KeyInEitherLengthSigns(boolean withPublicKey) throws Exception {
    byte[] seed = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    Ed25519PrivateKeyParameters key = new Ed25519PrivateKeyParameters(seed);
    byte[] bytes = new byte[withPublicKey ? 64 : 32];
    System.arraycopy(seed, 0, bytes, 0, 32);
    if (withPublicKey) {
      System.arraycopy(key.generatePublicKey().getEncoded(), 0, bytes, 32, 32);
    }

    SignedJWT token = token(tokens(Base64.getEncoder().encodeToString(bytes)));

    Ed25519Signer verifier = new Ed25519Signer();
    verifier.init(false, key.generatePublicKey());
    verifier.update(token.getSigningInput(), 0, token.getSigningInput().length);
    assertThat(verifier.verifySignature(token.getSignature().decode())).isTrue();
    assertThat(token.getHeader().getAlgorithm()).isEqualTo(JWSAlgorithm.EdDSA);
  }

  @Test
  void everyRequestHasATokenOfItsOwn() {
    SignedTokens tokens = tokens(Base64.getEncoder().encodeToString(new byte[32]));

    assertThat(tokens.header("POST", VERIFY)).isNotEqualTo(tokens.header("POST", VERIFY));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "c2VjcmV0",
        "not base64!",
        "-----BEGIN PRIVATE KEY-----AAAA-----END PRIVATE KEY-----"
      })
  void aKeyThatIsNoneIsRefusedWithoutBeingShown(String key) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> tokens(key))
        .withMessageNotContaining(key)
        .withNoCause();
  }
}
