package dev.octroi.api.settings;

import dev.octroi.services.JarResource;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * A properties file whose values know their line. {@link Properties} reads each logical line, so
 * that escapes mean what they mean everywhere else, but it forgets where a line stood.
 */
public record PropertiesFile(List<Given> values, List<String> problems) {

  /** The file's values; one that cannot be read is a problem. */
  public static PropertiesFile read(Path file) {
    try {
      return parse(file.getFileName() + "", Files.readAllLines(file, StandardCharsets.UTF_8));
    } catch (CharacterCodingException e) {
      return new PropertiesFile(List.of(), List.of(file + " is not UTF-8 text"));
    } catch (NoSuchFileException e) {
      return new PropertiesFile(List.of(), List.of("the file " + file + " does not exist"));
    } catch (AccessDeniedException e) {
      return new PropertiesFile(
          List.of(), List.of("this user may not read the file " + file + ": change its rights"));
    } catch (IOException e) {
      return new PropertiesFile(
          List.of(), List.of("the file " + file + " cannot be read: it is no properties file"));
    }
  }

  static PropertiesFile resource(Class<?> owner, String name) {
    String text = JarResource.text(owner, name);
    return parse(name.substring(name.lastIndexOf('/') + 1), text.lines().toList());
  }

  static PropertiesFile parse(String name, List<String> lines) {
    List<Given> values = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    Map<String, String> places = new HashMap<>();
    for (int at = 0; at < lines.size(); at++) {
      String place = name + ":" + (at + 1);
      StringBuilder logical = new StringBuilder(lines.get(at));
      while (continues(logical) && at + 1 < lines.size()) {
        logical.append('\n').append(lines.get(++at));
      }
      Properties one = new Properties();
      try {
        one.load(new StringReader(logical.toString()));
      } catch (IOException | IllegalArgumentException e) {
        problems.add(place + " is not a line of a properties file");
      }
      for (String key : one.stringPropertyNames()) {
        String earlier = places.put(key, place);
        if (earlier != null) {
          problems.add(key + " is set twice: " + earlier + " and " + place);
        }
        values.add(new Given(key, one.getProperty(key).strip(), place, Given.Origin.KEY));
      }
    }
    return new PropertiesFile(values, problems);
  }

  private static boolean continues(CharSequence line) {
    String text = line.toString().stripLeading();
    if (text.startsWith("#") || text.startsWith("!")) {
      return false;
    }
    int backslashes = 0;
    while (backslashes < line.length() && line.charAt(line.length() - 1 - backslashes) == '\\') {
      backslashes++;
    }
    return backslashes % 2 == 1;
  }
}
