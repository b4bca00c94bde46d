package dev.octroi.api.settings;

import dev.octroi.payments.x402.ChallengeBody;
import dev.octroi.payments.x402.IdentifierPolicy;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import java.time.Duration;
import java.util.List;

/** What is asked for a call, and by whom it is settled, {@code gateway.payments}. */
public record PaymentSettings(
    @Setting(
            about =
                "Who settles: `sandbox` moves worthless balances in the database, `remote` asks"
                    + " the facilitators of `gateway.facilitator.urls`, `chain` sends transactions"
                    + " itself.",
            value = "sandbox")
        Mode mode,
    @Setting(about = "The network to be paid on, as CAIP-2 id.", value = "eip155:8453")
        @Pattern(regexp = "eip155:[0-9]{1,18}", message = "it is a network such as eip155:8453")
        String network,
    @Setting(
            about = "The stablecoin's contract, with six decimals.",
            value = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913")
        @Pattern(regexp = ADDRESS, message = ADDRESS_MESSAGE)
        String asset,
    @Setting(about = "The stablecoin's EIP-712 domain name.", value = "USD Coin") @NotBlank
        String assetName,
    @Setting(about = "The stablecoin's EIP-712 domain version.", value = "2") @NotBlank
        String assetVersion,
    @Setting(
            about =
                "The address that is paid. The default has no known key and is good for the sandbox"
                    + " alone.",
            value = NOBODY)
        @Pattern(regexp = ADDRESS, message = ADDRESS_MESSAGE)
        String payTo,
    @Setting(about = "How long a payer's authorization may live.", value = "300s")
        Duration maxTimeout,
    @Setting(
            about = "Groups whose JSON object answers get the member `price`, comma-separated.",
            value =
                "cryptodata,prediction,phone,voice,websearch,smartsearch,messages,chat,music,images")
        List<String> priceInBody,
    @Setting(
            about =
                "Addresses of payers whose money is not taken, comma-separated: their calls are"
                    + " answered 403, uncharged.")
        List<String> deniedPayers,
    @Setting(
            about =
                "The version of the bodies of challenges: `v1` serves fleets of clients that know"
                    + " nothing newer. The header `PAYMENT-REQUIRED` is always of version 2.",
            value = "v2")
        ChallengeBody challengeBody,
    @Setting(
            about =
                "Whether a payer may (`optional`) or must (`required`) name its payments by the"
                    + " extension `payment-identifier`, and so have an answer again; or `off`.",
            value = "optional")
        IdentifierPolicy identifiers,
    @Setting(
            about = "How long a payment identifier stands for its payment and its answer is kept.",
            value = "24h")
        Duration identifierTime,
    @Setting(
            about =
                "What answers kept for payment identifiers take up in the database together; the"
                    + " oldest go first.",
            value = "256MiB")
        DataSize identifierAnswers) {

  /** The default of the address that is paid: its key is not known. */
  public static final String NOBODY = "0x0000000000000000000000000000000000008402";

  private static final String ADDRESS = "0x[0-9a-fA-F]{40}";
  private static final String ADDRESS_MESSAGE = "it is an address of 0x and 40 hex digits";

  /** Who settles. */
  public enum Mode {
    SANDBOX,
    REMOTE,
    CHAIN
  }

  public PaymentSettings {
    if (maxTimeout.toSeconds() < 30 || maxTimeout.toSeconds() > 3600) {
      throw new IllegalArgumentException("max-timeout is 30s to 1h");
    }
    if (identifierTime.toMinutes() < 10 || identifierTime.toDays() > 7) {
      throw new IllegalArgumentException("identifier-time is 10min to 7d");
    }
  }
}
