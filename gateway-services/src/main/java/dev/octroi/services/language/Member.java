package dev.octroi.services.language;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.services.language.Prompt.Part.Native;
import dev.octroi.services.language.Prompt.Source;
import dev.octroi.services.language.Prompt.Untranslatable;
import dev.octroi.services.language.Prompt.Uses;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A place in a caller's body that knows its path, so that every complaint names the member. JSON
 * null counts as absent, as it does with the vendors.
 *
 * @param path such as {@code messages[2].content[0]}, empty for the body
 */
public record Member(String path, JsonNode value) {

  /** What a file that the vendor keeps is called, as a member and among the vendor's features. */
  public static final String FILE = "file_id";

  /** Vendors date the versions of their tools. */
  private static final Pattern VERSION = Pattern.compile("_\\d{4}_?\\d{2}_?\\d{2}$");

  /**
   * The body, which must be an object.
   *
   * @throws InvalidPrompt for anything else
   */
  public static Member body(byte[] bytes) {
    JsonNode tree = LanguageJson.tree(bytes);
    if (!tree.isObject()) {
      throw new InvalidPrompt("", "The body is a JSON object without repeated members");
    }
    return new Member("", tree);
  }

  /** The member of this name, which may be absent. */
  public Member at(String name) {
    return new Member(path.isEmpty() ? name : path + "." + name, value.path(name));
  }

  public boolean present() {
    return !value.isMissingNode() && !value.isNull();
  }

  public boolean isText() {
    return value.isTextual();
  }

  public boolean isList() {
    return value.isArray();
  }

  /** The value of a {@code type} member, empty where there is none. */
  public String type() {
    return value.path("type").asText("");
  }

  /** This member, which must be an object. */
  public Member object() {
    if (!value.isObject()) {
      throw invalid("must be an object");
    }
    return this;
  }

  /** The elements of a list; none for an absent one. */
  public List<Member> each(int most) {
    if (!present()) {
      return List.of();
    }
    if (!value.isArray()) {
      throw invalid("must be an array");
    }
    if (value.size() > most) {
      throw invalid("has more than " + most + " elements");
    }
    List<Member> elements = new ArrayList<>(value.size());
    for (int i = 0; i < value.size(); i++) {
      elements.add(new Member(path + "[" + i + "]", value.get(i)));
    }
    return elements;
  }

  /** The names of an object's members that have a value. */
  public List<Member> members() {
    List<Member> members = new ArrayList<>(value.size());
    for (Iterator<String> names = value.fieldNames(); names.hasNext(); ) {
      Member member = at(names.next());
      if (member.present()) {
        members.add(member);
      }
    }
    return members;
  }

  /** A text that must be there. */
  public String text(int longest) {
    if (!present()) {
      throw invalid("is required");
    }
    if (!value.isTextual()) {
      throw invalid("must be a string");
    }
    if (value.textValue().length() > longest) {
      throw invalid("is longer than " + longest + " characters");
    }
    return value.textValue();
  }

  /** A name or an id that must be there and not be blank. */
  public String name() {
    String name = text(PromptLimits.NAME);
    if (name.isBlank()) {
      throw invalid("must not be empty");
    }
    return name;
  }

  public @Nullable String textOrNull(int longest) {
    return present() ? text(longest) : null;
  }

  /** How closely a picture is looked at; the default is as good as none. */
  public @Nullable String detailOrNull() {
    String word = textOrNull(PromptLimits.NAME);
    return "auto".equals(word) ? null : word;
  }

  /** Where a picture or a document is. */
  public Source source() {
    return Source.ofUrl(text(PromptLimits.TEXT))
        .orElseThrow(() -> invalid("must be an http, https or base64 data URL"));
  }

  public @Nullable Boolean flagOrNull() {
    if (!present()) {
      return null;
    }
    if (!value.isBoolean()) {
      throw invalid("must be true or false");
    }
    return value.booleanValue();
  }

  /** Whether a flag is set; an absent one is not. */
  public boolean flag() {
    return Boolean.TRUE.equals(flagOrNull());
  }

  public @Nullable Integer countOrNull(int least) {
    if (!present()) {
      return null;
    }
    if (!value.isIntegralNumber() || !value.canConvertToInt() || value.intValue() < least) {
      throw invalid("must be an integer of at least " + least);
    }
    return value.intValue();
  }

  public @Nullable Long integerOrNull() {
    if (!present()) {
      return null;
    }
    if (!value.isIntegralNumber() || !value.canConvertToLong()) {
      throw invalid("must be an integer");
    }
    return value.longValue();
  }

  /** A number within bounds. */
  public @Nullable BigDecimal numberOrNull(int least, int most) {
    if (!present()) {
      return null;
    }
    if (!value.isNumber()) {
      throw invalid("must be a number");
    }
    BigDecimal number = value.decimalValue();
    if (number.compareTo(BigDecimal.valueOf(least)) < 0
        || number.compareTo(BigDecimal.valueOf(most)) > 0) {
      throw invalid("must be from " + least + " to " + most);
    }
    return number;
  }

  /** A complaint about this member. */
  public InvalidPrompt invalid(String complaint) {
    return new InvalidPrompt(path, path + " " + complaint);
  }

  /** What stands here, has no translation, and costs tokens at most, unless it names a file. */
  public Untranslatable untranslatable() {
    return new Untranslatable(path, namesFile() ? FILE : null);
  }

  /**
   * What stands here, has no translation, and may cost more than tokens.
   *
   * @param name of the vendor's feature; the date of its version is left out
   */
  public Untranslatable feature(String name) {
    return new Untranslatable(path, undated(name));
  }

  /**
   * The same for what the model may use several times within one call.
   *
   * @param limit the member that says how often at most; it may be absent
   */
  public Untranslatable feature(String name, Member limit) {
    Integer most = limit.countOrNull(1);
    if (most != null && most > PromptLimits.USES) {
      throw limit.invalid("must be at most " + PromptLimits.USES);
    }
    return new Untranslatable(path, undated(name), new Uses(limit.path(), most));
  }

  private static String undated(String name) {
    return VERSION.matcher(name).replaceFirst("");
  }

  /** The members beside the known ones that ask for something. */
  public List<Member> beyond(Set<String> known) {
    return members().stream()
        .filter(member -> !known.contains(member.lastName()) && !member.asksNothing())
        .toList();
  }

  private String lastName() {
    return path.substring(path.lastIndexOf('.') + 1);
  }

  /**
   * Whether the value asks for nothing: SDKs send defaults. An object without members may switch on
   * what it would describe.
   */
  public boolean asksNothing() {
    return value.isArray() ? value.isEmpty() : !value.isObject() && !value.asBoolean(true);
  }

  /** Whether a file that a vendor keeps is named here or anywhere within. */
  public boolean namesFile() {
    return value.findValues(FILE).stream().anyMatch(JsonNode::isTextual);
  }

  /** What stands here as its own protocol says it, for what counts the prompt. */
  public Native asNative() {
    return new Native(path, value);
  }
}
