package dev.octroi.services.upstream;

import dev.octroi.services.Failure;
import java.io.IOException;

/** An answer that ended before its end, after its first byte had come. */
public final class BrokenStream extends IOException {

  private static final long serialVersionUID = 1L;

  private final transient Failure failure;

  BrokenStream(Failure failure) {
    super(failure.getMessage(), failure);
    this.failure = failure;
  }

  /** What a caller may be told. */
  public Failure failure() {
    return failure;
  }
}
