package dev.octroi.api.path;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The one resource whose path may hold an escaped slash: a model by its name, which vendors' SDKs
 * escape as a whole. It becomes the plain path before anything else looks at it, and is judged as
 * that; an escaped slash anywhere else is refused.
 */
final class EncodedSlash {

  /** What stands before and after the slash has no escape, so that nothing else hides in it. */
  private static final Pattern MODEL =
      Pattern.compile(
          "((?:/api)?/v1/models/[A-Za-z0-9][A-Za-z0-9._-]*)%2[Ff]([A-Za-z0-9][A-Za-z0-9._:-]*)");

  private EncodedSlash() {}

  /** The plain path of a model; any other path as it is. */
  static String plain(String below) {
    Matcher model = MODEL.matcher(below);
    return model.matches() ? model.group(1) + "/" + model.group(2) : below;
  }
}
