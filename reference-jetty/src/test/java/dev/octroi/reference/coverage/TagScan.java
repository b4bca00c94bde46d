package dev.octroi.reference.coverage;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import dev.octroi.reference.architecture.Sources;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * Finds the tags {@code spec:…} in the sources of all modules' tests and of the test kit: their
 * classes are on no class path together.
 */
final class TagScan {

  private static final String PREFIX = "spec:";

  private TagScan() {}

  static List<Evidence> of(Sources sources) throws IOException {
    List<Path> tests =
        Stream.concat(
                sources.files("src/test/java").stream(),
                sources.files("src/main/java").stream()
                    .filter(file -> sources.name(file).startsWith("gateway-api/testkit/")))
            .filter(file -> file.toString().endsWith(".java"))
            .toList();
    List<Evidence> found = new ArrayList<>();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      JavacTask parser =
          (JavacTask)
              compiler.getTask(
                  null, files, null, null, null, files.getJavaFileObjectsFromPaths(tests));
      for (CompilationUnitTree unit : parser.parse()) {
        String name = sources.name(Path.of(unit.getSourceFile().toUri()));
        unit.accept(new Tags(name, found), "");
      }
    }
    return found;
  }

  /** Walks one file; the title of what is being walked goes down as the argument. */
  private static final class Tags extends TreeScanner<@Nullable Void, String> {

    private final String file;
    private final List<Evidence> found;

    private Tags(String file, List<Evidence> found) {
      this.file = file;
      this.found = found;
    }

    @Override
    public @Nullable Void visitClass(ClassTree type, String outer) {
      String name = type.getSimpleName().toString();
      return super.visitClass(type, outer.isEmpty() ? name : outer + "." + name);
    }

    @Override
    public @Nullable Void visitMethod(MethodTree method, String type) {
      return super.visitMethod(method, type + "." + method.getName());
    }

    @Override
    public @Nullable Void visitAnnotation(AnnotationTree annotation, String title) {
      if (annotation.getAnnotationType().toString().matches("(.*\\.)?Tag")) {
        annotation.accept(new Literals(tag -> found.add(new Evidence(tag, title, file))), null);
      }
      return super.visitAnnotation(annotation, title);
    }
  }

  private static final class Literals extends TreeScanner<@Nullable Void, @Nullable Void> {

    private final Consumer<String> tags;

    private Literals(Consumer<String> tags) {
      this.tags = tags;
    }

    @Override
    public @Nullable Void visitLiteral(LiteralTree literal, @Nullable Void nothing) {
      if (literal.getValue() instanceof String text && text.startsWith(PREFIX)) {
        tags.accept(text.substring(PREFIX.length()));
      }
      return null;
    }
  }
}
