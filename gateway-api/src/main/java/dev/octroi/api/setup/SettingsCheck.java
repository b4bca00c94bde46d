package dev.octroi.api.setup;

import dev.octroi.api.group.ConfiguredGroups;
import dev.octroi.api.http.TrustedProxies.KnownAddresses;
import dev.octroi.api.price.PriceBook;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.api.settings.PaymentSettings;
import dev.octroi.api.settings.PaymentSettings.Mode;
import dev.octroi.api.settings.Words;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.EvmToken;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Whether settings do together, which none of them can say by itself. */
public final class SettingsCheck {

  private SettingsCheck() {}

  /** Everything that forbids the start, one sentence each; empty if nothing does. */
  public static List<String> problems(
      GatewaySettings settings, ConfiguredGroups groups, PriceBook prices) {
    List<String> problems = new ArrayList<>(SandboxSafety.problems(settings, groups.upstreams()));
    problems.addAll(groups.problems());
    checkWords(settings, groups, problems);
    problems.addAll(prices.problems());
    problems.addAll(FacilitatorAssembly.problems(settings));
    checkMasterKeys(settings, problems);
    checkKnown("http.trusted-proxies", settings.http().trustedProxies(), problems);
    checkKnown("metrics.readers", settings.metrics().readers(), problems);
    checkAddress("asset", settings.payments().asset(), problems);
    checkAddress("pay-to", settings.payments().payTo(), problems);
    checkTokens(settings.payments(), problems);
    checkNetwork(settings.payments(), problems);
    checkSignIn(settings, problems);
    return problems;
  }

  private static void checkKnown(String setting, List<String> blocks, List<String> problems) {
    try {
      var unused = new KnownAddresses(blocks);
    } catch (IllegalArgumentException e) {
      problems.add("gateway." + setting + ": " + e.getMessage());
    }
  }

  private static void checkMasterKeys(GatewaySettings settings, List<String> problems) {
    try {
      settings.keys().masterKeys();
    } catch (InvalidSettings e) {
      problems.addAll(e.problems());
    }
  }

  /** A typo in an address that is paid cannot be taken back; the checksum is there to find it. */
  private static void checkAddress(String setting, String address, List<String> problems) {
    try {
      EvmAddress.parseChecked(address);
    } catch (IllegalArgumentException e) {
      problems.add("gateway.payments." + setting + " is " + address + ": " + e.getMessage());
    }
  }

  /** Who changes the network only would ask for a contract that is not there. */
  private static void checkNetwork(PaymentSettings money, List<String> problems) {
    boolean elsewhere =
        money.mode() != Mode.SANDBOX
            && EvmToken.KNOWN.stream()
                .filter(token -> token.address().toString().equalsIgnoreCase(money.asset()))
                .anyMatch(token -> !token.network().equals(money.network()));
    if (elsewhere) {
      String token =
          EvmToken.KNOWN.stream()
              .filter(known -> known.network().equals(money.network()))
              .map(
                  known ->
                      "asset=%s, asset-name=%s and asset-version=%s"
                          .formatted(known.address(), known.name(), known.version()))
              .findFirst()
              .orElse("asset, asset-name and asset-version of a token there");
      problems.add(
          "gateway.payments.asset is a token of another network than gateway.payments.network, "
              + money.network()
              + ": set "
              + token);
    }
  }

  /** Who names the host by himself could have another site's visitors sign in here. */
  private static void checkSignIn(GatewaySettings settings, List<String> problems) {
    PaymentSettings money = settings.payments();
    if (money.signIn() && money.mode() != Mode.SANDBOX && settings.http().publicUrl().isEmpty()) {
      problems.add(
          "gateway.payments.sign-in is true and gateway.http.public-url is not set: wallets are"
              + " told where they sign in, and with real money callers must not choose the name");
    }
  }

  /** No token twice: by which method would it be paid? */
  private static void checkTokens(PaymentSettings money, List<String> problems) {
    Map<String, String> named = new HashMap<>();
    named.put(money.asset().toLowerCase(Locale.ROOT), "gateway.payments.asset");
    for (String word : money.tokens().words()) {
      String asset = money.tokens().of(word).asset();
      checkAddress("tokens." + word + ".asset", asset, problems);
      String setting = "gateway.payments.tokens." + word + ".asset";
      String before = named.putIfAbsent(asset.toLowerCase(Locale.ROOT), setting);
      if (before != null) {
        problems.add(setting + " is the token of " + before + " too");
      }
    }
  }

  /** Settings name groups by their words; which there are, the gateway knows and no setting. */
  private static void checkWords(
      GatewaySettings settings, ConfiguredGroups groups, List<String> problems) {
    List<String> words = groups.words();
    List<String> builtIn = groups.groups().words();
    settings.groups().stream()
        .filter(word -> !word.equals("*"))
        .forEach(word -> checkWord("groups", word, builtIn, problems));
    settings
        .limits()
        .requestsPerMinute()
        .keySet()
        .forEach(word -> checkWord("limits.requests-per-minute." + word, word, words, problems));
    settings
        .payments()
        .priceInBody()
        .forEach(word -> checkWord("payments.price-in-body", word, words, problems));
    settings
        .aliases()
        .forEach(
            (alias, word) -> {
              checkWord("aliases." + alias, word, builtIn, problems);
              if (builtIn.contains(alias)) {
                problems.add("gateway.aliases." + alias + " is a path of the gateway's own");
              }
            });
  }

  private static void checkWord(
      String setting, String word, List<String> words, List<String> problems) {
    if (!words.contains(word)) {
      problems.add(
          "gateway."
              + setting
              + ": "
              + word
              + " is no group; it is one of "
              + String.join(", ", words)
              + Words.closest(word, words).map(one -> ". Did you mean " + one + "?").orElse(""));
    }
  }
}
