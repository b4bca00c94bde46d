package dev.octroi.services.language;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.octroi.services.language.Prompt.Effort;
import dev.octroi.services.language.Prompt.Output;
import dev.octroi.services.language.Prompt.Sampling;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is changed in a caller's body on its way to an upstream of the same protocol. For one body.
 */
public final class ForwardEdit {

  private final byte[] body;
  private final Map<String, JsonNode> set = new LinkedHashMap<>();
  private final Set<String> dropped = new HashSet<>();
  private @Nullable JsonNode tree;

  public ForwardEdit(byte[] body, Target target) {
    this.body = body;
    set("model", TextNode.valueOf(target.model()));
  }

  /** What the caller's body holds; do not modify. */
  public JsonNode tree() {
    JsonNode read = tree;
    if (read == null) {
      read = LanguageJson.tree(body);
      tree = read;
    }
    return read;
  }

  /** A copy of an object of the caller's, or an empty one. */
  public ObjectNode object(String name) {
    JsonNode given = tree().path(name);
    return given.isObject() ? given.deepCopy() : LanguageJson.object();
  }

  public ForwardEdit set(String name, JsonNode value) {
    set.put(name, value);
    return this;
  }

  public ForwardEdit drop(String name) {
    dropped.add(name);
    return this;
  }

  /** Drops what the caller said and the model does not take. */
  public ForwardEdit drop(String name, @Nullable Object said, @Nullable Object taken) {
    return said != null && taken == null ? drop(name) : this;
  }

  /** Bounds the answer where it is not bounded so already. */
  public ForwardEdit limit(String name, Output said, Output taken) {
    Integer most = taken.maxTokens();
    return most == null || most.equals(said.maxTokens()) ? this : set(name, IntNode.valueOf(most));
  }

  /** Drops or changes what the protocols call alike and the model does not take. */
  public ForwardEdit sampling(Sampling said, Sampling taken) {
    BigDecimal asked = said.temperature();
    BigDecimal temperature = taken.temperature();
    if (asked != null && temperature != null && temperature.compareTo(asked) != 0) {
      set("temperature", DecimalNode.valueOf(temperature));
    }
    return drop("temperature", said.temperature(), taken.temperature())
        .drop("top_p", said.topP(), taken.topP());
  }

  /** Sets or drops a word within an object, which is dropped where nothing is left of it. */
  public ForwardEdit word(String object, String member, @Nullable Effort effort) {
    ObjectNode changed = object(object);
    if (effort == null) {
      changed.remove(member);
    } else {
      changed.put(member, effort.word());
    }
    return changed.isEmpty() ? drop(object) : set(object, changed);
  }

  /** The body for the upstream. */
  public byte[] bytes() {
    return BodyEdit.edit(body, set, dropped);
  }
}
