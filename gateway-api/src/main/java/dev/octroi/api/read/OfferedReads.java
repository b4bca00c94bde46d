package dev.octroi.api.read;

import dev.octroi.api.error.ErrorAnswer;
import dev.octroi.payments.Usd;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.read.Read;
import dev.octroi.services.read.RowMatcher;
import jakarta.ws.rs.WebApplicationException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The rows of one group, and which of them its upstream offers. A path that no row has is 404, one
 * that the upstream does not offer is 501; both before a payment is asked for. Immutable.
 *
 * @param base where the rows lie
 * @param rows which there are
 * @param beyond paths below the base that the upstream offers beyond the vendor's public contract;
 *     {@value #ALL} for all of them
 */
public record OfferedReads<R extends Read>(String base, RowMatcher<R> rows, Set<String> beyond) {

  private static final String ALL = "*";

  public OfferedReads {
    beyond = Set.copyOf(beyond);
  }

  /** The same rows for an upstream that offers more than the vendor's contract says. */
  public OfferedReads<R> with(Collection<String> offered) {
    return new OfferedReads<>(base, rows, Set.copyOf(offered));
  }

  /** Whether the upstream offers it. */
  public boolean offers(Read row) {
    return row.source().isOffered() || beyond.contains(ALL) || beyond.contains(row.path());
  }

  /** The price of the row that a path names. */
  public Usd price(String path) {
    return Usd.of(find(path).row().price());
  }

  private Optional<RowMatcher.Match<R>> match(String path) {
    return rows.match(path.substring(base.length()));
  }

  /** What a canonical path names, if that is offered. */
  Optional<RowMatcher.Match<R>> offered(String path) {
    return match(path).filter(found -> offers(found.row()));
  }

  /**
   * What a canonical path names.
   *
   * @throws WebApplicationException 404 where no row has the path
   * @throws Failure 501 where the upstream does not offer the row
   */
  RowMatcher.Match<R> find(String path) {
    RowMatcher.Match<R> match =
        match(path)
            .orElseThrow(
                () ->
                    new WebApplicationException(
                        ErrorAnswer.flat(404, "There is no such path.").response()));
    if (!offers(match.row())) {
      throw new Failure(
          ErrorCode.NOT_OFFERED,
          "This gateway's vendor does not offer "
              + match.row().path()
              + ": "
              + match.row().source().note());
    }
    return match;
  }

  /** What is wrong with a setting that lists paths beyond the contract, one sentence each. */
  List<String> problems(String setting, Collection<R> known) {
    return beyond.stream()
        .sorted()
        .filter(path -> !path.equals(ALL) && known.stream().noneMatch(isBeyond(path)))
        .map(path -> setting + ": " + path + " is no read beyond the vendor's contract")
        .toList();
  }

  private static Predicate<Read> isBeyond(String path) {
    return row -> row.path().equals(path) && !row.source().isOffered();
  }
}
