package dev.octroi.reference.coverage;

/**
 * One endpoint, field, error, limit, state or rule of the specification.
 *
 * @param id what tests name it by, after {@code spec:}
 * @param area the group of endpoints or part of the gateway
 * @param sentence what is specified, in short
 */
record Cell(String id, String area, String sentence) {

  /**
   * Whether a tag shows this cell. A tag may name a whole record: such a test compares all of its
   * fields.
   */
  boolean isShownBy(String tag) {
    return id.equals(tag) || (tag.startsWith("record.") && id.startsWith(tag + "."));
  }
}
