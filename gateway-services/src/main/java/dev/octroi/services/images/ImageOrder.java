package dev.octroi.services.images;

import java.util.Map;

/**
 * A call that has been read and may be made.
 *
 * @param prompt not empty
 * @param base64 whether the caller wants the bytes and not an address
 * @param progress how many pictures of the work in progress are wanted, 0 to 3
 * @param options what goes to the model besides, by the vendor's names: texts, numbers, booleans
 */
public record ImageOrder(
    ImageQuote quote, String prompt, boolean base64, int progress, Map<String, Object> options) {

  public ImageOrder {
    options = Map.copyOf(options);
  }

  public ImageModel model() {
    return quote.model();
  }
}
