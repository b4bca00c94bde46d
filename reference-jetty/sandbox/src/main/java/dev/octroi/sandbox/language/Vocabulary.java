package dev.octroi.sandbox.language;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingRegistry;
import com.knuddels.jtokkit.api.EncodingType;
import com.knuddels.jtokkit.api.IntArrayList;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The model's tokens: real ones, of a published vocabulary. Thread-safe. */
final class Vocabulary {

  /** Beyond, a guess is good enough for a sandbox. */
  private static final int EXACT = 64 * 1024;

  private final EncodingRegistry registry = Encodings.newLazyEncodingRegistry();

  long count(String text) {
    return text.length() > EXACT ? text.length() / 4 : encoding().countTokensOrdinary(text);
  }

  /** The text token by token; a token that ends inside of a character is joined with the next. */
  List<String> pieces(String text) {
    IntArrayList tokens = encoding().encodeOrdinary(text);
    List<String> pieces = new ArrayList<>();
    IntArrayList open = new IntArrayList();
    for (int i = 0; i < tokens.size(); i++) {
      open.add(tokens.get(i));
      String piece = new String(encoding().decodeBytes(open), StandardCharsets.UTF_8);
      if (!piece.endsWith("\uFFFD")) {
        pieces.add(piece);
        open.clear();
      }
    }
    if (!open.isEmpty()) {
      pieces.add(new String(encoding().decodeBytes(open), StandardCharsets.UTF_8));
    }
    return pieces;
  }

  private Encoding encoding() {
    return registry.getEncoding(EncodingType.O200K_BASE);
  }
}
