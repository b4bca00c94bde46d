package dev.octroi.war;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.runtime.ObjectMethods;
import java.util.List;

/**
 * What the JDK remembers of the last record whose methods it made: its own method handles that
 * compare and hash the parts of records keep the last types they were adapted to, up to JDK 17, and
 * a type keeps its class loader.
 */
final class LastTypes {

  private static final List<String> METHODS = List.of("equals", "hashCode");

  private LastTypes() {}

  /** Has it remember a class of its own in place of the web application's. */
  static void forget() {
    try {
      MethodHandle part =
          MethodHandles.publicLookup()
              .findVirtual(String.class, "strip", MethodType.methodType(String.class));
      for (String method : METHODS) {
        var unused =
            ObjectMethods.bootstrap(
                MethodHandles.lookup(), method, MethodHandle.class, String.class, "part", part);
      }
    } catch (Throwable e) {
      throw new IllegalStateException("the JDK makes no methods of records", e);
    }
  }
}
