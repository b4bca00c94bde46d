package dev.octroi.api.asset;

import java.net.URI;

/**
 * A bucket of an S3-compatible store, addressed by path.
 *
 * @param endpoint such as {@code https://s3.eu-central-1.amazonaws.com}
 * @param prefix of all keys, such as {@code octroi/}
 */
public record S3Bucket(
    URI endpoint, String region, String name, String prefix, String accessKey, String secretKey) {

  /** The address of a file's object. */
  URI object(String id) {
    return key(prefix + id);
  }

  URI key(String key) {
    return URI.create(base() + "/" + key);
  }

  /** The address of the bucket itself, with a query. */
  URI listing(String query) {
    return URI.create(base() + "?" + query);
  }

  private String base() {
    String root = endpoint.toString();
    return (root.endsWith("/") ? root : root + "/") + name;
  }

  /** Without the keys, for the log. */
  @Override
  public String toString() {
    return base() + "/" + prefix;
  }
}
