package dev.octroi.reference;

import dev.octroi.payments.client.Wallet;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * The wallet with which a newcomer pays in the sandbox: made on the first start, kept in the data
 * folder.
 */
public final class DemoPayer {

  private static final String FILE = "demo-payer.key";

  private DemoPayer() {}

  public static Wallet in(DataDirectory data) {
    return Wallet.fromHex(data.secret(FILE, DemoPayer::freshKey));
  }

  private static String freshKey() {
    byte[] key = new byte[32];
    new SecureRandom().nextBytes(key);
    return "0x" + HexFormat.of().formatHex(key);
  }
}
