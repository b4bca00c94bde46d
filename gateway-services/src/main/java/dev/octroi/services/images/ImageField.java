package dev.octroi.services.images;

import java.util.Arrays;
import java.util.Optional;

/** What may be asked besides model, prompt, number and size (specification, Images). */
public enum ImageField {
  QUALITY("quality", false),
  BACKGROUND("background", false),
  OUTPUT_FORMAT("output_format", false),
  OUTPUT_COMPRESSION("output_compression", false),
  INPUT_FIDELITY("input_fidelity", false),
  PARTIAL_IMAGES("partial_images", false),
  STYLE("style", true),
  USER("user", true),
  MODERATION("moderation", true),
  WATERMARK("watermark", true);

  private final String word;
  private final boolean ignorable;

  ImageField(String word, boolean ignorable) {
    this.word = word;
    this.ignorable = ignorable;
  }

  /** The member of the body. */
  public String word() {
    return word;
  }

  /** Whether a model that does not know it leaves it out; another is 400 (decisions, images). */
  boolean ignorable() {
    return ignorable;
  }

  static Optional<ImageField> named(String word) {
    return Arrays.stream(values()).filter(field -> field.word.equals(word)).findFirst();
  }
}
