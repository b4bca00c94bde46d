package dev.octroi.services.language.catalogue;

import java.util.regex.Pattern;

/** How names of models are compared: a dash for the dot in a version is the same name. */
final class ModelName {

  private static final Pattern DOT = Pattern.compile("(?<=\\d)\\.(?=\\d)");
  private static final Pattern DATED = Pattern.compile(".*-(\\d{8}|\\d{4}-\\d{2}-\\d{2})");
  private static final int LONGEST_ECHO = 80;

  private ModelName() {}

  static String key(String name) {
    return DOT.matcher(name).replaceAll("-");
  }

  /** Whether the name is a vendor's name of one day's build, as older models had it. */
  static boolean dated(String name) {
    return DATED.matcher(name).matches();
  }

  /** What a message may repeat of a name that a caller made up. */
  static String echo(String name) {
    String plain = name.replaceAll("[^\\x20-\\x7e]", "?");
    return plain.substring(0, Math.min(LONGEST_ECHO, plain.length()));
  }
}
