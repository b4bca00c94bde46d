package dev.octroi.reference.process;

import dev.octroi.reference.docs.Page;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A command of the documentation, as one would type it.
 *
 * @param place where it stands
 * @param text without its comment; lines that go on are joined
 */
record DocumentedCommand(String place, String text) {

  private static final Pattern COMMENT = Pattern.compile("(^|\\s+)#\\s.*");
  private static final Pattern OF_THE_JAR = Pattern.compile("java -jar \\S*octroi\\.jar( .*)?");
  private static final Pattern OPERATES =
      Pattern.compile(
          ".* (keys|wallets|payments|prices|changes|books|refunds|effects|operators|node)( .*|$)");
  private static final Pattern STAYS =
      Pattern.compile("java -jar \\S*octroi\\.jar( sandbox| sell (?!.*--config).*)?");
  private static final String COPY = "cp -a octroi-data octroi-data.before";
  private static final Pattern LOOKS = Pattern.compile("java -jar \\S*octroi\\.jar doctor");

  /** The commands of a block; what {@code &&} joins is several. */
  static List<DocumentedCommand> in(Page.Block block) {
    List<DocumentedCommand> commands = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    for (String line : block.lines()) {
      String bare = COMMENT.matcher(line).replaceFirst("").strip();
      boolean goesOn = bare.endsWith("\\");
      text.append(goesOn ? bare.substring(0, bare.length() - 1) : bare);
      if (!goesOn) {
        for (String part : text.toString().split(" && ", -1)) {
          commands.add(new DocumentedCommand(block.place(), part.strip()));
        }
        text.setLength(0);
      }
    }
    return commands.stream().filter(command -> !command.text().isEmpty()).toList();
  }

  /** Nothing else is run on a machine because a page says so. */
  boolean mayBeRun() {
    return isOfTheJar() || isCurl() || text.equals(COPY);
  }

  private boolean isOfTheJar() {
    return OF_THE_JAR.matcher(text).matches();
  }

  boolean isCurl() {
    return text.startsWith("curl ");
  }

  /** Whether it is said to a running gateway, and does not say to which. */
  boolean operatesTheUsualGateway() {
    return isOfTheJar() && OPERATES.matcher(text).matches() && !text.contains("--url");
  }

  /** Whether it serves until it is stopped. */
  boolean stays() {
    return STAYS.matcher(text).matches();
  }

  /** Whether it looks at a data folder, which may not be one that is in use. */
  boolean looksAtData() {
    return LOOKS.matcher(text).matches();
  }

  /** The same wherever the jar lies. */
  String command() {
    return text.replaceFirst("\\S*octroi\\.jar", "octroi.jar");
  }

  @Override
  public String toString() {
    return place + " " + text;
  }
}
