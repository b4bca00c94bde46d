package dev.octroi.api.settings;

import dev.octroi.payments.Usd;
import dev.octroi.payments.x402.ChallengeBody;
import dev.octroi.payments.x402.PaymentIdentifier.IdentifierPolicy;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
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
    @Setting(about = "Other tokens to be paid in on that network, each by a name.")
        Entries<TokenSettings> tokens,
    UptoSettings upto,
    ChannelSettings channels,
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
        DataSize identifierAnswers,
    @Setting(
            about =
                "Whether a payer may sign in with its wallet (extension `sign-in-with-x`), and so see"
                    + " again what it paid for: answers are kept as for payment identifiers, reads"
                    + " included. With real money it needs `gateway.http.public-url`.",
            value = "false")
        boolean signIn) {

  /** The default of the address that is paid: its key is not known. */
  public static final String NOBODY = "0x0000000000000000000000000000000000008402";

  private static final String ADDRESS = "0x[0-9a-fA-F]{40}";
  private static final String ADDRESS_MESSAGE = "it is an address of 0x and 40 hex digits";

  /** A token, {@code gateway.payments.tokens.<word>}. */
  public record TokenSettings(
      @Setting(
              about =
                  "The token's contract. One of it is one dollar, and it moves exactly the amount"
                      + " that it logs.")
          @Pattern(regexp = ADDRESS, message = ADDRESS_MESSAGE)
          String asset,
      @Setting(
              about = "How many decimals the token has: 6 to 36, and 6 with `eip3009`.",
              value = "6")
          @Min(Usd.DECIMALS)
          @Max(Usd.MAX_DECIMALS)
          int decimals,
      @Setting(
              about =
                  "How it is moved: `permit2` by the public contract of that name, which a payer"
                      + " must have let move the token (412 until it has); `eip3009` by the token"
                      + " itself.",
              value = "permit2")
          TransferMethod transferMethod,
      @Setting(
              about =
                  "The token's EIP-712 domain name. Required with `eip3009`; with `permit2` only"
                      + " for a token with permits of its own (EIP-2612).")
          String name,
      @Setting(about = "The token's EIP-712 domain version, with `name`.") String version,
      @Setting(
              about =
                  "Whether calls may be paid out of channels of it too, where"
                      + " `gateway.payments.channels.offered` is set; a token of 6 decimals. A"
                      + " challenge has room for some five ways to pay.",
              value = "false")
          boolean channels,
      @Setting(
              about =
                  "Whether the treasury (`gateway.books.treasury-key`) gives back what was paid in"
                      + " it. With `permit2` the treasury must have let Permit2 move the token.",
              value = "false")
          boolean refunds) {

    /** How a token is moved. */
    public enum TransferMethod {
      PERMIT2,
      EIP3009
    }

    public TokenSettings {
      if (name.isEmpty() != version.isEmpty()) {
        throw new IllegalArgumentException("name and version come together");
      }
      if (transferMethod == TransferMethod.EIP3009
          && (name.isEmpty() || decimals != Usd.DECIMALS)) {
        throw new IllegalArgumentException(
            "with transfer-method=eip3009 a token has six decimals, a name and a version");
      }
      if (channels && decimals != Usd.DECIMALS) {
        throw new IllegalArgumentException("with channels=true a token has six decimals");
      }
    }
  }

  /** Payments of which the payer signs a ceiling, {@code gateway.payments.upto}. */
  public record UptoSettings(
      @Setting(
              about =
                  "Whether calls whose charge is known only afterwards, such as those of language"
                      + " models, may be paid by signing a ceiling (scheme `upto`).",
              value = "true")
          boolean offered,
      @Setting(
              about =
                  "What a payer that has paid before may owe for streams that are being delivered,"
                      + " in dollars. With sandbox money nothing is owed.",
              value = "1.00")
          Usd credit,
      @Setting(about = "The same of any other payer.", value = "0.10") Usd strangerCredit,
      @Setting(
              about = "What all payers may so owe together, what was lost within a day included.",
              value = "100.00")
          Usd creditInAll) {}

  /** Payments out of channels, {@code gateway.payments.channels}. */
  public record ChannelSettings(
      @Setting(
              about =
                  "Whether calls may be paid out of channels, into which a payer puts money once"
                      + " (scheme `batch-settlement`). Where facilitators settle,"
                      + " `gateway.chain.rpc-url` is needed besides.",
              value = "false")
          boolean offered,
      @Setting(
              about = "How long a payer waits that takes its money out of a channel by itself.",
              value = "24h")
          Duration withdrawDelay,
      @Setting(
              about =
                  "How old a charge is before it is claimed from the contract, with those of other"
                      + " channels. A payer's own withdrawal has it claimed at once.",
              value = "1h")
          Duration claimAfter,
      @Setting(
              about =
                  "What a channel must owe to be claimed by its age, in dollars: more than the gas"
                      + " costs. Where this gateway pays for gas, a payer gets back as much at"
                      + " least, or all that is left.",
              value = "0.10")
          Usd claimLeast) {

    public ChannelSettings {
      if (withdrawDelay.toMinutes() < 15 || withdrawDelay.toDays() > 30) {
        throw new IllegalArgumentException("withdraw-delay is 15min to 30d");
      }
    }
  }

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
