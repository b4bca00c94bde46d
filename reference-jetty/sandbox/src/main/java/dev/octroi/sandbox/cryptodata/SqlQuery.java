package dev.octroi.sandbox.cryptodata;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * One query on its way to the engine's process.
 *
 * @param parameters for its question marks in order: texts, booleans and numbers
 * @param maxRows rows after which the answer ends
 */
record SqlQuery(String sql, List<Object> parameters, int maxRows) {

  void write(DataOutputStream out) throws IOException {
    text(out, sql);
    out.writeInt(maxRows);
    out.writeInt(parameters.size());
    for (Object parameter : parameters) {
      out.writeChar(parameter instanceof Number ? 'n' : parameter instanceof Boolean ? 'b' : 't');
      text(out, parameter.toString());
    }
    out.flush();
  }

  static SqlQuery read(DataInputStream in) throws IOException {
    String sql = text(in);
    int maxRows = in.readInt();
    int count = in.readInt();
    List<Object> parameters = new ArrayList<>();
    for (int at = 0; at < count; at++) {
      char kind = in.readChar();
      String text = text(in);
      parameters.add(
          switch (kind) {
            case 'n' -> new BigDecimal(text);
            case 'b' -> Boolean.valueOf(text);
            default -> text;
          });
    }
    return new SqlQuery(sql, parameters, maxRows);
  }

  private static void text(DataOutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static String text(DataInputStream in) throws IOException {
    return new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
  }
}
