package dev.octroi.api.validation;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.Validation;
import jakarta.validation.Validator;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hibernate.validator.HibernateValidator;
import org.hibernate.validator.messageinterpolation.ParameterMessageInterpolator;
import org.jspecify.annotations.Nullable;

/**
 * Reads request records from JSON bodies: types as they are written, no conversions; constraints
 * checked; members that a record does not have ignored, or refused. Thread-safe.
 */
public final class BodyReader {

  private static final List<CoercionInputShape> NO_TEXT =
      List.of(CoercionInputShape.Integer, CoercionInputShape.Float, CoercionInputShape.Boolean);

  private static final int ECHO = 64;

  private final JsonMapper mapper;

  /**
   * @param depth how deep a body may nest
   */
  public BodyReader(int depth) {
    JsonMapper.Builder builder =
        JsonMapper.builder(
                JsonFactory.builder()
                    .streamReadConstraints(
                        StreamReadConstraints.builder().maxNestingDepth(depth).build())
                    .build())
            .addModule(PlainTexts.ofLines())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS);
    NO_TEXT.forEach(
        shape ->
            builder.withCoercionConfig(
                LogicalType.Textual, config -> config.setCoercion(shape, CoercionAction.Fail)));
    this.mapper = builder.build();
  }

  /**
   * The record that a body holds.
   *
   * @throws Failure 400 {@code invalid_params} naming the member that is missing or bad
   */
  public <T extends Record> T read(byte[] body, Class<T> type) {
    T record = parsed(body, type);
    HouseValidator.get().validate(record).stream()
        .map(BodyReader::told)
        .min(Comparator.naturalOrder())
        .ifPresent(
            message -> {
              throw invalid(message, null);
            });
    return record;
  }

  /**
   * The same, where a member that the record does not have is 400 too: it may mean something that
   * the caller would pay for and not get.
   *
   * @param others members that are read elsewhere, or that may be there for nothing
   */
  public <T extends Record> T exact(byte[] body, Class<T> type, String... others) {
    T record = read(body, type);
    Set<String> known =
        Stream.concat(
                Arrays.stream(others),
                mapper
                    .getSerializationConfig()
                    .introspect(mapper.constructType(type))
                    .findProperties()
                    .stream()
                    .map(BeanPropertyDefinition::getName))
            .collect(Collectors.toSet());
    tree(body)
        .properties()
        .forEach(
            member -> {
              if (!known.contains(member.getKey()) && !member.getValue().isNull()) {
                String name = member.getKey();
                String echo = name.length() > ECHO ? name.substring(0, ECHO) + "…" : name;
                throw invalid("There is no member '" + echo.replace('\n', ' ') + "' here", null);
              }
            });
    return record;
  }

  private JsonNode tree(byte[] body) {
    try {
      return mapper.readTree(body);
    } catch (IOException impossible) {
      throw new IllegalStateException("what was read before is JSON", impossible);
    }
  }

  private <T extends Record> T parsed(byte[] body, Class<T> type) {
    try {
      T record = mapper.readValue(body, type);
      if (record != null) {
        return record;
      }
    } catch (JsonMappingException mistyped) {
      String member = member(mistyped);
      if (mistyped instanceof PlainTexts.Refused) {
        throw invalid(member + " has a control character", mistyped);
      }
      throw invalid(
          member.isEmpty() ? "The body is a JSON object" : member + " is of the wrong type",
          mistyped);
    } catch (IOException malformed) {
      throw invalid("The body is not JSON, or nests too deep", malformed);
    }
    throw invalid("The body is a JSON object", null);
  }

  private static String member(JsonMappingException mistyped) {
    return mistyped.getPath().stream()
        .map(JsonMappingException.Reference::getFieldName)
        .filter(name -> name != null)
        .findFirst()
        .orElse("");
  }

  private static String told(ConstraintViolation<?> violation) {
    return violation.getPropertyPath() + " " + violation.getMessage();
  }

  private static Failure invalid(String message, @Nullable IOException cause) {
    return new Failure(ErrorCode.INVALID_PARAMS, message, null, cause);
  }

  /**
   * Hibernate Validator, called by us: what a container does with constraints differs from one to
   * the next. The interpolator needs no expression language, which a plain servlet container lacks.
   */
  public static final class HouseValidator {

    private static final Validator VALIDATOR =
        Validation.byProvider(HibernateValidator.class)
            .configure()
            .messageInterpolator(
                new ParameterMessageInterpolator(Set.of(Locale.ENGLISH), Locale.ENGLISH, false))
            .buildValidatorFactory()
            .getValidator();

    private HouseValidator() {}

    public static Validator get() {
      return VALIDATOR;
    }
  }
}
