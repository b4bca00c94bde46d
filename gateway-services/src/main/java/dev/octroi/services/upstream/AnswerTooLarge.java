package dev.octroi.services.upstream;

import java.io.IOException;

/** An answer over the size limit: no sign that the upstream is unwell. */
final class AnswerTooLarge extends IOException {

  private static final long serialVersionUID = 1L;

  AnswerTooLarge(int limit) {
    super("answer over " + limit + " bytes");
  }
}
