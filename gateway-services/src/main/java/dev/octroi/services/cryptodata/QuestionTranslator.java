package dev.octroi.services.cryptodata;

import dev.octroi.services.Deadline;
import java.util.List;

/**
 * Makes a query of a question: {@link ModelTranslator} by a language model, {@link WordTranslator}
 * without one. Thread-safe.
 */
@FunctionalInterface
public interface QuestionTranslator {

  /**
   * The query.
   *
   * @param schema the upstream's tables; empty when it does not tell
   * @param deadline when the translation must have ended
   * @throws dev.octroi.services.Failure 400 {@code invalid_params} for a question about nothing
   *     that is there
   */
  StructuredQuery translate(Question question, List<SchemaTable> schema, Deadline deadline);
}
