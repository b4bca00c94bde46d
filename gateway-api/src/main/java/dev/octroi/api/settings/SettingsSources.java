package dev.octroi.api.settings;

import dev.octroi.api.settings.Given.Origin;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Where settings come from, the strongest source first: command line, system properties,
 * environment, file. Immutable; each method returns a longer list.
 */
public final class SettingsSources {

  static final String PREFIX = "gateway.";
  static final String ENVIRONMENT_PREFIX = "GATEWAY_";

  private static final SettingsSources NONE = new SettingsSources(List.of(), List.of());

  private final List<List<Given>> layers;
  private final List<String> problems;

  private SettingsSources(List<List<Given>> layers, List<String> problems) {
    this.layers = layers;
    this.problems = problems;
  }

  public static SettingsSources none() {
    return NONE;
  }

  /**
   * What a process without a command line of its own has: system properties, then the environment,
   * then the file that {@code gateway.config} (or {@code GATEWAY_CONFIG}) names.
   */
  public static SettingsSources ofProcess() {
    return ofProcess(System.getProperties(), System.getenv());
  }

  static SettingsSources ofProcess(Properties properties, Map<String, String> environment) {
    SettingsSources sources = none().systemProperties(properties).environment(environment);
    String file = properties.getProperty("gateway.config", environment.get("GATEWAY_CONFIG"));
    try {
      return file == null ? sources : sources.file(Path.of(file));
    } catch (InvalidPathException e) {
      // It is read as a setting too, and refused there.
      return sources;
    }
  }

  /**
   * Adds a source whose keys are all settings, such as a command line.
   *
   * @param name what messages call it
   */
  public SettingsSources values(String name, Map<String, String> values) {
    return values(name, values, Origin.KEY);
  }

  /**
   * Adds what the program itself makes, such as an address that it listens on: as good as a
   * default, its constraints are not looked at.
   */
  public SettingsSources own(String name, Map<String, String> values) {
    return values(name, values, Origin.PROGRAM);
  }

  private SettingsSources values(String name, Map<String, String> values, Origin origin) {
    List<Given> layer = new ArrayList<>();
    values.forEach((key, value) -> layer.add(new Given(key, value, name, origin)));
    return with(layer, List.of());
  }

  /** Adds lines that are read already. */
  public SettingsSources lines(List<Given> lines) {
    return with(lines, List.of());
  }

  /** Adds those system properties whose names begin {@code gateway.}. */
  public SettingsSources systemProperties(Properties properties) {
    List<Given> layer = new ArrayList<>();
    for (String key : properties.stringPropertyNames()) {
      if (key.startsWith(PREFIX)) {
        layer.add(new Given(key, properties.getProperty(key), "system property", Origin.KEY));
      }
    }
    return with(layer, List.of());
  }

  /** Adds those environment variables whose names begin {@code GATEWAY_}. */
  public SettingsSources environment(Map<String, String> environment) {
    List<Given> layer = new ArrayList<>();
    environment.forEach(
        (name, value) -> {
          if (name.startsWith(ENVIRONMENT_PREFIX) && !OrchestratorVariables.isOne(name)) {
            layer.add(new Given(name, value, "environment", Origin.VARIABLE));
          }
        });
    return with(layer, List.of());
  }

  /** Adds a properties file; one that cannot be read is a problem like any other. */
  public SettingsSources file(Path file) {
    PropertiesFile read = PropertiesFile.read(file);
    return with(read.values(), read.problems());
  }

  SettingsSources resource(String name) {
    PropertiesFile read = PropertiesFile.resource(SettingsSources.class, name);
    return with(read.values(), read.problems());
  }

  /**
   * Only what is set below some words, such as {@code upstream} for {@code gateway.upstream.…}: for
   * a gateway that is to have no more of the operator's.
   */
  public SettingsSources only(Set<String> words) {
    return new SettingsSources(
        layers.stream()
            .map(layer -> layer.stream().filter(one -> words.contains(word(one))).toList())
            .toList(),
        problems);
  }

  private static String word(Given given) {
    String[] parts = given.name().split(given.isVariable() ? "_" : "\\.", 3);
    return parts.length < 2 ? "" : parts[1].toLowerCase(Locale.ROOT);
  }

  private SettingsSources with(List<Given> layer, List<String> found) {
    List<List<Given>> longer = new ArrayList<>(layers);
    longer.add(List.copyOf(layer));
    List<String> allProblems = new ArrayList<>(problems);
    allProblems.addAll(found);
    return new SettingsSources(
        Collections.unmodifiableList(longer), Collections.unmodifiableList(allProblems));
  }

  /** The sources' values, the strongest source first. */
  List<List<Given>> layers() {
    return layers;
  }

  /** What is wrong with the sources themselves. */
  List<String> problems() {
    return problems;
  }

  /**
   * Environment variables that a container orchestrator injects for a service that happens to be
   * called "gateway". They look like settings, and the operator did not set them.
   */
  private static final class OrchestratorVariables {

    private static final Pattern SERVICE_LINK =
        Pattern.compile(
            "GATEWAY_(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT"
                + "|PORT_[0-9]+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)");

    private OrchestratorVariables() {}

    static boolean isOne(String name) {
      return SERVICE_LINK.matcher(name).matches();
    }
  }
}
