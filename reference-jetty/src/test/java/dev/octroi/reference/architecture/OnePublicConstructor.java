package dev.octroi.reference.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.ext.Providers;
import java.util.List;

/**
 * One public constructor with {@code (@Context Providers)}, the only one all implementations call.
 */
final class OnePublicConstructor extends ArchCondition<JavaClass> {

  OnePublicConstructor() {
    super("have one public constructor with (@Context Providers)");
  }

  @Override
  public void check(JavaClass resource, ConditionEvents events) {
    List<JavaConstructor> open =
        resource.getConstructors().stream()
            .filter(constructor -> constructor.getModifiers().contains(JavaModifier.PUBLIC))
            .toList();
    if (open.size() != 1 || !takesProviders(open.get(0))) {
      events.add(
          SimpleConditionEvent.violated(
              resource, resource.getName() + " has the public constructors " + open));
    }
  }

  private static boolean takesProviders(JavaConstructor constructor) {
    return constructor.getRawParameterTypes().size() == 1
        && constructor.getRawParameterTypes().get(0).isEquivalentTo(Providers.class)
        && constructor.getParameters().get(0).isAnnotatedWith(Context.class);
  }
}
