package dev.octroi.api.settings;

import dev.octroi.payments.Usd;
import dev.octroi.services.language.catalogue.CatalogueFile;
import dev.octroi.services.language.catalogue.Model;
import dev.octroi.services.language.catalogue.ModelCatalogue;
import dev.octroi.services.language.relay.LanguageModels.LanguageSettings;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Language models, {@code gateway.language}. */
public record ModelSettings(
    @Setting(
            about =
                "A file with the models that are sold, of the form that gateway-services/docs/catalogue.md"
                    + " documents; the built-in catalogue where it is not set.")
        Optional<Path> catalogue,
    @Setting(
            about =
                "The base address of an upstream, by the name that the catalogue gives it. Models of"
                    + " upstreams without an address are not served.")
        Map<String, URI> upstreams,
    @Setting(about = "The key that an upstream's vendor gave you, by the same name.")
        Map<String, Secret> credentials,
    @Setting(
            about =
                "Most tokens of an answer whose caller sets no limit; it is quoted, and asked for.",
            value = "4096")
        @Min(1)
        @Max(1_000_000)
        int defaultOutput,
    @Setting(about = "Whether `auto` alone is `auto/best`; otherwise it is 400.", value = "false")
        boolean bareAuto,
    @Setting(
            about =
                "What a call costs beside its tokens for each member that asks for a feature of the"
                    + " vendor's, such as `web_search` or `file_id`; cover all that the vendor may bill for it."
                    + " Times `max_uses` (`web_search`, `web_fetch`, `advisor` of messages) or `max_tool_calls`"
                    + " (tools of responses), without which such a call is 400."
                    + " Features without a price here are 400.")
        Map<String, Usd> features,
    @Setting(
            about =
                "Unfinished features of the messages protocol (`anthropic-beta`) that callers may turn on,"
                    + " comma-separated; others are 400. Those listed change nothing that a vendor bills.",
            value =
                "structured-outputs-2025-11-13,structured-outputs-2025-12-15,"
                    + "interleaved-thinking-2025-05-14,fine-grained-tool-streaming-2025-05-14,"
                    + "token-efficient-tools-2025-02-19,advanced-tool-use-2025-11-20,"
                    + "prompt-caching-2024-07-31,extended-cache-ttl-2025-04-11,pdfs-2024-09-25,"
                    + "token-counting-2024-11-01,effort-2025-11-24,"
                    + "mid-conversation-system-2026-04-07,thinking-display-updates-2026-08-18")
        List<String> betas,
    @Setting(about = "How long an upstream may take to begin a streamed answer.", value = "60s")
        Duration firstByte,
    @Setting(about = "How long an upstream may be silent within a stream.", value = "60s")
        Duration idle,
    @Setting(about = "How often a silent stream gets a sign of life.", value = "15s")
        Duration pulse,
    @Setting(about = "How long a call may take, if its payment lives that long.", value = "280s")
        Duration deadline,
    @Setting(about = "Connections to an upstream at most.", value = "1024") @Min(1) @Max(65_536)
        int connections,
    @Setting(about = "The largest body of a call.", value = "32MiB") DataSize body,
    @Setting(about = "The largest answer that is no stream.", value = "8MiB") DataSize answer) {

  public ModelSettings {
    if (pulse.toMillis() < 100) {
      throw new IllegalArgumentException("pulse is at least 100ms");
    }
  }

  /**
   * The models that are sold.
   *
   * @throws dev.octroi.services.language.catalogue.CatalogueFile.InvalidCatalogue if the file
   *     cannot be used
   */
  public ModelCatalogue models(Clock clock) {
    return catalogue
        .map(file -> CatalogueFile.read(file, clock))
        .orElseGet(() -> CatalogueFile.standard(clock));
  }

  /** What each upstream of the models speaks, by the name that the catalogue gives it. */
  public Map<String, String> protocols(Clock clock) {
    Map<String, String> words = new TreeMap<>();
    models(clock).live().stream()
        .map(Model::source)
        .forEach(from -> words.put(from.upstream(), Words.ofConstant(from.protocol())));
    return words;
  }

  /** The same for those who ask the models. */
  public LanguageSettings relay() {
    return new LanguageSettings(
        defaultOutput,
        firstByte,
        idle,
        pulse,
        (int) answer.bytes(),
        bareAuto,
        Set.copyOf(betas),
        features.entrySet().stream()
            .collect(
                Collectors.toUnmodifiableMap(Map.Entry::getKey, each -> each.getValue().micros())));
  }
}
