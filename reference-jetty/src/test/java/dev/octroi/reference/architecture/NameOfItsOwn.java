package dev.octroi.reference.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** That no other class under test has the same simple name. */
final class NameOfItsOwn extends ArchCondition<JavaClass> {

  private Map<String, List<JavaClass>> named = Map.of();

  NameOfItsOwn() {
    super("have a simple name of their own");
  }

  @Override
  public void init(Collection<JavaClass> types) {
    named = types.stream().collect(Collectors.groupingBy(JavaClass::getSimpleName));
  }

  @Override
  public void check(JavaClass type, ConditionEvents events) {
    List<JavaClass> same = named.getOrDefault(type.getSimpleName(), List.of());
    if (same.size() > 1) {
      events.add(
          SimpleConditionEvent.violated(
              type, type.getName() + " is one of " + same.size() + " types of this name"));
    }
  }
}
