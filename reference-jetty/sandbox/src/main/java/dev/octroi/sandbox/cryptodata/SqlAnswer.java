package dev.octroi.sandbox.cryptodata;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * What the engine's process says to a query.
 *
 * @param taken whether the statement was run
 * @param rows how many rows
 * @param text the rows as a JSON array of objects, or why the statement was not run
 */
record SqlAnswer(boolean taken, int rows, String text) {

  /** Longer answers are none, in bytes. */
  static final int LONGEST = 4 << 20;

  void write(DataOutputStream out) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeBoolean(taken);
    out.writeInt(rows);
    out.writeInt(bytes.length);
    out.write(bytes);
    out.flush();
  }

  /**
   * Reads an answer, believing nothing of it.
   *
   * @throws IOException if there is none, or none of this form
   */
  static SqlAnswer read(DataInputStream in) throws IOException {
    boolean taken = in.readBoolean();
    int rows = in.readInt();
    int length = in.readInt();
    if (rows < 0 || length < 0 || length > LONGEST) {
      throw new IOException("The engine's answer is none");
    }
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    return new SqlAnswer(taken, rows, new String(bytes, StandardCharsets.UTF_8));
  }
}
