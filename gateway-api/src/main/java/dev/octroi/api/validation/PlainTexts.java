package dev.octroi.api.validation;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.deser.std.StringDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import dev.octroi.payments.ControlCharacters;
import java.io.IOException;
import java.util.function.Predicate;

/** Reads texts of JSON bodies and refuses control characters in any of them. Thread-safe. */
public final class PlainTexts extends StringDeserializer {

  private static final long serialVersionUID = 1L;

  /** A member holds a control character; its path says which. */
  public static final class Refused extends JsonMappingException {

    private static final long serialVersionUID = 1L;

    private Refused(JsonParser json) {
      super(json, "a control character");
    }
  }

  private final transient Predicate<String> refused;

  private PlainTexts(Predicate<String> refused) {
    this.refused = refused;
  }

  /** For names and reasons, which have one line. */
  public static SimpleModule ofOneLine() {
    return new SimpleModule()
        .addDeserializer(String.class, new PlainTexts(ControlCharacters::areIn));
  }

  /** For what people write, which may have line breaks and tabs. */
  public static SimpleModule ofLines() {
    return new SimpleModule()
        .addDeserializer(String.class, new PlainTexts(ControlCharacters::areInLines));
  }

  @Override
  public String deserialize(JsonParser json, DeserializationContext context) throws IOException {
    String text = super.deserialize(json, context);
    if (text != null && refused.test(text)) {
      throw new Refused(json);
    }
    return text;
  }
}
