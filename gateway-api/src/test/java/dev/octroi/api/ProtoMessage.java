package dev.octroi.api;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A message of protocol buffers, by the numbers of its fields. */
final class ProtoMessage {

  private final Map<Integer, List<byte[]>> pieces = new HashMap<>();
  private final Map<Integer, Long> numbers = new HashMap<>();

  ProtoMessage(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    while (in.hasRemaining()) {
      int tag = (int) varint(in);
      int field = tag >>> 3;
      switch (tag & 7) {
        case 0 -> numbers.put(field, varint(in));
        case 1 -> numbers.put(field, in.getLong());
        case 2 -> {
          byte[] piece = new byte[(int) varint(in)];
          in.get(piece);
          pieces.computeIfAbsent(field, first -> new ArrayList<>()).add(piece);
        }
        case 5 -> numbers.put(field, (long) in.getInt());
        default -> throw new IllegalArgumentException("wire type " + (tag & 7));
      }
    }
  }

  private static long varint(ByteBuffer in) {
    long value = 0;
    int shift = 0;
    byte next;
    do {
      next = in.get();
      value |= (long) (next & 0x7f) << shift;
      shift += 7;
    } while (next < 0);
    return value;
  }

  boolean has(int field) {
    return pieces.containsKey(field);
  }

  List<ProtoMessage> messages(int field) {
    return pieces.getOrDefault(field, List.of()).stream().map(ProtoMessage::new).toList();
  }

  long number(int field) {
    return numbers.getOrDefault(field, 0L);
  }

  /** A piece's bytes as characters of Latin-1, so that binary ones survive. */
  String text(int field) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    pieces.getOrDefault(field, List.of()).forEach(all::writeBytes);
    return all.toString(StandardCharsets.ISO_8859_1);
  }
}
