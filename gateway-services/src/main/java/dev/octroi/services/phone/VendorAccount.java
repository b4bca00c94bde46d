package dev.octroi.services.phone;

import dev.octroi.services.Deadline;
import dev.octroi.services.upstream.UpstreamAnswer;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.UpstreamRequest;
import java.util.Map;

/**
 * Our account with the number vendor, below which everything of it lies. Thread-safe.
 *
 * @param id the vendor's id of the account
 */
public record VendorAccount(UpstreamClient client, String id) {

  UpstreamAnswer list(String path, Map<String, String> query, Deadline deadline) {
    String target = path(path) + "?" + UpstreamRequest.encoded(query);
    return client.send(UpstreamRequest.get(target), deadline);
  }

  UpstreamAnswer make(String path, Map<String, String> fields, Deadline deadline) {
    return client.send(UpstreamRequest.form(path(path), fields), deadline);
  }

  UpstreamAnswer remove(String path, Deadline deadline) {
    return client.send(UpstreamRequest.delete(path(path)), deadline);
  }

  private String path(String path) {
    return "/Accounts/" + id + path;
  }
}
