package dev.octroi.reference.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The files of the project, as rules see them that classes cannot answer.
 *
 * @param root the project's folder
 */
public record Sources(Path root) {

  private static final List<String> MODULES =
      List.of(
          "db",
          "gateway-payments",
          "gateway-services",
          "gateway-api",
          "gateway-api/testkit",
          "gateway-war",
          "reference-jetty",
          "gateway-payments/testchain",
          "reference-jetty/sandbox",
          "reference-jetty/junit",
          "gateway-api/examples/shop",
          "gateway-api/examples/hall",
          "gateway-api/examples/bookshop",
          "gateway-api/examples/kiosk",
          "gateway-api/examples/tomcat",
          "gateway-api/examples/boot-mvc",
          "gateway-api/examples/boot-jersey",
          "gateway-api/examples/quarkus");
  private static final List<String> LIBRARIES = MODULES.subList(0, 5);

  /** What a build makes or fetches, and git's own. */
  private static final Set<String> NOT_OURS = Set.of("target", "node_modules", ".git");

  /**
   * The vendors' real names. Those that are English words count only as a word of their own; the
   * specification's parameters {@code predexon_id} and {@code opinion_…} are its own.
   */
  private static final Pattern VENDOR =
      Pattern.compile(
          "surf(?!ac)|predexon(?!_id)|polymarket|kalshi|dflow|predictfun|binance|twilio"
              + "|(?<![a-z])(limitless|opinion|uma|exa|bland)(?![a-z_])",
          Pattern.CASE_INSENSITIVE);

  /** Where a type is declared, in a file of its own or inside another. */
  private static final Pattern TYPE =
      Pattern.compile("(?m)^ *(?:[a-z-]+ )*(?:class|record|enum|@?interface) ([A-Z]\\w*)");

  /** The namespace of a chain, or the form of its keys. */
  private static final Pattern OF_CHAINS =
      Pattern.compile("\"(eip155|solana)[:\"]|\"0x\"|A-HJ-NP|0x\\[");

  /** A state, an outcome or a kind as a number, in SQL. */
  private static final Pattern NUMBERED =
      Pattern.compile("(?<!int )\\b(state|outcome|kind|redelivery) (?:(=|<>) |(NOT )?IN \\()\\d");

  /** The project, seen from the module whose tests run. */
  public static Sources ofTheProject() {
    return new Sources(Path.of("..").toAbsolutePath().normalize());
  }

  /**
   * Fails where a page that a test makes is not what stands in its file; with {@code
   * -Doctroi.write} it is written first.
   */
  public static void assertWritten(Path page, String text) throws IOException {
    if (Boolean.getBoolean("octroi.write")) {
      Files.writeString(page, text);
    }
    assertThat(page)
        .withFailMessage("%s is stale: write it anew as it says", page)
        .hasContent(text);
  }

  /** Every file below the modules' folder, such as {@code src/main/java}. */
  public List<Path> files(String folder) {
    return MODULES.stream().flatMap(module -> below(root.resolve(module).resolve(folder))).toList();
  }

  /** Every file of the project with an ending, such as {@code .md}, wherever it lies. */
  public List<Path> ending(String ending) throws IOException {
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return NOT_OURS.contains(String.valueOf(folder.getFileName()))
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().endsWith(ending)) {
              files.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return files.stream().sorted().toList();
  }

  /** The simple names of all types of main code. */
  public Set<String> types() {
    return files("src/main/java").stream()
        .flatMap(file -> TYPE.matcher(read(file)).results())
        .map(declared -> declared.group(1))
        .collect(Collectors.toSet());
  }

  List<String> packagesWithoutReason() {
    return files("src/main/java").stream()
        .map(Path::getParent)
        .distinct()
        .filter(folder -> !Files.exists(folder.resolve("package-info.java")))
        .map(this::name)
        .toList();
  }

  /** Code that knows how a chain's networks or keys look, beside the chains' own. */
  List<String> namingChains() {
    return files("src/main/java").stream()
        .filter(file -> OF_CHAINS.matcher(read(file)).find())
        .map(this::name)
        .toList();
  }

  /** SQL that says a state as a number. */
  List<String> numberingStates() {
    return Stream.of("src/main/java", "src/main/resources", "src/test/java")
        .flatMap(folder -> files(folder).stream())
        .filter(file -> file.toString().matches(".*[.](java|sql)"))
        .filter(file -> NUMBERED.matcher(read(file)).find())
        .map(this::name)
        .toList();
  }

  List<String> namingVendors() {
    return Stream.of("src/main/java", "src/main/resources")
        .flatMap(folder -> files(folder).stream())
        .filter(file -> VENDOR.matcher(name(file) + "\n" + read(file)).find())
        .map(this::name)
        .toList();
  }

  /** What would make a jar of ours act by lying on a class path. */
  List<String> registrationsInLibraries() {
    return LIBRARIES.stream()
        .flatMap(module -> below(root.resolve(module).resolve("src/main/resources")))
        .map(this::name)
        .filter(name -> name.contains("META-INF/services/") || name.endsWith("beans.xml"))
        .toList();
  }

  /** The file's path below the project's folder, with slashes. */
  public String name(Path file) {
    return root.relativize(file).toString().replace('\\', '/');
  }

  private static Stream<Path> below(Path folder) {
    if (!Files.isDirectory(folder)) {
      return Stream.empty();
    }
    try (Stream<Path> walk = Files.walk(folder)) {
      return walk.filter(Files::isRegularFile).sorted().toList().stream();
    } catch (IOException unreadable) {
      throw new IllegalStateException(folder.toString(), unreadable);
    }
  }

  private static String read(Path file) {
    try {
      // Not all resources are text; every byte is a character here.
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException unreadable) {
      throw new IllegalStateException(file.toString(), unreadable);
    }
  }
}
