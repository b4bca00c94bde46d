package dev.octroi.services.read;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;

/** One endpoint of a read group as data: a row of the specification's tables. */
public interface Read {

  /**
   * The path below the group's base, path parameters marked by a colon: {@code
   * /venue-a/wallet/:wallet}.
   */
  String path();

  /** Path and query parameters in the specification's order. */
  List<Parameter> parameters();

  /** The price of one call in dollars, at most six places. */
  BigDecimal price();

  /** How long an answer stays fresh and may be served again; zero for never. */
  Duration freshness();

  /** What its answer is made of at the vendor. */
  ReadSource source();

  /** The name of the constant, unique in its group. */
  String name();
}
