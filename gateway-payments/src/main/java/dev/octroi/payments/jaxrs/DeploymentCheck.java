package dev.octroi.payments.jaxrs;

import dev.octroi.payments.jaxrs.PaidMethods.MethodTerms;
import dev.octroi.payments.jaxrs.PriceTable.AnnotatedPlaces;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds what is wrong with the prices of a resource class, all of it at once.
 *
 * @param strict whether a method that is neither paid nor free is wrong: nothing is free by
 *     omission
 */
record DeploymentCheck(PriceTable prices, boolean strict) {

  /** Containers add resources of their own (a WADL, say), which the host cannot annotate. */
  private static final List<String> CONTAINERS =
      List.of("org.glassfish.jersey.", "org.jboss.resteasy.", "org.apache.cxf.");

  private static final Set<String> CONTAINERS_RESPONSES =
      Set.of("jakarta.servlet.ServletResponse", "jakarta.servlet.http.HttpServletResponse");

  List<String> problems(Class<?> resource) {
    if (CONTAINERS.stream().anyMatch(resource.getName()::startsWith)) {
      return List.of();
    }
    return methods(resource).flatMap(method -> problem(resource, method).stream()).toList();
  }

  private Optional<String> problem(Class<?> resource, Method method) {
    String name = resource.getSimpleName() + "." + method.getName();
    if (isLocator(resource, method)) {
      return locatorProblem(name, method.getReturnType());
    }
    if (!isResourceMethod(resource, method)) {
      return Optional.empty();
    }
    MethodTerms terms = prices.terms(resource, method);
    if (terms instanceof MethodTerms.Wrong wrong) {
      return Optional.of(wrong.problem());
    }
    if (terms instanceof MethodTerms.Priced && takesContainersResponse(method)) {
      return Optional.of(
          name
              + " is @Paid and takes the container's response: what it writes there leaves unpaid."
              + " Return the answer");
    }
    return strict && terms instanceof MethodTerms.Undeclared
        ? Optional.of(name + " is neither @Paid nor @Free: nothing is free by omission")
        : Optional.empty();
  }

  /** Not every container asks dynamic features about what a locator returns. */
  private Optional<String> locatorProblem(String name, Class<?> target) {
    Set<Class<?>> seen = new LinkedHashSet<>();
    if (leadsToPaid(target, seen)) {
      return Optional.of(
          name
              + " is a sub-resource locator that leads to @Paid methods: make them methods of a"
              + " root resource");
    }
    boolean unknown = methods(target).noneMatch(method -> isResourceMethod(target, method));
    return strict && unknown
        ? Optional.of(
            name
                + " is a sub-resource locator whose return type "
                + target.getSimpleName()
                + " does not say what it leads to")
        : Optional.empty();
  }

  private boolean leadsToPaid(Class<?> target, Set<Class<?>> seen) {
    return seen.add(target)
        && methods(target)
            .anyMatch(
                method ->
                    isLocator(target, method)
                        ? leadsToPaid(method.getReturnType(), seen)
                        : isResourceMethod(target, method) && isPriced(target, method));
  }

  /** By name: payments work without servlets. */
  private static boolean takesContainersResponse(Method method) {
    return Stream.of(method.getParameterTypes())
        .map(Class::getName)
        .anyMatch(CONTAINERS_RESPONSES::contains);
  }

  private boolean isPriced(Class<?> target, Method method) {
    MethodTerms terms = prices.terms(target, method);
    return terms instanceof MethodTerms.Priced || terms instanceof MethodTerms.Wrong;
  }

  private static Stream<Method> methods(Class<?> resource) {
    return Stream.of(resource.getMethods())
        .filter(method -> method.getDeclaringClass() != Object.class && !method.isBridge())
        .sorted(Comparator.comparing(Method::toString));
  }

  private static boolean isLocator(Class<?> resource, Method method) {
    return !isResourceMethod(resource, method)
        && AnnotatedPlaces.ofMethod(resource, method)
            .anyMatch(place -> place.isAnnotationPresent(Path.class));
  }

  private static boolean isResourceMethod(Class<?> resource, Method method) {
    return AnnotatedPlaces.ofMethod(resource, method)
        .map(AnnotatedElement::getAnnotations)
        .flatMap(Stream::of)
        .map(Annotation::annotationType)
        .anyMatch(type -> type.isAnnotationPresent(HttpMethod.class));
  }
}
