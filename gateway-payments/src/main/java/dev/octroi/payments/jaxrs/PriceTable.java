package dev.octroi.payments.jaxrs;

import dev.octroi.payments.Free;
import dev.octroi.payments.Paid;
import dev.octroi.payments.Redelivery;
import dev.octroi.payments.Settle;
import dev.octroi.payments.Tariff;
import dev.octroi.payments.Usd;
import dev.octroi.payments.flow.PaidEndpoint;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The price of every method of the application, resolved from the annotations once.
 *
 * <p>The nearest annotation rules: the method itself, then the methods it overrides or implements,
 * then the class, its superclasses and its interfaces.
 */
final class PriceTable {

  private final Map<Class<? extends Tariff>, Tariff> tariffs;
  private final Map<Method, MethodTerms> rows = new ConcurrentHashMap<>();

  PriceTable(Map<Class<? extends Tariff>, Tariff> tariffs) {
    this.tariffs = new ConcurrentHashMap<>(tariffs);
  }

  MethodTerms terms(Class<?> resource, Method method) {
    return rows.computeIfAbsent(method, key -> resolve(resource, key));
  }

  private MethodTerms resolve(Class<?> resource, Method method) {
    List<AnnotatedElement> places =
        Stream.concat(AnnotatedPlaces.ofMethod(resource, method), AnnotatedPlaces.ofClass(resource))
            .toList();
    String name = resource.getSimpleName() + "." + method.getName();
    for (AnnotatedElement place : places) {
      Paid paid = place.getAnnotation(Paid.class);
      boolean free = place.isAnnotationPresent(Free.class);
      if (paid != null && free) {
        return new MethodTerms.Wrong(name + " is @Paid and @Free at the same place");
      }
      if (free) {
        return new MethodTerms.Free();
      }
      if (paid != null) {
        return priced(name, paid, produces(places));
      }
    }
    return new MethodTerms.Undeclared();
  }

  private MethodTerms priced(String name, Paid paid, List<MediaType> produces) {
    boolean computed = paid.by() != Tariff.class;
    if (computed && !paid.value().isEmpty()) {
      return new MethodTerms.Wrong(name + " is @Paid with a value and a tariff: keep one of them");
    }
    if (!computed && paid.value().isEmpty()) {
      return new MethodTerms.Wrong(
          name + " is @Paid without a price: give a value such as \"0.01\", or by = a Tariff");
    }
    if (paid.redelivery() == Redelivery.RESUMED && paid.settle() != Settle.BEFORE) {
      return new MethodTerms.Wrong(
          name + " is RESUMED, which only a method can be that settles before its effect");
    }
    if (paid.settle() == Settle.LATER && !computed) {
      return new MethodTerms.Wrong(name + " settles later: give it a Tariff that notes a Deferral");
    }
    Tariff tariff;
    try {
      tariff = computed ? instance(paid.by()) : fixed(paid.value());
    } catch (IllegalArgumentException e) {
      return new MethodTerms.Wrong(name + ": " + e.getMessage());
    }
    try {
      return new MethodTerms.Priced(
          new PricedMethod(
              new PaidEndpoint(name, tariff, paid.settle(), paid.redelivery()), produces));
    } catch (IllegalArgumentException e) {
      return new MethodTerms.Wrong(String.valueOf(e.getMessage()));
    }
  }

  private static Tariff fixed(String dollars) {
    Usd price = Usd.parse(dollars);
    return request -> price;
  }

  private Tariff instance(Class<? extends Tariff> type) {
    return tariffs.computeIfAbsent(type, PriceTable::construct);
  }

  private static Tariff construct(Class<? extends Tariff> type) {
    try {
      return type.getConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(
          type.getSimpleName()
              + " has no usable public constructor without parameters: add one, or hand an instance"
              + " to Payments.Builder.tariff",
          e);
    }
  }

  private static List<MediaType> produces(List<AnnotatedElement> places) {
    return places.stream()
        .map(place -> Optional.ofNullable(place.getAnnotation(Produces.class)))
        .flatMap(Optional::stream)
        .findFirst()
        .map(declared -> Stream.of(declared.value()).flatMap(PriceTable::mediaTypes).toList())
        .orElse(List.of());
  }

  private static Stream<MediaType> mediaTypes(String declared) {
    return Stream.of(declared.split(",")).map(String::trim).map(MediaType::valueOf);
  }
}
