package dev.octroi.api.asset;

import dev.octroi.api.asset.Assets.Asset;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.Optional;

/**
 * Stores the files that answers link to, such as pictures, by their id. All nodes share one store:
 * a file that one node has kept is found by every node. The gateway has stores in a directory, in
 * its database and in an S3 bucket; a host may bring another. Implementations are thread-safe.
 */
public interface AssetStore extends AutoCloseable {

  /**
   * Keeps a file, which no reader finds before all of it is durable. The content is read in pieces
   * of bounded size.
   *
   * @throws IOException if it could not be kept; no reader will find any of it
   */
  void keep(Asset asset, AssetContent content) throws IOException;

  /**
   * A file that was kept, which may have expired meanwhile.
   *
   * @param id 32 hexadecimal digits
   */
  Optional<Asset> find(String id) throws IOException;

  /**
   * The bytes of a file; the caller closes them.
   *
   * @param from how many bytes to leave out, less than its length
   */
  InputStream open(Asset asset, long from) throws IOException;

  /**
   * Deletes what has expired and what was never completed, a bounded amount at a time.
   *
   * @return how many files are gone
   */
  int expire(Instant now) throws IOException;

  @Override
  default void close() {}
}
