package dev.octroi.reference.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

/**
 * The packages of a house below its root.
 *
 * @param root the root package, {@code dev.octroi} for the real one
 */
record House(String root) {

  static final House OURS = new House("dev.octroi");
  static final House BROKEN = new House("dev.octroi.reference.architecture.broken");

  /** A module or package with everything below it. */
  String below(String name) {
    return root + "." + name + "..";
  }

  /** A package alone. */
  String only(String name) {
    return root + "." + name;
  }

  /** What other people put into their own applications. */
  String[] libraries() {
    return new String[] {below("payments"), below("services"), below("api")};
  }

  JavaClasses mainClasses() {
    return new ClassFileImporter()
        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
        .withImportOption(location -> !location.contains("testchain"))
        .importPackages(root);
  }

  JavaClasses allClasses() {
    return new ClassFileImporter().importPackages(root);
  }
}
