package dev.octroi.services.images;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One image model as it is sold.
 *
 * @param id its public name
 * @param aliases other names
 * @param source where and how it is asked
 * @param sizes what it draws
 * @param micros what one picture costs, in millionths of a dollar
 * @param fields what it understands besides prompt, number and size
 * @param qualities the model's own word for each quality that is sold
 * @param promptLength characters of a prompt at most
 * @param edits whether it changes pictures too
 */
public record ImageModel(
    String id,
    List<String> aliases,
    Source source,
    ImageSizes sizes,
    long micros,
    Set<ImageField> fields,
    Map<String, String> qualities,
    int promptLength,
    boolean edits) {

  public ImageModel {
    aliases = List.copyOf(aliases);
    fields = Set.copyOf(fields);
    qualities = Map.copyOf(qualities);
  }

  /**
   * Where a model is asked.
   *
   * @param upstream the configured name of its upstream
   * @param model what the upstream calls it
   * @param atOnce pictures that one call gives at most; more are asked for by several
   * @param sendsSize whether the upstream takes a size
   * @param sendsFormat whether the upstream takes {@code response_format}
   */
  public record Source(
      String upstream, String model, int atOnce, boolean sendsSize, boolean sendsFormat) {}
}
