package dev.octroi.payments.facilitator;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.jca.JCAContext;
import com.nimbusds.jose.util.Base64URL;
import java.util.Set;
import org.bouncycastle.crypto.params.Ed25519PrivateKeyParameters;
import org.bouncycastle.crypto.signers.Ed25519Signer;

/** Ed25519 by BouncyCastle, which is there anyway; the JWT library's own asks for another one. */
record EdDsaSigner(Ed25519PrivateKeyParameters key) implements JWSSigner {

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
