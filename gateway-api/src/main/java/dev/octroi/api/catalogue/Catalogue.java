package dev.octroi.api.catalogue;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.api.catalogue.Operation.PathTemplate;
import dev.octroi.api.catalogue.ReadSchema.ExampleValues;
import dev.octroi.api.catalogue.Sold.Effect;
import dev.octroi.api.group.ConfiguredGroups.Selling;
import dev.octroi.api.group.Group;
import dev.octroi.api.group.SoldRow;
import dev.octroi.api.group.SoldRow.Described;
import dev.octroi.payments.Paid;
import dev.octroi.payments.Tariff;
import dev.octroi.services.JarResource;
import dev.octroi.services.read.Read;
import jakarta.ws.rs.GET;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Everything that is sold here, described, in the price book's order. Thread-safe. */
public final class Catalogue {

  private static final JsonMapper JSON = new JsonMapper();

  private static final Properties PARAMETERS =
      JarResource.properties(Catalogue.class, "parameters.properties");

  private final Supplier<Selling> selling;
  private final Collection<Class<?>> resources;
  private volatile @Nullable Page latest;

  /** The operations of a time, by the words of their rows. */
  private record Page(Selling of, Map<String, Operation> byWord) {}

  /**
   * Describes what is sold, at the first question and after each change.
   *
   * @param selling what is sold at the moment
   * @param resources the classes whose methods describe what is no read
   */
  public Catalogue(Supplier<Selling> selling, Collection<Class<?>> resources) {
    this.selling = selling;
    this.resources = List.copyOf(resources);
  }

  /**
   * A sentence that says what a parameter is, by its name, from {@code parameters.properties}; of a
   * name that no line has, its words.
   */
  public static String parameter(String name) {
    String words = name.replaceAll("[_-]+", " ").strip();
    return PARAMETERS.getProperty(
        name,
        words.isEmpty()
            ? name
            : words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1) + ".");
  }

  /** Throws {@link IllegalStateException} if something that is sold has no description. */
  public List<Operation> operations() {
    return List.copyOf(described().values());
  }

  /** The operation of a row; empty if it is none of this catalogue. */
  public Optional<Operation> of(SoldRow row) {
    return Optional.ofNullable(described().get(row.word()));
  }

  private Map<String, Operation> described() {
    Selling now = selling.get();
    Page known = latest;
    return known != null && known.of() == now ? known.byWord() : described(now);
  }

  private synchronized Map<String, Operation> described(Selling now) {
    Page known = latest;
    if (known == null || known.of() != now) {
      known = new Page(now, describe(now.rows()));
      latest = known;
    }
    return known.byWord();
  }

  private Map<String, Operation> describe(List<SoldRow> rows) {
    Map<String, SoldMethod> methods = SoldMethod.of(resources);
    Map<Group, ExampleValues> examples = new HashMap<>();
    Map<String, Operation> described = new LinkedHashMap<>();
    for (SoldRow row : rows) {
      described.put(
          row.word(),
          row.read()
              .map(
                  read ->
                      read(row, read, examples.computeIfAbsent(row.group(), ExampleValues::new)))
              .or(() -> row.described().map(itself -> described(row, itself)))
              .orElseGet(() -> method(row, methods.get(row.word()))));
    }
    return described;
  }

  private static Operation read(SoldRow row, Read read, ExampleValues examples) {
    String below = row.path().substring(row.group().base().length());
    String about = row.group().title() + ": " + PathTemplate.phrase(below) + ".";
    return new Operation(
        row,
        name(row),
        about,
        ReadSchema.of(read),
        Map.of(),
        ReadSchema.example(examples, read),
        Optional.empty(),
        Effect.NONE);
  }

  private static Operation described(SoldRow row, Described described) {
    return new Operation(
        row,
        row.group().word() + "_" + described.name(),
        described.about(),
        described.input(),
        Map.of(),
        described.example(),
        described.tariff(),
        row.method().equals("GET") ? Effect.NONE : Effect.FINAL);
  }

  /** What prices a method; empty where its price is written. */
  static Optional<Class<? extends Tariff>> tariff(Paid paid) {
    return Optional.<Class<? extends Tariff>>of(paid.by()).filter(by -> by != Tariff.class);
  }

  private static Operation method(SoldRow row, @Nullable SoldMethod method) {
    if (method == null) {
      throw new IllegalStateException(row.word() + " is sold by a method without @Sold");
    }
    Sold sold = method.sold();
    ObjectNode input =
        sold.schema().isEmpty()
            ? BodySchema.of(sold.body())
            : object(JarResource.text(method.resource(), sold.schema() + ".json"));
    PathTemplate.parameters(row.path())
        .forEach(
            name -> {
              input.withObject("/properties").putObject(name).put("type", "string");
              input.withArray("/required").add(name);
            });
    return new Operation(
        row,
        name(row),
        sold.about(),
        input,
        headers(sold),
        object(sold.example()),
        method.tariff(),
        sold.effect());
  }

  private static String name(SoldRow row) {
    return PathTemplate.word(row.path().replaceFirst("^/v1/(marketplace/)?", ""));
  }

  private static Map<String, String> headers(Sold sold) {
    return Arrays.stream(sold.headers())
        .map(header -> header.split("=", 2))
        .collect(Collectors.toUnmodifiableMap(header -> header[0], header -> header[1]));
  }

  private static ObjectNode object(String json) {
    try {
      return (ObjectNode) JSON.readTree(json);
    } catch (IOException malformed) {
      throw new UncheckedIOException(malformed);
    }
  }

  /**
   * A described method of a resource class.
   *
   * @param tariff what prices its calls; empty where its price is listed
   */
  record SoldMethod(Class<?> resource, Sold sold, Optional<Class<? extends Tariff>> tariff) {

    /** The described methods of resource classes, by the words of what they sell. */
    static Map<String, SoldMethod> of(Collection<Class<?>> resources) {
      Map<String, SoldMethod> methods = new HashMap<>();
      for (Class<?> resource : resources) {
        for (Method method : resource.getMethods()) {
          Sold sold = method.getAnnotation(Sold.class);
          if (sold != null) {
            methods.put(word(resource, method), new SoldMethod(resource, sold, tariff(method)));
          }
        }
      }
      return methods;
    }

    private static Optional<Class<? extends Tariff>> tariff(Method method) {
      return Optional.ofNullable(method.getAnnotation(Paid.class)).flatMap(Catalogue::tariff);
    }

    private static String word(Class<?> resource, Method method) {
      String verb = method.isAnnotationPresent(GET.class) ? "GET" : "POST";
      return verb + PathTemplate.of(resource, method, new HashMap<>());
    }
  }
}
