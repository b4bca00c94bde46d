package dev.octroi.reference.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What may see what, between the modules and inside the payments. */
final class ModuleRules {

  private static final String[] CONTAINERS = {
    "org.glassfish..",
    "org.eclipse.jetty..",
    "org.jboss..",
    "org.apache.catalina..",
    "org.apache.coyote..",
    "org.apache.tomcat..",
    "org.apache.cxf..",
    "org.apache.openejb..",
    "org.apache.tomee..",
    "org.apache.webbeans..",
    "org.springframework.."
  };

  /**
   * Each layer of the payments with those above it, which it may not see. The port {@code
   * facilitator} lies below what implements or serves it: a scheme's checks and the ledger both
   * speak of verifications and settlements.
   */
  private static final Map<String, List<String>> ABOVE =
      Map.of(
          "x402", List.of("facilitator", "evm", "solana", "ledger", "account", "flow", "client"),
          "facilitator", List.of("evm", "solana", "ledger", "account", "flow", "client"),
          "evm", List.of("solana", "ledger", "account", "flow", "client"),
          "solana", List.of("evm", "ledger", "account", "flow", "client"),
          "ledger", List.of("evm", "solana", "account", "flow", "client"),
          "account", List.of("facilitator", "netting", "flow"),
          "books", List.of("evm", "solana", "account", "flow", "client"),
          "reconcile", List.of("evm", "solana", "account", "flow", "client"),
          "netting", List.of("evm", "solana", "flow"),
          "client", List.of("facilitator", "ledger", "account", "flow"));

  /** The faces of the payments and what composes them: nothing below sees them. */
  private static final String[] FACES = {"payments.jaxrs", "payments.servlet", "payments.setup"};

  private ModuleRules() {}

  static List<NamedRule> of(House house) {
    List<NamedRule> rules = new ArrayList<>();
    rules.add(
        unseen(
            house, "payments", "services", "api", "testkit", "db", "sandbox", "reference", "war"));
    rules.add(
        unseen(
            house, "services", "payments", "api", "testkit", "db", "sandbox", "reference", "war"));
    rules.add(unseen(house, "api", "testkit", "db", "sandbox", "reference", "war"));
    rules.add(unseen(house, "testkit", "db", "sandbox", "reference", "war"));
    rules.add(
        unseen(
            house, "db", "payments", "services", "api", "testkit", "sandbox", "reference", "war"));
    rules.add(unseen(house, "sandbox", "payments", "testkit", "db", "reference", "war"));
    rules.add(servicesKnowNoServer(house));
    rules.add(onlyFacesKnowContainers(house));
    rules.add(nothingBelowSeesFaces(house));
    rules.add(noContainers(house));
    ABOVE.forEach((layer, above) -> rules.add(belowItsUsers(house, layer, above)));
    rules.add(
        NamedRule.of(
            "the root of payments sees nothing else of payments",
            noClasses()
                .that()
                .resideInAPackage(house.only("payments"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(house.only("payments") + ".(**)")));
    rules.add(
        NamedRule.of(
            "nothing of api sees its root",
            noClasses()
                .that()
                .resideInAPackage(house.only("api") + ".(**)")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(house.only("api"))));
    for (String module : List.of("payments", "services", "api", "sandbox", "reference")) {
      rules.add(
          NamedRule.of(
              "the packages of " + module + " are free of cycles, its root included",
              slices().assignedFrom(new PackageOf(house.only(module))).should().beFreeOfCycles()));
    }
    return rules;
  }

  private static NamedRule unseen(House house, String module, String... others) {
    return NamedRule.of(
        module + " never sees " + String.join(", ", others),
        noClasses()
            .that()
            .resideInAPackage(house.below(module))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(below(house, "", List.of(others))));
  }

  private static NamedRule servicesKnowNoServer(House house) {
    return NamedRule.of(
        "services know no HTTP server",
        noClasses()
            .that()
            .resideInAPackage(house.below("services"))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("jakarta.ws.rs..", "jakarta.servlet.."));
  }

  /** The root package holds the annotations, of which JAX-RS has to recognise one. */
  private static NamedRule onlyFacesKnowContainers(House house) {
    return NamedRule.of(
        "of the payments only the faces know JAX-RS or servlets",
        noClasses()
            .that()
            .resideInAPackage(house.below("payments"))
            .and()
            .resideOutsideOfPackages(house.below("payments.jaxrs"), house.below("payments.servlet"))
            .and()
            .haveNameNotMatching(".*\\.payments\\.Paid")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("jakarta.ws.rs..", "jakarta.servlet.."));
  }

  private static NamedRule nothingBelowSeesFaces(House house) {
    return NamedRule.of(
        "the flow of the payments sees none of its faces",
        noClasses()
            .that()
            .resideInAPackage(house.below("payments"))
            .and()
            .resideOutsideOfPackages(below(house, "", List.of(FACES)))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(below(house, "", List.of(FACES))));
  }

  private static NamedRule noContainers(House house) {
    return NamedRule.of(
        "libraries know no container",
        noClasses()
            .that()
            .resideInAnyPackage(house.libraries())
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(CONTAINERS));
  }

  private static NamedRule belowItsUsers(House house, String layer, List<String> above) {
    return NamedRule.of(
        "payments." + layer + " never sees " + String.join(", ", above),
        noClasses()
            .that()
            .resideInAPackage(house.below("payments." + layer))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(below(house, "payments.", above)));
  }

  private static String[] below(House house, String prefix, List<String> names) {
    return names.stream().map(name -> house.below(prefix + name)).toArray(String[]::new);
  }
}
