package dev.octroi.payments.evm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;

/** An embedder who leaves the optional library out gets pure Java, not an error. */
class WithoutNativeLibraryTest {

  @Test
  void signaturesFallBackToJava() throws Exception {
    Class<?> signatures = new Hiding().loadClass(Signatures.class.getName());

    Object fastest = signatures.getMethod("fastest").invoke(null);

    assertThat(signatures).isNotSameAs(Signatures.class);
    assertThat(signatures.getMethod("description").invoke(fastest))
        .isEqualTo("pure Java secp256k1");
  }

  /** Defines this package's classes anew and has no native binding. */
  private static final class Hiding extends ClassLoader {

    Hiding() {
      super(Signatures.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.startsWith("fr.acinq.")) {
        throw new ClassNotFoundException(name);
      }
      if (!name.startsWith("dev.octroi.payments.evm.")) {
        return super.loadClass(name, resolve);
      }
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
        if (in == null) {
          throw new ClassNotFoundException(name);
        }
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }
}
