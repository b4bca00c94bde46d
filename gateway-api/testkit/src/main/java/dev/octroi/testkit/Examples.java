package dev.octroi.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes calls of declared arguments. Two forms stand for a value that is known only at run time:
 *
 * <ul>
 *   <li>{@code @now-3600}: Unix seconds, so much before the last full hour;
 *   <li>{@code @VENUE_A_MARKETS/markets/0/id}: what another endpoint of the group answers there, so
 *       that what a list shows can be asked for.
 * </ul>
 *
 * <p>Thread-safe.
 */
final class Examples {

  private static final String NOW = "@now";
  private static final long HOUR = 3600;

  private final Deployment deployment;
  private final Map<Endpoint, Reply> lists = new ConcurrentHashMap<>();

  Examples(Deployment deployment) {
    this.deployment = deployment;
  }

  /** The declared example. */
  Call of(Endpoint endpoint) {
    return with(endpoint, endpoint.sample().example());
  }

  /** The example with one argument in place of its own. */
  Call with(Endpoint endpoint, String argument, JsonNode value) {
    ObjectNode arguments = endpoint.sample().example().deepCopy();
    arguments.set(argument, value);
    return with(endpoint, arguments);
  }

  Call with(Endpoint endpoint, String argument, String value) {
    return with(endpoint, argument, TextNode.valueOf(value));
  }

  /** The example less one argument. */
  Call without(Endpoint endpoint, String argument) {
    ObjectNode arguments = endpoint.sample().example().deepCopy();
    arguments.remove(argument);
    return with(endpoint, arguments);
  }

  /** A call with these arguments, in the path, the query or the body. */
  Call with(Endpoint endpoint, JsonNode arguments) {
    String base = endpoint.base();
    if (!endpoint.isRead()) {
      ObjectNode body = Json.MAPPER.createObjectNode();
      arguments.properties().forEach(e -> body.set(e.getKey(), resolved(endpoint, e.getValue())));
      return Call.post(base + endpoint.path(), Json.write(body));
    }
    String path = endpoint.path();
    StringJoiner query = new StringJoiner("&", "?", "").setEmptyValue("");
    for (Map.Entry<String, JsonNode> argument : arguments.properties()) {
      String value = encoded(resolved(endpoint, argument.getValue()).asText());
      String place = "/:" + argument.getKey();
      if ((path + "/").contains(place + "/")) {
        path = (path + "/").replace(place + "/", "/" + value + "/").replaceAll("/$", "");
      } else {
        query.add(argument.getKey() + "=" + value);
      }
    }
    return Call.get(base + path + query);
  }

  private JsonNode resolved(Endpoint endpoint, JsonNode value) {
    if (value.isArray()) {
      ArrayNode elements = Json.MAPPER.createArrayNode();
      value.forEach(element -> elements.add(resolved(endpoint, element)));
      return elements;
    }
    String text = value.asText();
    if (text.startsWith(NOW)) {
      long hour = Clock.systemUTC().instant().getEpochSecond() / HOUR * HOUR;
      long before = text.equals(NOW) ? 0 : Long.parseLong(text.substring(NOW.length() + 1));
      return TextNode.valueOf(Long.toString(hour - before));
    }
    return text.startsWith("@") ? answered(endpoint.base(), text) : value;
  }

  private JsonNode answered(String base, String reference) {
    int slash = reference.indexOf('/');
    Endpoint list = Endpoints.named(base, reference.substring(1, slash));
    JsonNode answer = bought(list).json();
    JsonNode value = answer.at(reference.substring(slash));
    if (value.isMissingNode()) {
      throw new AssertionError(reference + " is not in what " + list + " answers");
    }
    return TextNode.valueOf(value.asText());
  }

  /** One call each: an example may lean on another, so no lock is held while it is made. */
  private Reply bought(Endpoint list) {
    Reply known = lists.get(list);
    if (known != null) {
      return known;
    }
    Reply answer = deployment.buy(of(list));
    lists.putIfAbsent(list, answer);
    return answer;
  }

  private static String encoded(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
