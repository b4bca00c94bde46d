package dev.octroi.reference.architecture;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaMethod;
import dev.octroi.payments.Free;
import dev.octroi.payments.Paid;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.container.DynamicFeature;
import jakarta.ws.rs.core.Feature;
import java.util.List;

/**
 * What keeps the libraries neutral towards containers, and nothing free by omission (architecture,
 * rules found on Jersey, RESTEasy and CXF).
 */
final class LibraryRules {

  private LibraryRules() {}

  static List<NamedRule> of(House house) {
    return List.of(
        noInjection(house),
        noFieldInjection(house),
        noInitializer(house),
        oneConstructor(house),
        paidOrFree(house),
        featuresRegisterProvidersOnly(house),
        filterOrFeature(house),
        oneParser(house));
  }

  private static NamedRule noInjection(House house) {
    return NamedRule.of(
        "libraries have no @Inject and no CDI scope",
        noClasses()
            .that()
            .resideInAnyPackage(house.libraries())
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("jakarta.inject..", "jakarta.enterprise..", "jakarta.ejb.."));
  }

  /** A filter is the exception: what belongs to its request is given to its fields alone. */
  private static NamedRule noFieldInjection(House house) {
    return NamedRule.of(
        "libraries have no injected fields",
        noFields()
            .that()
            .areDeclaredInClassesThat()
            .resideInAnyPackage(house.libraries())
            .and()
            .areDeclaredInClassesThat()
            .areNotAssignableTo(ContainerRequestFilter.class)
            .and()
            .areDeclaredInClassesThat()
            .areNotAssignableTo(ContainerResponseFilter.class)
            .should()
            .beAnnotatedWith("jakarta.ws.rs.core.Context")
            .orShould()
            .beAnnotatedWith("jakarta.annotation.Resource")
            .orShould()
            .beAnnotatedWith("jakarta.inject.Inject"));
  }

  private static NamedRule noInitializer(House house) {
    return NamedRule.of(
        "adding a library's jar opens no shop",
        noClasses()
            .that()
            .resideInAnyPackage(house.libraries())
            .should()
            .beAssignableTo("jakarta.servlet.ServletContainerInitializer"));
  }

  private static NamedRule oneConstructor(House house) {
    return NamedRule.of(
        "a resource is made with (@Context Providers) and in no other way",
        classes()
            .that()
            .resideInAnyPackage(house.libraries())
            .and()
            .areAnnotatedWith(Path.class)
            .and()
            .areNotInterfaces()
            .should(new OnePublicConstructor()));
  }

  private static NamedRule paidOrFree(House house) {
    return NamedRule.of(
        "a resource method is @Paid or @Free",
        methods()
            .that()
            .areDeclaredInClassesThat()
            .resideInAnyPackage(house.libraries())
            .and(
                DescribedPredicate.describe(
                    "serve HTTP",
                    (JavaMethod method) -> method.isMetaAnnotatedWith(HttpMethod.class)))
            .should()
            .beAnnotatedWith(Paid.class)
            .orShould()
            .beAnnotatedWith(Free.class)
            .orShould()
            .beDeclaredInClassesThat()
            .areAnnotatedWith(Paid.class)
            .orShould()
            .beDeclaredInClassesThat()
            .areAnnotatedWith(Free.class));
  }

  /** To parse a statement costs more than to run it. */
  private static NamedRule oneParser(House house) {
    return NamedRule.of(
        "statements with names are parsed once in a process, by NamedStatements",
        noClasses()
            .that()
            .resideInAnyPackage(house.libraries())
            .and()
            .doNotHaveSimpleName("NamedStatements")
            .should()
            .callMethodWhere(
                target(owner(name("org.jdbi.v3.core.Jdbi"))).and(target(name("create")))));
  }

  /** Resources registered inside a feature are 404 on RESTEasy and CXF. */
  private static NamedRule featuresRegisterProvidersOnly(House house) {
    return NamedRule.of(
        "resources are handed over by the application, not by a feature",
        noClasses()
            .that()
            .resideInAnyPackage(house.libraries())
            .and()
            .areAssignableTo(Feature.class)
            .should()
            .dependOnClassesThat()
            .areAnnotatedWith(Path.class));
  }

  private static NamedRule filterOrFeature(House house) {
    return NamedRule.of(
        "a class is a dynamic feature or a filter, never both",
        noClasses()
            .that()
            .resideInAnyPackage(house.libraries())
            .and()
            .areAssignableTo(DynamicFeature.class)
            .should()
            .beAssignableTo(ContainerRequestFilter.class)
            .orShould()
            .beAssignableTo(ContainerResponseFilter.class));
  }
}
