package dev.octroi.services.language.catalogue;

import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One language model as it is sold.
 *
 * @param id its public name, such as {@code some-model-4.8}
 * @param vendor the prefix under which it is known too, as in {@code vendor/some-model-4.8}
 * @param aliases other names, each with and without the prefix
 * @param source where it runs
 * @param contextWindow tokens that it can hold, input and output together
 * @param maxOutput tokens that it can write in one answer
 * @param input what it takes; always text
 * @param abilities what it can do
 * @param rates what it costs; null where that is not known, and then it cannot be called
 * @param tokenizer how its tokens are counted
 * @param released since when it exists
 * @param retired from when on it is refused; null for one that stays
 * @param fallbacks ids of the models that take its place when it fails, in this order
 * @param tiers what it may be chosen for
 */
public record Model(
    String id,
    String vendor,
    List<String> aliases,
    ModelSource source,
    int contextWindow,
    int maxOutput,
    Set<Modality> input,
    Set<Ability> abilities,
    @Nullable Rates rates,
    Tokenizer tokenizer,
    LocalDate released,
    @Nullable LocalDate retired,
    List<String> fallbacks,
    Set<Tier> tiers) {

  public Model {
    aliases = List.copyOf(aliases);
    input = Set.copyOf(input);
    abilities = Set.copyOf(abilities);
    fallbacks = List.copyOf(fallbacks);
    tiers = Set.copyOf(tiers);
  }

  /** The full name, {@code vendor/id}. */
  public String fullId() {
    return vendor + "/" + id;
  }

  public Optional<Rates> price() {
    return Optional.ofNullable(rates);
  }

  /** Whether it can no longer be called on that day (UTC). */
  public boolean retiredOn(LocalDate day) {
    return retired != null && !day.isBefore(retired);
  }

  public boolean free() {
    return rates != null && rates.free();
  }
}
