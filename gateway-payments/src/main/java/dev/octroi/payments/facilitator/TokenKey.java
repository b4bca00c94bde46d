package dev.octroi.payments.facilitator;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jca.JCAContext;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.util.Base64URL;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
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

/** The key that signs tokens, and how. Says nothing of itself. */
final class TokenKey {

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
    } catch (IllegalArgumentException | IOException | GeneralSecurityException | JOSEException e) {
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
        new AlgorithmIdentifier(X9ObjectIdentifiers.id_ecPublicKey, SECObjectIdentifiers.secp256r1);
    return new PrivateKeyInfo(onP256, ECPrivateKey.getInstance(sec1)).getEncoded();
  }

  private static TokenKey edDsa(byte[] key) {
    if (key.length != SEED_BYTES && key.length != PAIR_BYTES) {
      throw new IllegalArgumentException("an Ed25519 key has 32 or 64 bytes");
    }
    byte[] seed = Arrays.copyOf(key, SEED_BYTES);
    return new TokenKey(JWSAlgorithm.EdDSA, new EdDsaSigner(new Ed25519PrivateKeyParameters(seed)));
  }

  @Override
  public String toString() {
    return algorithm + " key";
  }

  /** Ed25519 by BouncyCastle, which is there anyway; the JWT library's own asks for another one. */
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
