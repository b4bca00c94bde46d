package dev.octroi.api.house;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializerBase;
import dev.octroi.api.validation.PlainTexts;
import dev.octroi.payments.Usd;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.LocalDate;

/**
 * The gateway's own JSON: members in camelCase, amounts as strings of decimal dollars, times in ISO
 * 8601, what is unknown as null. Made and read here, so that no container's JSON has a say.
 */
public final class HouseJson {

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .addModule(
              new SimpleModule()
                  .addSerializer(Instant.class, ToStringSerializer.instance)
                  .addSerializer(LocalDate.class, ToStringSerializer.instance)
                  .addSerializer(Usd.class, new DollarWriter())
                  .addDeserializer(Usd.class, new DollarReader())
                  .addDeserializer(Instant.class, new TimeReader()))
          .addModule(PlainTexts.ofOneLine())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  private HouseJson() {}

  public static byte[] of(Object value) {
    try {
      return MAPPER.writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads a request's body; members that the type does not have are an error.
   *
   * @throws jakarta.ws.rs.WebApplicationException 400 with a sentence if it cannot be read
   */
  public static <T> T read(byte[] body, Class<T> type) {
    if (body.length == 0) {
      throw Refused.invalid("The body must be a JSON object.");
    }
    try {
      T read = MAPPER.readValue(body, type);
      if (read == null) {
        throw Refused.invalid("The body must be a JSON object.");
      }
      return read;
    } catch (JsonMappingException e) {
      String member =
          e.getPath().isEmpty() ? "" : " Look at '" + e.getPath().get(0).getFieldName() + "'.";
      if (e instanceof PlainTexts.Refused) {
        throw Refused.invalid("A text has a control character." + member);
      }
      throw Refused.invalid("The body is not what is expected here." + member);
    } catch (IOException e) {
      throw Refused.invalid("The body is not JSON.");
    }
  }

  private static final class DollarWriter extends ToStringSerializerBase {

    private static final long serialVersionUID = 1L;

    DollarWriter() {
      super(Usd.class);
    }

    @Override
    public String valueToString(Object value) {
      return ((Usd) value).dollars();
    }
  }

  /** Takes a string or a number, both exactly as written. */
  private static final class DollarReader extends JsonDeserializer<Usd> {

    @Override
    public Usd deserialize(JsonParser json, DeserializationContext context) throws IOException {
      if (!json.currentToken().isScalarValue()) {
        throw JsonMappingException.from(json, "an amount is expected");
      }
      return Usd.parse(json.getText());
    }
  }

  private static final class TimeReader extends JsonDeserializer<Instant> {

    @Override
    public Instant deserialize(JsonParser json, DeserializationContext context) throws IOException {
      try {
        return Instant.parse(json.getText());
      } catch (java.time.DateTimeException e) {
        throw JsonMappingException.from(json, "a time such as 2026-12-01T00:00:00Z is expected", e);
      }
    }
  }
}
