package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.ledger.AnswerVault;
import dev.octroi.payments.ledger.SignInNonces;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jdbi.v3.core.Handle;

/**
 * A nonce is 16 random bytes, and 16 of their seal under the key that all nodes have. Those that
 * are used stand in the database for as long as they would be good.
 */
record JdbcSignInNonces(Statements statements, AnswerVault vault, Clock clock)
    implements SignInNonces {

  private static final String PURPOSE = "sign-in nonce";
  private static final int PART = 16;
  private static final Pattern FORM = Pattern.compile("[0-9a-f]{" + 4 * PART + "}");

  private static final String FIND = "SELECT used_by FROM sign_in_nonce WHERE nonce = :nonce";

  /** Of two at once the second violates the key, is run again, and finds the first. */
  private static final String USE =
      "INSERT INTO sign_in_nonce (nonce, used_by, used_at) VALUES (:nonce, :by, :at)";

  @Override
  public String next(String address, Instant issuedAt) {
    byte[] random = bytes(UUID.randomUUID());
    HexFormat hex = HexFormat.of();
    return hex.formatHex(random) + hex.formatHex(seal(random, address, issuedAt));
  }

  @Override
  public boolean isOurs(String nonce, String address, Instant issuedAt) {
    if (!FORM.matcher(nonce).matches()) {
      return false;
    }
    byte[] parts = HexFormat.of().parseHex(nonce);
    byte[] random = Arrays.copyOf(parts, PART);
    byte[] stated = Arrays.copyOfRange(parts, PART, 2 * PART);
    return MessageDigest.isEqual(stated, seal(random, address, issuedAt));
  }

  @Override
  public boolean use(String nonce) {
    ByteBuffer random = ByteBuffer.wrap(HexFormat.of().parseHex(nonce));
    UUID key = new UUID(random.getLong(), random.getLong());
    UUID call = UUID.randomUUID();
    return statements.run(handle -> use(handle, key, call));
  }

  /** A row of this very call was written by an earlier try of it. */
  private boolean use(Handle handle, UUID nonce, UUID call) {
    return handle
        .createQuery(FIND)
        .bind("nonce", nonce)
        .mapTo(UUID.class)
        .findOne()
        .map(call::equals)
        .orElseGet(
            () ->
                handle
                        .createUpdate(USE)
                        .bind("nonce", nonce)
                        .bind("by", call)
                        .bind("at", clock.instant())
                        .execute()
                    == 1);
  }

  private byte[] seal(byte[] random, String address, Instant issuedAt) {
    byte[] text = address.getBytes(StandardCharsets.UTF_8);
    ByteBuffer word = ByteBuffer.allocate(PART + Long.BYTES + text.length);
    word.put(random).putLong(issuedAt.getEpochSecond()).put(text);
    return Arrays.copyOf(vault.mac(PURPOSE, word.array()), PART);
  }

  private static byte[] bytes(UUID id) {
    return ByteBuffer.allocate(PART)
        .putLong(id.getMostSignificantBits())
        .putLong(id.getLeastSignificantBits())
        .array();
  }
}
