package dev.octroi.api.image;

import dev.octroi.api.asset.Asset;
import dev.octroi.api.asset.Assets;
import dev.octroi.services.Deadline;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.images.DrawnPicture;
import dev.octroi.services.web.Fetched;
import dev.octroi.services.web.PageFetcher;
import dev.octroi.services.web.WebAddress;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * Keeps pictures for the callers that are told their addresses. Thread-safe.
 *
 * @param assets where bytes are kept
 * @param web fetches pictures of the public web, and nothing else
 */
record PictureShelf(Assets assets, PageFetcher web) {

  private static final String ABSOLUTE = "://";

  /** What the picture is found by: an asset's name, or the whole address that the upstream gave. */
  String keep(DrawnPicture picture) {
    if (picture instanceof DrawnPicture.Linked linked) {
      return linked.address().toString();
    }
    return assets.keep(((DrawnPicture.Bytes) picture).bytes()).name();
  }

  /** Where the world reads it. */
  String address(String base, String kept) {
    return kept.contains(ABSOLUTE) ? kept : assets.address(base, kept);
  }

  /** The bytes of what was kept. */
  byte[] bytes(String kept, Deadline deadline) {
    if (kept.contains(ABSOLUTE)) {
      return fetched(kept, deadline);
    }
    Asset asset = assets.find(kept).orElseThrow(PictureShelf::gone);
    try (InputStream in = assets.open(asset, 0)) {
      return in.readAllBytes();
    } catch (IOException unreadable) {
      throw new Failure(
          ErrorCode.UPSTREAM_UNAVAILABLE, "The picture cannot be read now", null, unreadable);
    }
  }

  byte[] bytes(DrawnPicture picture, Deadline deadline) {
    return picture instanceof DrawnPicture.Bytes drawn
        ? drawn.bytes()
        : fetched(((DrawnPicture.Linked) picture).address().toString(), deadline);
  }

  private byte[] fetched(String address, Deadline deadline) {
    Optional<WebAddress> web = WebAddress.of(address);
    if (web.isPresent() && this.web.fetch(web.get(), deadline) instanceof Fetched.Page page) {
      return page.body();
    }
    throw gone();
  }

  private static Failure gone() {
    return new Failure(ErrorCode.UPSTREAM_FAILED, "The picture is gone");
  }
}
