package dev.octroi.reference.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class HouseTest {

  private static final JavaClasses OURS = House.OURS.mainClasses();
  private static final JavaClasses BROKEN = House.BROKEN.allClasses();

  @ParameterizedTest
  @MethodSource("ours")
  void theHouseKeepsItsRules(NamedRule rule) {
    rule.check(OURS);
  }

  /** A rule over classes that were never found would hold for ever. */
  @ParameterizedTest
  @ValueSource(strings = {"payments", "services", "api", "db", "sandbox", "reference"})
  void everyModuleIsLookedAt(String module) {
    assertThat(OURS.stream().map(type -> type.getPackageName()))
        .anyMatch(name -> name.startsWith(House.OURS.only(module)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "payments never sees services, api, testkit, db, sandbox, reference, war",
        "services know no HTTP server",
        "of the payments only the faces know JAX-RS or servlets",
        "payments.x402 never sees facilitator, evm, solana, ledger, account, flow, client",
        "the packages of payments are free of cycles, its root included",
        "the root of payments sees nothing else of payments",
        "the packages of api are free of cycles, its root included",
        "nothing of api sees its root",
        "libraries have no injected fields",
        "a resource is made with (@Context Providers) and in no other way",
        "a resource method is @Paid or @Free",
        "no name ends in Impl, Manager, Helper, Util or Base",
        "no class is a Desk, Room, Till, Works, Workshop, Chore, Courier or Tidings",
        "no simple name is that of two public types",
        "only the command line writes to standard streams",
        "time is java.time",
        "payments hold no floating point",
        "payments take and give no floating point",
        "no code sleeps",
        "no code logs past SLF4J",
        "records have no setters",
        "libraries have no static mutable state"
      })
  void aBrokenHouseFails(String sentence) {
    NamedRule rule =
        rules(House.BROKEN)
            .filter(each -> each.sentence().equals(sentence))
            .findFirst()
            .orElseThrow();
    assertThatThrownBy(() -> rule.check(BROKEN))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining(House.BROKEN.root());
  }

  static Stream<NamedRule> ours() {
    return rules(House.OURS);
  }

  private static Stream<NamedRule> rules(House house) {
    return Stream.of(ModuleRules.of(house), LibraryRules.of(house), StyleRules.of(house))
        .flatMap(List::stream);
  }
}
