package dev.octroi.payments.account;

import dev.octroi.payments.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Master keys at hand, used by AES-256-GCM: the first one seals, all open. A sealed secret is 12
 * random bytes, ciphertext and tag. Immutable and thread-safe.
 */
public final class AesMasterKeys implements MasterKeys {

  private static final int KEY_BYTES = 32;
  private static final int IV_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final int ID_BYTES = 8;

  private final Map<String, SecretKey> keys = new LinkedHashMap<>();
  private final String current;
  private final SecureRandom random = new SecureRandom();

  /**
   * @param keys 32 bytes each, the newest first; at least one
   */
  public AesMasterKeys(List<byte[]> keys) {
    if (keys.isEmpty()) {
      throw new IllegalArgumentException("at least one master key is needed");
    }
    for (byte[] key : keys) {
      if (key.length != KEY_BYTES) {
        throw new IllegalArgumentException("a master key has 32 bytes");
      }
      this.keys.putIfAbsent(id(key), new SecretKeySpec(key, "AES"));
    }
    current = id(keys.get(0));
  }

  @Override
  public String current() {
    return current;
  }

  @Override
  public Sealed seal(byte[] secret, byte[] context) {
    byte[] iv = new byte[IV_BYTES];
    random.nextBytes(iv);
    try {
      byte[] sealed = cipher(Cipher.ENCRYPT_MODE, current, iv, context).doFinal(secret);
      ByteBuffer bytes = ByteBuffer.allocate(IV_BYTES + sealed.length);
      return new Sealed(current, bytes.put(iv).put(sealed).array());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no AES-256-GCM", e);
    }
  }

  @Override
  public byte[] open(Sealed sealed, byte[] context) {
    byte[] bytes = sealed.bytes();
    if (!keys.containsKey(sealed.keyId()) || bytes.length <= IV_BYTES) {
      throw new IllegalStateException("master key " + sealed.keyId() + " is not at hand");
    }
    byte[] iv = Arrays.copyOf(bytes, IV_BYTES);
    try {
      return cipher(Cipher.DECRYPT_MODE, sealed.keyId(), iv, context)
          .doFinal(bytes, IV_BYTES, bytes.length - IV_BYTES);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a wallet does not open with its master key", e);
    }
  }

  private Cipher cipher(int mode, String keyId, byte[] iv, byte[] context)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, keys.get(keyId), new GCMParameterSpec(TAG_BITS, iv));
    cipher.updateAAD(context);
    return cipher;
  }

  /**
   * Follows from the key, so that the operator need not number keys; it gives nothing of the key
   * away.
   */
  private static String id(byte[] key) {
    MessageDigest digest = Sha256.digest();
    digest.update("octroi master key".getBytes(StandardCharsets.US_ASCII));
    return HexFormat.of().formatHex(digest.digest(key), 0, ID_BYTES);
  }

  /** The ids alone. */
  @Override
  public String toString() {
    return "AesMasterKeys" + keys.keySet();
  }
}
