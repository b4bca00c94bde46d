package dev.octroi.reference.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;

/** A rule with the sentence that stands in the list of tests. */
record NamedRule(String sentence, ArchRule rule) {

  static NamedRule of(String sentence, ArchRule rule) {
    return new NamedRule(sentence, rule.as(sentence).allowEmptyShould(true));
  }

  void check(JavaClasses classes) {
    rule.check(classes);
  }

  @Override
  public String toString() {
    return sentence;
  }
}
