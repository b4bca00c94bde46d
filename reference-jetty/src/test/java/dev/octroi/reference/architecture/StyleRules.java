package dev.octroi.reference.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noCodeUnits;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.lang.ArchCondition;
import java.util.Calendar;
import java.util.Date;
import java.util.List;
import javax.sql.DataSource;

/** What code of the house does not do. */
final class StyleRules {

  private static final DescribedPredicate<JavaClass> INEXACT =
      belongToAnyOf(double.class, float.class, Double.class, Float.class);

  private StyleRules() {}

  static List<NamedRule> of(House house) {
    return List.of(
        namesSayWhatAClassIs(house),
        namesAreNoMetaphors(house),
        oneNameForOneThing(house),
        noStandardStreams(house),
        noOldDates(house),
        moneyFieldsAreExact(house),
        moneyMethodsAreExact(house),
        NamedRule.of(
            "no code sleeps", noClasses().should().callMethod(Thread.class, "sleep", long.class)),
        oneLog(house),
        recordsStay(),
        noStaticState(house));
  }

  private static NamedRule namesSayWhatAClassIs(House house) {
    return NamedRule.of(
        "no name ends in Impl, Manager, Helper, Util or Base",
        noClasses()
            .that()
            .resideInAPackage(house.root() + "..")
            .should()
            .haveNameMatching(".*(Impl|Manager|Helper|Utils?|[a-z]Base)"));
  }

  private static NamedRule namesAreNoMetaphors(House house) {
    return NamedRule.of(
        "no class is a Desk, Room, Till, Works, Workshop, Chore, Courier or Tidings",
        noClasses()
            .that()
            .resideInAPackage(house.root() + "..")
            .should()
            .haveNameMatching(
                ".*(?<=[.$a-z0-9])(Desk|Room|Till|Works|Workshop|Chore|Courier|Tidings)s?"
                    + "([A-Z0-9$].*)?"));
  }

  /** The sandbox plays the vendors, kits and examples the hosts: they have names of their own. */
  private static NamedRule oneNameForOneThing(House house) {
    return NamedRule.of(
        "no simple name is that of two public types",
        classes()
            .that()
            .resideInAPackage(house.root() + "..")
            .and()
            .resideOutsideOfPackages(
                house.below("sandbox"),
                house.below("testkit"),
                house.below("junit"),
                house.below("examples"))
            .and()
            .areTopLevelClasses()
            .and()
            .arePublic()
            .should(new NameOfItsOwn()));
  }

  private static NamedRule noStandardStreams(House house) {
    return NamedRule.of(
        "only the command line writes to standard streams",
        noClasses()
            .that()
            .resideOutsideOfPackage(house.below("reference.cli"))
            .should(ACCESS_STANDARD_STREAMS));
  }

  private static NamedRule noOldDates(House house) {
    return NamedRule.of(
        "time is java.time",
        noClasses()
            .that()
            .resideInAPackage(house.root() + "..")
            .should()
            .dependOnClassesThat()
            .belongToAnyOf(Date.class, Calendar.class));
  }

  private static NamedRule moneyFieldsAreExact(House house) {
    return NamedRule.of(
        "payments hold no floating point",
        noFields()
            .that()
            .areDeclaredInClassesThat()
            .resideInAPackage(house.below("payments"))
            .should()
            .haveRawType(INEXACT));
  }

  private static NamedRule moneyMethodsAreExact(House house) {
    DescribedPredicate<JavaCodeUnit> takesOrGives =
        DescribedPredicate.describe(
            "take or give floating point",
            unit ->
                INEXACT.test(unit.getRawReturnType())
                    || unit.getRawParameterTypes().stream().anyMatch(INEXACT));
    return NamedRule.of(
        "payments take and give no floating point",
        noCodeUnits()
            .that()
            .areDeclaredInClassesThat()
            .resideInAPackage(house.below("payments"))
            .should(ArchCondition.from(takesOrGives)));
  }

  private static NamedRule oneLog(House house) {
    return NamedRule.of(
        "no code logs past SLF4J",
        noClasses()
            .that()
            .resideInAPackage(house.root() + "..")
            .and()
            .areNotAssignableTo(DataSource.class) // whose interface names the other logger
            .should()
            .dependOnClassesThat()
            .resideInAPackage("java.util.logging.."));
  }

  private static NamedRule recordsStay() {
    return NamedRule.of(
        "records have no setters",
        noMethods()
            .that()
            .areDeclaredInClassesThat()
            .areAssignableTo(Record.class)
            .should()
            .haveNameMatching("set[A-Z].*"));
  }

  private static NamedRule noStaticState(House house) {
    return NamedRule.of(
        "libraries have no static mutable state",
        fields()
            .that()
            .areDeclaredInClassesThat()
            .resideInAnyPackage(house.libraries())
            .and()
            .areStatic()
            .should()
            .beFinal());
  }
}
