package dev.octroi.examples.bookshop;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** A bean of the bookshop's own: what stands on the shelf. */
@ApplicationScoped
public class Shelf {

  private final Map<String, String> books =
      new TreeMap<>(
          Map.of("odyssey", "Tell me, Muse, of the man", "metamorphoses", "Of bodies changed"));

  /** The books' names, in order. */
  public Set<String> names() {
    return books.keySet();
  }

  /** The first words of a book. */
  public Optional<String> firstWords(String name) {
    return Optional.ofNullable(books.get(name));
  }
}
