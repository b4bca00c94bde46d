package dev.octroi.reference.doctor;

import dev.octroi.payments.evm.Signatures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Looks at what the machine gives: a native library that can be loaded, a temporary folder. */
final class MachineCheck {

  private static final String SIGNATURES = "signatures";
  private static final String TEMPORARY = "temporary folder";

  private MachineCheck() {}

  static List<Finding> look() {
    return List.of(signatures(Signatures.fastest()), temporary());
  }

  private static Finding signatures(Signatures found) {
    return found
        .setback()
        .map(
            why ->
                Finding.warning(
                    SIGNATURES,
                    found.description() + ", at a quarter of the native library's speed: " + why,
                    "Name a folder that is writable and not mounted noexec in the variable "
                        + Signatures.FOLDER
                        + "."))
        .orElseGet(() -> Finding.good(SIGNATURES, found.description()));
  }

  private static Finding temporary() {
    String folder = System.getProperty("java.io.tmpdir");
    try {
      Files.delete(Files.createTempFile(Path.of(folder), "octroi-doctor", null));
      return Finding.good(TEMPORARY, folder);
    } catch (IOException e) {
      return Finding.warning(
          TEMPORARY,
          folder + " cannot be written: calls with bodies above 64 KiB get 503",
          "Name another one to the virtual machine: -Djava.io.tmpdir=FOLDER.");
    }
  }
}
