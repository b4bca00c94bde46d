package dev.octroi.reference.process;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KilledCallsOnH2IT extends KilledCalls {

  @Override
  BuiltJar on(Path folder, BuiltJar jar) {
    return jar;
  }

  @Override
  LedgerTables tables(Path folder) throws Exception {
    return LedgerTables.ofFile(folder, folder.resolve("copies"));
  }

  @ParameterizedTest
  @EnumSource
  @Tag("spec:money.3")
  @Tag("spec:money.5")
  @Tag("spec:money.durable")
  @Tag("slow")
  void aReadKilledAtAnyPointIsUnchargedOrStillToBeHad(KillPoint point) throws Exception {
    killReadAt(point);
  }

  @ParameterizedTest
  @EnumSource
  @Tag("spec:money.3")
  @Tag("spec:money.5")
  @Tag("spec:money.durable")
  @Tag("slow")
  void aQueryKilledAtAnyPointIsUnchargedOrStillToBeHad(KillPoint point) throws Exception {
    killQueryAt(point);
  }
}
