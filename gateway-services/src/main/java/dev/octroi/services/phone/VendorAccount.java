package dev.octroi.services.phone;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.services.Deadline;
import dev.octroi.services.VendorRefusal;
import dev.octroi.services.read.UpstreamJson;
import dev.octroi.services.upstream.UpstreamAnswer;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.UpstreamRequest;
import java.util.Map;
import java.util.Set;

/**
 * Our account with the number vendor, below which everything of it lies. Thread-safe.
 *
 * @param id the vendor's id of the account
 */
public record VendorAccount(UpstreamClient client, String id) {

  private static final int TOO_MANY = 429;
  private static final int NO_SUCH_THING = 20_404;

  /**
   * Numbers that take no texts: not one (21211, 21217), not connected with ours (21214, 21612), of
   * a region that the account does not write to (21408), whose owner has said no (21610). Or not a
   * mobile one (21614), short (21265), the sender's own (21266), a landline (21635).
   */
  private static final Set<Integer> UNREACHABLE =
      Set.of(21211, 21214, 21217, 21265, 21266, 21408, 21610, 21612, 21614, 21635);

  UpstreamAnswer list(String path, Map<String, String> query, Deadline deadline) {
    return list(path, UpstreamRequest.encoded(query), deadline);
  }

  UpstreamAnswer list(String path, String encodedQuery, Deadline deadline) {
    return client.send(UpstreamRequest.get(path(path) + "?" + encodedQuery), deadline);
  }

  UpstreamAnswer make(String path, Map<String, String> fields, Deadline deadline) {
    return client.send(UpstreamRequest.form(path(path), fields), deadline);
  }

  UpstreamAnswer remove(String path, Deadline deadline) {
    return client.send(UpstreamRequest.delete(path(path)), deadline);
  }

  /** Why something is certainly not done; the log has the vendor's words. */
  VendorRefusal refusal(UpstreamAnswer answer) {
    client.warn(answer);
    if (answer.status() == TOO_MANY) {
      return VendorRefusal.BUSY;
    }
    return UNREACHABLE.contains(code(answer)) ? VendorRefusal.NUMBER : VendorRefusal.ACCOUNT;
  }

  /** The vendor's number for an error, also that of a text; 0 where there is none. */
  static int code(UpstreamAnswer answer) {
    JsonNode said = UpstreamJson.tree(answer.body());
    return said.path("code").asInt(said.path("error_code").asInt());
  }

  /** Whether the vendor says that there is no such thing, and not a server on the way to it. */
  static boolean saysGone(UpstreamAnswer answer) {
    JsonNode code = UpstreamJson.tree(answer.body()).path("code");
    return answer.status() == 404 && code.isInt() && code.intValue() == NO_SUCH_THING;
  }

  private String path(String path) {
    return "/Accounts/" + id + path;
  }
}
