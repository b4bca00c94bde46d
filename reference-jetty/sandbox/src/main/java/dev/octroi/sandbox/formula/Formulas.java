package dev.octroi.sandbox.formula;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The definitions of a vendor: what its paths answer, and the functions and attributes that they
 * use. Filled by {@link #read}, then thread-safe.
 */
public final class Formulas {

  private static final Pattern DEFINITION =
      Pattern.compile(
          "(?:((?:GET|POST) \\S+)|(?:(\\w+)\\.)?(\\w+)(?:\\(([\\w, ]*)\\))?) (:?=)\\s(.*)",
          Pattern.DOTALL);

  private final Builtin.Source more;
  private final Map<String, Definition> functions = new HashMap<>();
  private final Map<String, Map<String, Definition>> attributes = new HashMap<>();
  private final Map<String, Definition> reads = new LinkedHashMap<>();

  /**
   * @param more functions of a vendor beside those of the language
   */
  public Formulas(Builtin.Source more) {
    this.more = more;
  }

  private @Nullable Builtin builtin(String name) {
    Builtin builtin = Functions.of(name);
    return builtin == null ? more.of(name) : builtin;
  }

  /** The body of a definition. */
  private static final class Definition {

    private final String name;
    private final List<String> parameters;
    private final boolean constant;
    private @Nullable Formula body;
    private int slots;
    private volatile @Nullable Object kept;

    private Definition(String name, List<String> parameters, boolean constant) {
      this.name = name;
      this.parameters = parameters;
      this.constant = constant;
    }

    @Nullable Object evaluate(Scope scope, List<Formula> arguments) {
      if (constant && kept != null) {
        return kept;
      }
      @Nullable Object[] locals = new @Nullable Object[slots];
      for (int at = 0; at < parameters.size(); at++) {
        locals[at] = at < arguments.size() ? arguments.get(at).value(scope) : null;
      }
      Object value = scope.with(locals, Objects.requireNonNull(body, name));
      if (constant) {
        kept = value;
      }
      return value;
    }
  }

  /**
   * Reads definitions. A definition begins at the start of a line and goes on in indented ones;
   * {@code #} begins a line of comment.
   *
   * @param beside the class beside which the resource lies
   */
  public Formulas read(Class<?> beside, String resource) {
    Map<Definition, String> texts = new LinkedHashMap<>();
    for (String text : definitions(lines(beside, resource))) {
      Matcher parts = DEFINITION.matcher(text);
      if (!parts.matches()) {
        throw new IllegalArgumentException(resource + ": no definition: " + text);
      }
      texts.put(enter(parts), parts.group(6));
    }
    texts.forEach(
        (definition, text) -> {
          try {
            Parser parser = new Parser(this, text, definition.parameters);
            definition.body = parser.whole();
            definition.slots = parser.slots();
          } catch (IllegalArgumentException wrong) {
            String where = resource + ", " + definition.name + ": ";
            throw new IllegalArgumentException(where + wrong.getMessage(), wrong);
          }
        });
    return this;
  }

  private Definition enter(Matcher parts) {
    String read = parts.group(1);
    String type = parts.group(2);
    String parameters = parts.group(4);
    Definition definition =
        new Definition(
            read != null ? read : (type == null ? "" : type + ".") + parts.group(3),
            parameters == null ? List.of() : List.of(parameters.split(", *")),
            parts.group(5).equals(":="));
    Map<String, Definition> among =
        read != null
            ? reads
            : type == null ? functions : attributes.computeIfAbsent(type, any -> new HashMap<>());
    String name = read != null ? read : parts.group(3);
    boolean taken = read == null && type == null && builtin(name) != null;
    if (among.put(name, definition) != null || taken) {
      throw new IllegalArgumentException(name + " is defined twice");
    }
    return definition;
  }

  private static List<String> definitions(List<String> lines) {
    List<String> definitions = new ArrayList<>();
    StringBuilder current = new StringBuilder();
    for (String line : lines) {
      if (!line.startsWith(" ") && !current.isEmpty()) {
        definitions.add(current.toString());
        current.setLength(0);
      }
      current.append(current.isEmpty() ? "" : "\n").append(line);
    }
    definitions.add(current.toString());
    return definitions;
  }

  /** The lines of a resource that are neither empty nor comments. */
  public static List<String> lines(Class<?> beside, String resource) {
    try (InputStream in =
            Objects.requireNonNull(beside.getResourceAsStream(resource), "missing " + resource);
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return reader
          .lines()
          .filter(line -> !line.isBlank() && !line.strip().startsWith("#"))
          .toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** Every path that is answered, as method, space and path with its variables in braces. */
  public List<String> reads() {
    return List.copyOf(reads.keySet());
  }

  /**
   * The answer to a call.
   *
   * @param read one of {@link #reads}
   * @throws Refusal if the vendor refuses it
   */
  public @Nullable Object answer(String read, TimedCall call) {
    return evaluate(Objects.requireNonNull(reads.get(read), read), new Scope(this, call));
  }

  /** The value of a function without parameters. */
  public @Nullable Object value(String name, TimedCall call) {
    return evaluate(Objects.requireNonNull(functions.get(name), name), new Scope(this, call));
  }

  private static @Nullable Object evaluate(Definition definition, Scope scope) {
    try {
      return definition.evaluate(scope, List.of());
    } catch (Refusal refusal) {
      throw refusal;
    } catch (RuntimeException failed) {
      throw new IllegalStateException(definition.name + ": " + failed.getMessage(), failed);
    }
  }

  /** A call of a defined function or of one of the language. */
  Formula call(String name, List<Formula> arguments) {
    Builtin builtin = builtin(name);
    Definition definition = functions.get(name);
    if (definition != null) {
      return scope -> definition.evaluate(scope, arguments);
    }
    if (builtin == null) {
      throw new IllegalArgumentException("there is no " + name);
    }
    Formula[] given = arguments.toArray(Formula[]::new);
    return scope -> builtin.apply(new Arguments(scope, given));
  }

  /** An attribute of what an expression gives; or a function of it, where there is none. */
  Formula attribute(String name, Formula base) {
    Builtin builtin = builtin(name);
    return scope -> attribute(scope, name, base, builtin);
  }

  private @Nullable Object attribute(
      Scope scope, String name, Formula base, @Nullable Builtin builtin) {
    Object value = base.value(scope);
    if (value instanceof Item item) {
      Object own = item.get(name, scope.time());
      if (own != Item.NONE) {
        return own;
      }
      Definition defined = attributes.getOrDefault(item.type(), Map.of()).get(name);
      if (defined != null) {
        return defined(scope, item, defined);
      }
    }
    Definition function = functions.get(name);
    if (function != null) {
      return function.evaluate(scope, List.of(any -> value));
    }
    if (builtin == null) {
      throw new IllegalArgumentException("no " + name + " of " + value);
    }
    Formula only = base instanceof Formula.Parameter ? base : any -> value;
    return builtin.apply(new Arguments(scope, only));
  }

  private static @Nullable Object defined(Scope scope, Item item, Definition defined) {
    Formula body = inner -> inner.with(new @Nullable Object[defined.slots], bodyOf(defined));
    return defined.constant && item instanceof Row row
        ? row.kept(defined.name, () -> Objects.requireNonNull(scope.of(item, body), defined.name))
        : scope.of(item, body);
  }

  private static Formula bodyOf(Definition defined) {
    return Objects.requireNonNull(defined.body, defined.name);
  }
}
