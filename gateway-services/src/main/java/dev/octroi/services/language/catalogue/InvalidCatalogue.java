package dev.octroi.services.language.catalogue;

import java.util.List;

/** A catalogue's file that cannot be used; names everything that is wrong with it at once. */
public final class InvalidCatalogue extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  private final transient List<String> problems;

  InvalidCatalogue(List<String> problems) {
    super(String.join(System.lineSeparator(), problems));
    this.problems = List.copyOf(problems);
  }

  /** One line each, with its place. */
  public List<String> problems() {
    return problems;
  }
}
