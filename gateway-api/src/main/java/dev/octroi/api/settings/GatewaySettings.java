package dev.octroi.api.settings;

import dev.octroi.payments.Usd;
import dev.octroi.payments.evm.ReceiptSigner;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
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
        Optional<Path> config,
    @Setting(about = "How the gateway is reached.") HttpSettings http,
    @Setting(about = "The ledger's database.") DatabaseSettings database,
    @Setting(about = "What is asked for a call, and by whom it is settled.")
        PaymentSettings payments,
    @Setting(about = "Being paid on Solana too.") SolanaPaymentSettings solana,
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
    @Setting(
            about =
                "The built-in groups that are sold if their vendors are configured, by their words,"
                    + " comma-separated; `*` for all, empty for none.",
            value = "*")
        List<String> groups,
    @Setting(about = "What the operator sells: servers of his own, each by a name.")
        Entries<RouteSettings> routes,
    @Setting(about = "What operators change of routes and prices while gateways serve.")
        ChangeSettings changes,
    @Setting(about = "Where events are sent to: webhooks, each by a name.")
        Entries<WebhookSettings> webhooks,
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
    @Setting(about = "What the jar logs.") LogSettings log,
    @Setting(
            about =
                "A line for every call, to the logger `dev.octroi.access`: `text` for people,"
                    + " `json` for machines.",
            value = "off")
        AccessLogForm accessLog) {

  private static final String PREFIX = "gateway";

  /** Threads of the server for calls that wait for no vendor: these end soon. */
  private static final int THREADS_TO_SPARE = 16;

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

  /**
   * How many calls may hold a thread of the server while they wait for a vendor: of its threads,
   * those that tools do not hold besides, nor calls that wait for none.
   */
  public int callsThatWait() {
    int others = mcp.callsAtOnce() + THREADS_TO_SPARE;
    return http.threads() - Math.min(others, http.threads() / 2);
  }

  /** How the access log writes its lines, {@code gateway.access-log}. */
  public enum AccessLogForm {
    /** Not at all. */
    OFF,
    /** For people: the parts in a fixed order, a dash for what is not there. */
    TEXT,
    /** One JSON object a line. */
    JSON
  }

  /** How the jar writes its log, {@code gateway.log}. */
  public record LogSettings(
      @Setting(
              about =
                  "How the jar writes all that it says once its settings are read: `text` for people,"
                      + " `json` for machines, one object a line, with the `request` and the `trace`"
                      + " of the call. From which level on is told by the variable"
                      + " `OCTROI_LOG_LEVEL`. A container has its own log.",
              value = "text")
          LogFormat format) {

    /** The form of a line. */
    public enum LogFormat {
      TEXT,
      JSON
    }
  }

  /** The operator's interface, {@code gateway.admin}. */
  public record AdminSettings(
      @Setting(
              about =
                  "Opens `/admin/v1` to callers that send it as `Authorization: Bearer …`; at least 24"
                      + " characters. Without it nothing is served there.")
          Secret token) {

    private static final int SHORTEST = 24;

    public AdminSettings {
      if (!token.value().isEmpty() && token.value().length() < SHORTEST) {
        throw new IllegalArgumentException("token has at least 24 characters");
      }
    }
  }

  /** What operators change of routes and prices while gateways serve, {@code gateway.changes}. */
  public record ChangeSettings(
      @Setting(
              about =
                  "How often each node looks for changes, 1s to 60s, the same on every node. A change"
                      + " holds two of these after it was written, at the earliest.",
              value = "5s")
          Duration poll,
      @Setting(
              about =
                  "The servers that routes may be changed to, comma-separated: `api.example:8443`, or"
                      + " `*.inside.example` for all below. Empty for none: the file alone says then"
                      + " where requests are passed on to.")
          List<String> targets) {

    private static final Duration LONGEST = Duration.ofMinutes(1);

    public ChangeSettings {
      if (poll.compareTo(Duration.ofSeconds(1)) < 0 || poll.compareTo(LONGEST) > 0) {
        throw new IllegalArgumentException("poll is 1s to 60s");
      }
    }

    /** Whether routes may be changed to a server. */
    public boolean allows(URI target) {
      String host = String.valueOf(target.getHost()).toLowerCase(Locale.ROOT);
      int usual = "https".equalsIgnoreCase(target.getScheme()) ? 443 : 80;
      int port = target.getPort() == -1 ? usual : target.getPort();
      return targets.stream()
          .map(one -> one.toLowerCase(Locale.ROOT))
          .anyMatch(
              one ->
                  is(one, host + ":" + port)
                      || is(one, host + ":*")
                      || (port == usual && is(one, host)));
    }

    private static boolean is(String allowed, String server) {
      return allowed.startsWith("*.")
          ? server.endsWith(allowed.substring(1))
          : server.equals(allowed);
    }
  }

  /** The freshness cache of read answers, {@code gateway.cache}. */
  public record AnswerCacheSettings(
      @Setting(
              about =
                  "Memory for answers that are still fresh (prediction reads 5 s, sports 60 s,"
                      + " leaderboard 15 min), per group; `0B` asks the upstream every time.",
              value = "32MiB")
          DataSize size) {}

  /** The operator's console, {@code gateway.console}. */
  public record ConsoleSettings(
      @Setting(
              about =
                  "Serves the operator's console at `/console`, a page that asks for the operator's"
                      + " token; never without `gateway.admin.token`.",
              value = "true")
          boolean enabled) {}

  /** Which web pages may call the gateway, {@code gateway.cors}. */
  public record CorsSettings(
      @Setting(
              about =
                  "Origins, comma-separated, such as `https://shop.example`; `*` for any, empty for"
                      + " none. Credentials are headers, never cookies, so that any origin is safe. Sandbox"
                      + " money, which needs none, is served to fewer:"
                      + " `gateway.sandbox.allowed-origins`.",
              value = "*")
          List<String> origins,
      @Setting(about = "How long a browser may remember a preflight.", value = "10min")
          Duration maxAge) {}

  /** What is special about crypto data, {@code gateway.cryptodata}. */
  public record CryptoDataSettings(
      @Setting(
              about =
                  "The model or route that makes queries of the questions of `onchain/query`; `words`"
                      + " leaves it to a plain translation, which also serves where the catalogue has no"
                      + " such model with an upstream.",
              value = "auto/eco")
          @NotBlank
          String questionModel,
      @Setting(
              about =
                  "Reads that your vendor offers beyond its public contract, as paths below the group's"
                      + " base, comma-separated, or `*`. The others that the contract lacks are 501 and not"
                      + " listed; at present it lacks none.")
          List<String> beyondContract) {

    private static final String PLAIN = "words";

    /** Whether no model is asked. */
    public boolean isPlain() {
      return questionModel.equals(PLAIN);
    }
  }

  /** Documentation that the gateway serves, {@code gateway.docs}. */
  public record DocsSettings(
      @Setting(
              about =
                  "Whether `/openapi.json` and the page `/docs` are served. With sandbox money, and"
                      + " only on the machine itself, the page pays for the calls that are tried"
                      + " on it.",
              value = "true")
          boolean enabled) {}

  /** What is special about the prediction vendor, {@code gateway.prediction}. */
  public record MarketSettings(
      @Setting(
              about =
                  "Venues whose order book windows are milliseconds upstream, by their neutral words;"
                      + " callers give Unix seconds everywhere.",
              value = "venue-a,venue-b,venue-d,venue-e,venue-f")
          List<String> millisecondVenues,
      @Setting(about = "Whether provider fields carry the venues' real names.", value = "false")
          boolean realNames,
      @Setting(
              about =
                  "Reads that your vendor offers beyond its public contract, as paths below the group's"
                      + " base (`/venue-c/markets`), comma-separated, or `*`. The others that the contract lacks"
                      + " are 501 and not listed.")
          List<String> beyondContract) {

    public MarketSettings {
      millisecondVenues.forEach(Aliases::requireVenue);
    }
  }

  /** Figures for plots and alerts, {@code gateway.metrics}. */
  public record MetricsSettings(
      @Setting(about = "Whether calls are counted and `/metrics` is served.", value = "true")
          boolean enabled,
      @Setting(
              about =
                  "Addresses that read `/metrics` without the operator's token, comma-separated, each"
                      + " an address or a block such as `10.0.0.0/8`. A request that a proxy forwarded"
                      + " needs the token whatever its address.",
              value = "127.0.0.0/8,::1")
          List<String> readers) {}

  /** What is special about web search, {@code gateway.websearch}. */
  public record SearchSettings(
      @Setting(
              about = "Whether `find-similar` is sold; otherwise it is 404, uncharged.",
              value = "false")
          boolean findSimilar,
      @Setting(
              about =
                  "Categories that the vendor takes beyond its public contract: `pdf`, `github`. Without"
                      + " them `github` is asked for by its site, and `pdf` is 400.")
          List<String> beyondContract,
      @Setting(
              about =
                  "What the vendor's own clients call the model that answers questions; another is 400.")
          String answerModel,
      @Setting(
              about =
                  "The model or route that writes the summaries of smart searches. A model's fallbacks"
                      + " that cost no more take its place; name one where the cheapest of `auto/search`"
                      + " has no key here.",
              value = "auto/search")
          @NotBlank
          String smartModel,
      @Setting(about = "What the search vendor bills you: a call that asks for more costs no less.")
          SearchRates rates) {}

  /** What the search vendor bills, {@code gateway.websearch.rates}, in dollars. */
  public record SearchRates(
      @Setting(
              about =
                  "What the search vendor bills you for a search, its first 10 results included. The"
                      + " price of a call is never below its bill; with 0 for each of the three it"
                      + " is the listed one, whatever a call asks for. The profile `live` has the"
                      + " vendor's public rates.",
              value = "0")
          Usd search,
      @Setting(about = "What it bills for each result of a search beyond 10.", value = "0")
          Usd result,
      @Setting(about = "What it bills for each page of `contents` and `highlights`.", value = "0")
          Usd page) {

    private static final int INCLUDED = 10;

    /** The bill of a search for so many results. */
    public Usd ofResults(int results) {
      return search.plus(result.times(Math.max(0, results - INCLUDED)));
    }

    /** The bill of the texts, or of the passages, of so many pages. */
    public Usd ofPages(int pages) {
      return page.times(pages);
    }
  }

  /** Traces of calls by OpenTelemetry, {@code gateway.traces}. */
  public record TraceSettings(
      @Setting(
              about =
                  "Where spans are sent: an OTLP receiver over HTTP with its path, such as"
                      + " `http://127.0.0.1:4318/v1/traces`. Without it there are no traces.")
          Optional<URI> endpoint,
      @Setting(about = "Sent as `Authorization` to the receiver, such as `Bearer …`.")
          Secret authorization,
      @Setting(about = "How many of a hundred traces are kept.", value = "100") @Min(1) @Max(100)
          int percent,
      @Setting(about = "The service's name in the traces.", value = "octroi") @NotBlank
          String service) {}

  /** The vendors that answer the reads, {@code gateway.upstream}. */
  public record UpstreamsSettings(
      @Setting(about = "The crypto-data vendor.") VendorSettings cryptodata,
      @Setting(about = "The prediction-market vendor.") VendorSettings prediction,
      @Setting(
              about =
                  "The search vendor. Without its address, web search has nothing but the contents of"
                      + " pages, which the gateway then fetches itself.")
          VendorSettings websearch,
      @Setting(
              about =
                  "The vendor that looks phone numbers up; its credential is `account:secret`. Without"
                      + " its address nothing is looked up.")
          VendorSettings lookup,
      @Setting(
              about =
                  "The vendor that leases phone numbers and sends texts; its credential is"
                      + " `account:secret`. Without its address no numbers are leased.")
          VendorSettings phone,
      @Setting(
              about =
                  "The vendor that places calls. Without its address, or without numbers to call"
                      + " from, no calls are placed.")
          VendorSettings voice) {}

  /** What is sold as tools of the Model Context Protocol, {@code gateway.mcp}. */
  public record ToolSettings(
      @Setting(about = "Whether what is sold can be called as tools at `/mcp`.", value = "true")
          boolean enabled,
      @Setting(
              about =
                  "Where this gateway reaches itself, without the path of the application, such as"
                      + " `http://127.0.0.1:8080`. Without it, plain HTTP at the address and port"
                      + " that the call came in at; a container that takes TLS only needs it. It is the"
                      + " node's own, and no balancer's.")
          Optional<URI> selfAddress,
      @Setting(
              about =
                  "Origins of web pages that may call tools, comma-separated; pages of this machine,"
                      + " of `gateway.http.public-url` and of `gateway.http.hosts` may anyway, `*` is"
                      + " for any.")
          List<String> origins,
      @Setting(
              about =
                  "Calls of tools in flight on this node. Each holds two threads of the container.",
              value = "64")
          @Min(1)
          @Max(10_000)
          int callsAtOnce,
      @Setting(
              about =
                  "How long a tool waits for the job that its call became, telling of progress.",
              value = "2min")
          Duration jobWait,
      @Setting(about = "How often it asks for the job.", value = "2s") Duration jobPoll) {}

  /** How those who buy find out what is sold, {@code gateway.discovery}. */
  public record DiscoverySettings(
      @Setting(
              about =
                  "Whether `/.well-known/x402`, `/discovery/resources` and `/llms.txt` are served.",
              value = "true")
          boolean enabled,
      @Setting(
              about =
                  "What this service is called in listings and challenges: 1 to 32 printable ASCII"
                      + " characters.",
              value = "Octroi")
          @Pattern(regexp = "[ -~]{1,32}", message = "is 1 to 32 printable ASCII characters")
          String serviceName,
      @Setting(
              about =
                  "Whether the body of a challenge says how its resource is called (the `bazaar`"
                      + " extension), by which facilitators list it.",
              value = "true")
          boolean bazaar,
      @Setting(
              about =
                  "Signatures by which indexes of services know that the address and the recipient"
                      + " belong together, comma-separated, for `/.well-known/x402`.")
          List<String> ownershipProofs,
      @Setting(
              about =
                  "Whether an unpaid call of a browser, which asks for `text/html` first, is answered"
                      + " with a page: what it costs and how to pay.",
              value = "true")
          boolean paywall) {}

  /** Receipts of payments, {@code gateway.receipts}. */
  public record ReceiptSettings(
      @Setting(
              about =
                  "Signs receipts (the protocol's extension `offer-receipt`): 64 hex digits of a"
                      + " secp256k1 key of its own, not that of the address that is paid. Without it"
                      + " receipts go unsigned.")
          Secret signingKey,
      @Setting(
              about =
                  "Signs the offers of each challenge too, by the same key and extension. It costs a"
                      + " signature for each way to pay.",
              value = "false")
          boolean signOffers) {

    public ReceiptSettings {
      if (signOffers && signingKey.value().isEmpty()) {
        throw new IllegalArgumentException("sign-offers needs signing-key");
      }
      if (!signingKey.value().isEmpty()) {
        try {
          var unused = new ReceiptSigner(signingKey.value());
        } catch (IllegalArgumentException e) {
          throw new IllegalArgumentException("signing-key: " + e.getMessage(), e);
        }
      }
    }

    /** Signs offers; empty unless that is asked for. */
    public Optional<ReceiptSigner> offerSigner() {
      return signOffers ? signer() : Optional.empty();
    }

    /** Signs receipts; empty if no key is set. */
    public Optional<ReceiptSigner> signer() {
      return signingKey.value().isEmpty()
          ? Optional.empty()
          : Optional.of(new ReceiptSigner(signingKey.value()));
    }
  }

  /** Sandbox money, and the upstreams that cost nothing, {@code gateway.sandbox}. */
  public record SandboxSettings(
      @Setting(
              about =
                  "Where `octroi.jar sandbox` listens, such as `http://127.0.0.1:8403`: it is then"
                      + " the upstream of every group, unless a stronger setting names another.")
          Optional<URI> url,
      @Setting(about = "Dollars that a payer seen for the first time has.", value = "1000")
          Usd startingBalance,
      @Setting(
              about =
                  "Serves the sandbox's own upstreams for worthless money where other machines reach"
                      + " them: on an address that is not this machine's loopback, as in a container,"
                      + " or under a public one.",
              value = "false")
          boolean publicAddress,
      @Setting(
              about =
                  "Serves real upstreams, or a public address, for worthless money. Any caller can then"
                      + " spend your vendors' credit without paying.",
              value = "false")
          boolean allowLiveUpstreamsOrPublicAddressWithWorthlessMoney,
      @Setting(
              about =
                  "Origins of web pages of other machines that may use sandbox money on a loopback"
                      + " address, comma-separated, such as `https://shop.example`. Pages of this"
                      + " machine and of the gateway's own hosts may anyway. `*` lets every page on"
                      + " the web that a browser on this machine opens use it, under any host.")
          List<String> allowedOrigins) {

    public SandboxSettings {
      for (String origin : allowedOrigins) {
        if (!origin.matches("\\*|null|[a-z][a-z0-9+.-]*://[^/?#@\\s]+")) {
          throw new IllegalArgumentException(
              "allowed-origins are such as https://shop.example, without a path");
        }
      }
      if (url.isPresent() && !url.get().getPath().matches("/?")) {
        throw new IllegalArgumentException("url is an address without a path");
      }
    }
  }
}
