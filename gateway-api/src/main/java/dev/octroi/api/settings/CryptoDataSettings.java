package dev.octroi.api.settings;

import jakarta.validation.constraints.NotBlank;

/** What is special about crypto data, {@code gateway.cryptodata}. */
public record CryptoDataSettings(
    @Setting(
            about =
                "The model or route that makes queries of the questions of `onchain/query`; `words`"
                    + " leaves it to a plain translation, which also serves where the catalogue has no"
                    + " such model with an upstream.",
            value = "auto/eco")
        @NotBlank
        String questionModel) {

  private static final String PLAIN = "words";

  /** Whether no model is asked. */
  public boolean isPlain() {
    return questionModel.equals(PLAIN);
  }
}
