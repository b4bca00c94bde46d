package dev.octroi.api;

import dev.octroi.api.group.Group;
import dev.octroi.api.http.KnownAddresses;
import dev.octroi.api.price.PriceBook;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.payments.evm.EvmAddress;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/** Whether settings do together, which none of them can say by itself. */
final class SettingsCheck {

  private SettingsCheck() {}

  /** Everything that forbids the start, one sentence each; empty if nothing does. */
  static List<String> problems(GatewaySettings settings, PriceBook prices, Clock clock) {
    List<String> problems = new ArrayList<>(SandboxSafety.problems(settings));
    if (settings.upstream().cryptodata().baseAddress().isEmpty()) {
      problems.add(missing(Group.CRYPTODATA));
    }
    if (settings.upstream().prediction().baseAddress().isEmpty()) {
      problems.add(missing(Group.PREDICTION));
    }
    problems.addAll(prices.problems());
    problems.addAll(LanguageAssembly.problems(settings, clock));
    problems.addAll(ImageAssembly.problems(settings.images()));
    problems.addAll(MusicAssembly.problems(settings.music()));
    problems.addAll(FacilitatorAssembly.problems(settings));
    problems.addAll(PhoneAssembly.problems(settings));
    checkMasterKeys(settings, problems);
    checkReaders(settings.metrics().readers(), problems);
    checkAddress("asset", settings.payments().asset(), problems);
    checkAddress("pay-to", settings.payments().payTo(), problems);
    return problems;
  }

  private static void checkReaders(List<String> readers, List<String> problems) {
    try {
      var unused = new KnownAddresses(readers);
    } catch (IllegalArgumentException e) {
      problems.add("gateway.metrics.readers: " + e.getMessage());
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

  private static String missing(Group group) {
    return "gateway.upstream."
        + group.word()
        + ".base-address is not set; gateway.profile=live has the vendor's, gateway.sandbox.url the"
        + " sandbox's";
  }
}
