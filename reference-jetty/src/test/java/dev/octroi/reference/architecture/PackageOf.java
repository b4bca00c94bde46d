package dev.octroi.reference.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;

/**
 * A slice for each package of a module, and one for the module's root, which patterns of packages
 * leave out.
 *
 * @param module the module's root package
 */
record PackageOf(String module) implements SliceAssignment {

  @Override
  public SliceIdentifier getIdentifierOf(JavaClass type) {
    String name = type.getPackageName();
    if (name.equals(module)) {
      return SliceIdentifier.of("the root");
    }
    return name.startsWith(module + ".")
        ? SliceIdentifier.of(name.substring(module.length() + 1).split("[.]", 2)[0])
        : SliceIdentifier.ignore();
  }

  @Override
  public String getDescription() {
    return "packages of " + module + " and its root";
  }
}
