package dev.octroi.api.settings;

import java.util.Map;
import java.util.Optional;

/**
 * Everything an operator can set, immutable and checked. Keys are the records' component names in
 * kebab case below {@code gateway}: {@code gateway.payments.pay-to}, or {@code
 * GATEWAY_PAYMENTS_PAY_TO} in the environment. The reference is {@code docs/configuration.md}.
 */
public record GatewaySettings(
    @Setting(
            about =
                "Defaults to start from: `live` has the vendors' public addresses and venue names.",
            value = "none")
        Profile profile,
    @Setting(
            about =
                "A properties file with settings. Read from a system property or the environment.")
        Optional<String> config,
    @Setting(about = "How the gateway is reached.") HttpSettings http,
    @Setting(about = "The ledger's database.") DatabaseSettings database,
    @Setting(about = "What is asked for a call, and by whom it is settled.")
        PaymentSettings payments,
    @Setting(about = "Being paid on a base58 chain (Solana) too.") SolanaPaymentSettings base58,
    @Setting(about = "Remote facilitators, and the facilitator that this gateway is to others.")
        FacilitatorSettings facilitator,
    @Setting(about = "Prices other than the listed ones.") PriceSettings prices,
    @Setting(about = "API keys and the wallets that pay for their calls.") KeySettings keys,
    @Setting(about = "The operator's interface.") AdminSettings admin,
    @Setting(about = "The operator's console.") ConsoleSettings console,
    @Setting(about = "The EVM chain, read and written by the gateway itself.") ChainSettings chain,
    @Setting(about = "Receipts of payments.") ReceiptSettings receipts,
    @Setting(about = "The books, and what is given back to payers.") BookSettings books,
    @Setting(about = "Trying things out: worthless money, and upstreams that cost nothing.")
        SandboxSettings sandbox,
    @Setting(about = "The vendors that answer the reads.") UpstreamsSettings upstream,
    @Setting(about = "What is special about crypto data.") CryptoDataSettings cryptodata,
    @Setting(about = "What is special about the prediction vendor.") MarketSettings prediction,
    @Setting(about = "What is special about web search.") SearchSettings websearch,
    @Setting(about = "Pages that the gateway fetches itself.") WebSettings web,
    @Setting(about = "What is special about phone numbers.") PhoneSettings phone,
    @Setting(about = "What is special about calls.") VoiceSettings voice,
    @Setting(about = "Language models.") ModelSettings language,
    @Setting(about = "Images: the models that draw, and the jobs of those that take long.")
        ImageSettings images,
    @Setting(about = "Music: who makes tracks, and where they lie.") MusicSettings music,
    @Setting(about = "Files that answers link to: pictures and tracks.") AssetSettings assets,
    @Setting(
            about =
                "The real name of a venue, by its neutral word (`venue-a` to `venue-f`,"
                    + " `exchange-a`, `oracle`): used in upstream paths and served as an alias."
                    + " Several separated by commas where an upstream has several; the first is"
                    + " sent.")
        Map<String, String> venues,
    @Setting(
            about =
                "Further names of a group: `gateway.aliases.markets=prediction` serves"
                    + " `/v1/marketplace/markets/…` and `/v1/markets/…` as the group's own paths.")
        Map<String, String> aliases,
    @Setting(about = "How those who buy find out what is sold.") DiscoverySettings discovery,
    @Setting(about = "What is sold, as tools of the Model Context Protocol.") ToolSettings mcp,
    @Setting(about = "What a caller may ask for at once and per minute.") LimitSettings limits,
    @Setting(about = "The freshness cache of read answers.") AnswerCacheSettings cache,
    @Setting(about = "What is done beside the calls, by one of all nodes at a time.")
        ReconcilerSettings reconciler,
    @Setting(about = "Which web pages may call the gateway.") CorsSettings cors,
    @Setting(about = "Documentation for those who buy.") DocsSettings docs,
    @Setting(about = "Figures for plots and alerts.") MetricsSettings metrics,
    @Setting(about = "Traces of calls by OpenTelemetry.") TraceSettings traces,
    @Setting(
            about =
                "A line for every call, to the logger `dev.octroi.access`: `text` for people,"
                    + " `json` for machines.",
            value = "off")
        AccessLogForm accessLog) {

  private static final String PREFIX = "gateway";

  public GatewaySettings {
    Aliases.check(venues, aliases);
  }

  /**
   * Reads the settings; the sandbox's addresses stand below every source, the profile's defaults
   * below those.
   *
   * @throws InvalidSettings with every problem, each with its place
   */
  public static GatewaySettings read(SettingsSources sources) {
    GatewaySettings settings = SettingsReader.read(GatewaySettings.class, PREFIX, sources);
    SettingsSources all =
        settings
            .sandbox()
            .url()
            .map(url -> sources.own("sandbox", SandboxUpstreams.at(url, settings)))
            .orElse(sources);
    SettingsSources longest = settings.profile().resource().map(all::resource).orElse(all);
    return longest == sources
        ? settings
        : SettingsReader.read(GatewaySettings.class, PREFIX, longest);
  }
}
