package dev.octroi.payments.jaxrs;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Where an annotation of a resource method may stand, nearest first: JAX-RS annotations are
 * inherited by overriding methods, and proxies made by a container subclass the real class.
 */
final class AnnotatedPlaces {

  private AnnotatedPlaces() {}

  /** The method, what it overrides in superclasses, then what it implements. */
  static Stream<AnnotatedElement> ofMethod(Class<?> resource, Method method) {
    Stream<AnnotatedElement> inherited =
        types(resource)
            .flatMap(type -> Stream.of(type.getDeclaredMethods()))
            .filter(other -> !other.isBridge() && isInherited(method, other))
            .map(AnnotatedElement.class::cast);
    return Stream.concat(Stream.of(method), inherited).distinct();
  }

  /** The class, its superclasses, then its interfaces. */
  static Stream<AnnotatedElement> ofClass(Class<?> resource) {
    return types(resource).map(AnnotatedElement.class::cast);
  }

  private static Stream<Class<?>> types(Class<?> resource) {
    List<Class<?>> classes = new ArrayList<>();
    for (Class<?> type = resource; type != null && type != Object.class; ) {
      classes.add(type);
      type = type.getSuperclass();
    }
    Set<Class<?>> interfaces = new LinkedHashSet<>();
    classes.forEach(type -> collectInterfaces(type, interfaces));
    return Stream.concat(classes.stream(), interfaces.stream()).distinct();
  }

  private static void collectInterfaces(Class<?> type, Set<Class<?>> into) {
    for (Class<?> face : type.getInterfaces()) {
      into.add(face);
      collectInterfaces(face, into);
    }
  }

  /** Same name elsewhere, and parameters that one could override with: erased generics differ. */
  private static boolean isInherited(Method method, Method other) {
    if (method.getDeclaringClass() == other.getDeclaringClass()
        || !method.getName().equals(other.getName())
        || method.getParameterCount() != other.getParameterCount()) {
      return false;
    }
    Class<?>[] narrow = method.getParameterTypes();
    Class<?>[] wide = other.getParameterTypes();
    for (int i = 0; i < narrow.length; i++) {
      if (!wide[i].isAssignableFrom(narrow[i]) && !narrow[i].isAssignableFrom(wide[i])) {
        return false;
      }
    }
    return true;
  }
}
