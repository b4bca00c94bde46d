package dev.octroi.services.language;

import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How the next token is chosen; null members are the upstream's to choose. */
public record Sampling(
    @Nullable BigDecimal temperature,
    @Nullable BigDecimal topP,
    @Nullable Integer topK,
    @Nullable Long seed,
    @Nullable BigDecimal frequencyPenalty,
    @Nullable BigDecimal presencePenalty,
    List<String> stopSequences) {

  public static final Sampling DEFAULT =
      new Sampling(null, null, null, null, null, null, List.of());

  public Sampling {
    stopSequences = List.copyOf(stopSequences);
  }

  /** Whether repetition is to be punished or rewarded, which not every protocol can say. */
  public boolean hasPenalty() {
    return isSet(frequencyPenalty) || isSet(presencePenalty);
  }

  private static boolean isSet(@Nullable BigDecimal penalty) {
    return penalty != null && penalty.signum() != 0;
  }
}
