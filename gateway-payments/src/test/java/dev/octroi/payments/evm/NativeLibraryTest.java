package dev.octroi.payments.evm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.payments.evm.Signatures.Curve;
import dev.octroi.payments.evm.Signatures.KnownAnswers;
import dev.octroi.payments.evm.Signatures.NativeCurve;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeLibraryTest {

  private static final String OLDER = "octroi-secp256k1-older";

  @TempDir private Path place;

  @Test
  void nothingIsLeftOfALibraryThatWasLoaded() throws Exception {
    Curve curve = NativeCurve.load(place);

    assertThat(place).isEmptyDirectory();
    KnownAnswers.require(curve);
  }

  @Test
  void aPlaceThatIsNotThereIsAFailureOfTheLoading() {
    assertThatThrownBy(() -> NativeCurve.load(place.resolve("nowhere")))
        .isInstanceOf(IOException.class);
  }

  @Test
  void whatAKilledRunLeftBehindIsDeleted() throws Exception {
    Path older = left(OLDER, Duration.ofMinutes(10));

    NativeCurve.load(place);

    assertThat(older).doesNotExist();
  }

  @Test
  void whatAnotherProcessIsAboutToLoadIsLeftAlone() throws Exception {
    Path younger = left("octroi-secp256k1-younger", Duration.ofSeconds(10));

    NativeCurve.load(place);

    assertThat(younger).exists();
  }

  @Test
  void aLinkIsNotFollowed(@TempDir Path elsewhere) throws Exception {
    Path precious = elsewhere.resolve(System.mapLibraryName("secp256k1-jni"));
    Files.createFile(precious);
    Files.setLastModifiedTime(elsewhere, FileTime.from(Instant.EPOCH));
    Files.createSymbolicLink(place.resolve(OLDER), elsewhere);

    NativeCurve.load(place);

    assertThat(precious).exists();
  }

  /** As two applications in one server do, and one that is deployed anew. */
  @Test
  void eachClassLoaderLoadsTheLibrary() throws Exception {
    for (int deployment = 0; deployment < 3; deployment++) {
      try (URLClassLoader loader =
          new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
        Class<?> signatures = loader.loadClass(Signatures.class.getName());
        Method description = signatures.getMethod("description");
        Object fastest = signatures.getMethod("fastest").invoke(null);

        assertThat(description.invoke(fastest)).isEqualTo("native secp256k1");
      }
    }
  }

  private Path left(String name, Duration ago) throws IOException {
    Path folder = Files.createDirectory(place.resolve(name));
    Files.createFile(folder.resolve(System.mapLibraryName("secp256k1-jni")));
    Files.setLastModifiedTime(folder, FileTime.from(Instant.now().minus(ago)));
    return folder;
  }

  private static URL[] classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(Path::of)
        .map(NativeLibraryTest::url)
        .toArray(URL[]::new);
  }

  private static URL url(Path path) {
    try {
      return path.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new AssertionError(e);
    }
  }
}
