package dev.octroi.services.music;

import java.util.List;

/**
 * A model that makes tracks.
 *
 * @param id by which it is sold
 * @param aliases other names of it
 * @param vendorName by which the vendor knows it
 * @param micros what a track costs, in millionths of a dollar
 */
public record MusicModel(String id, List<String> aliases, String vendorName, long micros) {

  public MusicModel {
    aliases = List.copyOf(aliases);
    if (micros <= 0) {
      throw new IllegalArgumentException("a track costs something");
    }
  }
}
