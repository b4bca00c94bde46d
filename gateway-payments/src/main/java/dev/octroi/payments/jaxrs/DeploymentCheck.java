package dev.octroi.payments.jaxrs;

import dev.octroi.payments.jaxrs.PaidMethods.MethodTerms;
import dev.octroi.payments.jaxrs.PriceTable.AnnotatedPlaces;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
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

  /** By name: payments work without servlets. */
  private static final Set<String> CONTAINERS_RESPONSES =
      Set.of(
          "jakarta.servlet.ServletResponse",
          "jakarta.servlet.http.HttpServletResponse",
          "jakarta.ws.rs.sse.SseEventSink");

  private static final Set<String> INJECTED =
      Set.of("jakarta.ws.rs.core.Context", "jakarta.inject.Inject");

  private static final String RETURN = " Return the answer";

  List<String> problems(Class<?> resource) {
    if (CONTAINERS.stream().anyMatch(resource.getName()::startsWith)) {
      return List.of();
    }
    return Stream.concat(
            methods(resource).flatMap(method -> problem(resource, method).stream()),
            injectedProblems(resource))
        .toList();
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
              + RETURN);
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

  /** Where a class with paid methods is given the container's response beside their parameters. */
  private Stream<String> injectedProblems(Class<?> resource) {
    boolean sells =
        methods(resource)
            .filter(method -> isResourceMethod(resource, method))
            .anyMatch(method -> prices.terms(resource, method) instanceof MethodTerms.Priced);
    return sells
        ? injectedResponses(resource)
            .map(
                place ->
                    place
                        + " is given the container's response, and "
                        + resource.getSimpleName()
                        + " has @Paid methods: what they write there leaves unpaid."
                        + RETURN)
        : Stream.empty();
  }

  /** The fields, setters and constructors of a class that the container's response comes by. */
  private static Stream<String> injectedResponses(Class<?> type) {
    Stream<String> members =
        Stream.<Class<?>>iterate(type, Objects::nonNull, Class::getSuperclass)
            .flatMap(
                part ->
                    Stream.concat(
                        Stream.of(part.getDeclaredFields())
                            .filter(field -> holdsResponse(field.getGenericType()))
                            .map(Field::getName),
                        Stream.of(part.getDeclaredMethods())
                            .filter(method -> !isResourceMethod(type, method))
                            .filter(DeploymentCheck::isInjected)
                            .filter(DeploymentCheck::takesContainersResponse)
                            .map(Method::getName)))
            .map(name -> type.getSimpleName() + "." + name);
    Stream<String> constructors =
        Stream.of(type.getDeclaredConstructors())
            .filter(DeploymentCheck::takesContainersResponse)
            .map(made -> "new " + type.getSimpleName());
    return Stream.concat(members, constructors).distinct().sorted();
  }

  private static boolean isInjected(Method method) {
    return Stream.concat(
            Stream.of(method.getAnnotations()),
            Stream.of(method.getParameterAnnotations()).flatMap(Stream::of))
        .map(annotation -> annotation.annotationType().getName())
        .anyMatch(INJECTED::contains);
  }

  private static boolean takesContainersResponse(Executable taking) {
    return Stream.concat(
            Stream.of(taking.getGenericParameterTypes()).filter(DeploymentCheck::holdsResponse),
            Stream.of(taking.getParameters())
                .filter(parameter -> parameter.isAnnotationPresent(BeanParam.class))
                .flatMap(parameter -> injectedResponses(parameter.getType())))
        .findAny()
        .isPresent();
  }

  /** Itself, or what gives it when it is asked, such as a provider. */
  private static boolean holdsResponse(Type type) {
    return type instanceof ParameterizedType generic
        ? Stream.of(generic.getActualTypeArguments()).anyMatch(DeploymentCheck::holdsResponse)
        : CONTAINERS_RESPONSES.contains(type.getTypeName());
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
