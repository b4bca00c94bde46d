package dev.octroi.payments.ledger;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Seals stored answers with AES-256-GCM, each bound to its payment, so that the database alone does
 * not give away what a payer bought.
 *
 * <p>Thread-safe. A sealed answer is version, 12 random bytes, ciphertext and tag.
 */
public final class AnswerVault {

  private static final byte VERSION = 1;
  private static final int KEY_BYTES = 32;
  private static final int IV_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final String HMAC = "HmacSHA256";

  private final SecretKey key;
  private final SecureRandom random = new SecureRandom();

  /**
   * Opens the vault.
   *
   * @param key exactly 32 bytes, the same on every node
   */
  public AnswerVault(byte[] key) {
    if (key.length != KEY_BYTES) {
      throw new IllegalArgumentException("the key of stored answers has 32 bytes");
    }
    this.key = new SecretKeySpec(key, "AES");
  }

  /** Opens a vault with a key that ends with this process, and with it the answers in it. */
  public static AnswerVault ofThisProcess() {
    byte[] key = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(key);
    return new AnswerVault(key);
  }

  /**
   * Seals what is there.
   *
   * @throws AnswerTooLarge if it is longer than {@code most}
   */
  public byte @Nullable [] seal(UUID payment, @Nullable StoredAnswer answer, int most) {
    if (answer != null && answer.body().length > most) {
      throw new AnswerTooLarge(answer.body().length, most);
    }
    return answer == null ? null : seal(payment, answer);
  }

  /** Seals an answer. */
  public byte[] seal(UUID payment, StoredAnswer answer) {
    return seal(payment, bytes(answer));
  }

  /** Seals what else is private, bound to the row that it is stored in. */
  public byte[] seal(UUID row, byte[] plain) {
    byte[] iv = new byte[IV_BYTES];
    random.nextBytes(iv);
    try {
      byte[] sealed = cipher(Cipher.ENCRYPT_MODE, row, iv).doFinal(plain);
      return ByteBuffer.allocate(1 + IV_BYTES + sealed.length)
          .put(VERSION)
          .put(iv)
          .put(sealed)
          .array();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no AES-256-GCM", e);
    }
  }

  /**
   * Opens a sealed answer.
   *
   * @throws IllegalStateException if it was sealed with another key or for another payment
   */
  public StoredAnswer open(UUID payment, byte[] sealed) {
    return answer(unsealed(payment, sealed));
  }

  /**
   * Opens what was sealed for a row.
   *
   * @throws IllegalStateException if it was sealed with another key or for another row
   */
  public byte[] unsealed(UUID row, byte[] sealed) {
    int from = 1 + IV_BYTES;
    if (sealed.length <= from || sealed[0] != VERSION) {
      throw new IllegalStateException("a stored answer has an unknown form");
    }
    byte[] iv = Arrays.copyOfRange(sealed, 1, from);
    try {
      return cipher(Cipher.DECRYPT_MODE, row, iv).doFinal(sealed, from, sealed.length - from);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a stored answer does not open with this key", e);
    }
  }

  /**
   * A seal by which this key's holders know their own word again, on any node.
   *
   * @param purpose what it is for; seals of one purpose say nothing for another
   * @return 32 bytes
   */
  public byte[] mac(String purpose, byte[] word) {
    byte[] derived = hmac(key, purpose.getBytes(StandardCharsets.UTF_8));
    return hmac(new SecretKeySpec(derived, HMAC), word);
  }

  private static byte[] hmac(SecretKey key, byte[] word) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(new SecretKeySpec(key.getEncoded(), HMAC));
      return mac.doFinal(word);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has HMAC-SHA-256", e);
    }
  }

  private Cipher cipher(int mode, UUID payment, byte[] iv) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, iv));
    cipher.updateAAD(
        ByteBuffer.allocate(2 * Long.BYTES)
            .putLong(payment.getMostSignificantBits())
            .putLong(payment.getLeastSignificantBits())
            .array());
    return cipher;
  }

  private static byte[] bytes(StoredAnswer answer) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(answer.body().length + 256);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeShort(answer.status());
      out.writeShort(answer.headers().size());
      for (Map.Entry<String, String> header : answer.headers().entrySet()) {
        out.writeUTF(header.getKey());
        out.writeUTF(header.getValue());
      }
      out.write(answer.body());
    } catch (IOException e) {
      throw new IllegalArgumentException("an answer's header is longer than 65,535 bytes", e);
    }
    return bytes.toByteArray();
  }

  private static StoredAnswer answer(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int status = in.readUnsignedShort();
      Map<String, String> headers = new LinkedHashMap<>();
      for (int left = in.readUnsignedShort(); left > 0; left--) {
        headers.put(in.readUTF(), in.readUTF());
      }
      return new StoredAnswer(status, headers, in.readAllBytes());
    } catch (IOException e) {
      throw new IllegalStateException("a stored answer has an unknown form", e);
    }
  }
}
