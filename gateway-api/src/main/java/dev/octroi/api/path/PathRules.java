package dev.octroi.api.path;

import dev.octroi.api.error.ErrorAnswer;
import dev.octroi.api.group.Addressed;
import dev.octroi.api.path.PlainPath.PathFault;
import dev.octroi.payments.jaxrs.JaxrsExchange;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.UriInfo;
import java.net.URI;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a path before anything is matched: refuses tricks, and rewrites aliases, so that prices,
 * payments and errors see one spelling of each resource.
 */
@PreMatching
public final class PathRules implements ContainerRequestFilter {

  private final PathAliases aliases;
  private final boolean alone;

  /**
   * @param alone whether the whole application is the gateway's; in a host's application, paths
   *     that cannot be meant for a group are left alone
   */
  public PathRules(PathAliases aliases, boolean alone) {
    this.aliases = aliases;
    this.alone = alone;
  }

  @Override
  public void filter(ContainerRequestContext request) {
    UriInfo uri = request.getUriInfo();
    String path = below(uri);
    if (!alone && !aliases.concern(path)) {
      return;
    }
    Optional<PathFault> fault = fault(uri);
    if (fault.isPresent()) {
      Addressed.noteOurs(JaxrsExchange.of(request));
      request.abortWith(ErrorAnswer.flat(fault.get().status(), fault.get().message()).response());
      return;
    }
    String canonical = aliases.canonical(EncodedSlash.plain(path));
    Addressed.note(JaxrsExchange.of(request), aliases.group(canonical));
    if (!canonical.equals(path)) {
      request.setRequestUri(uri.getBaseUri(), rewritten(uri, canonical));
    }
  }

  /**
   * Whether nothing is wrong with a target and it has no alias in it.
   *
   * @param below the raw path below the application
   */
  public boolean isCanonical(String below, @Nullable String rawQuery) {
    return PlainPath.fault(below, rawQuery).isEmpty() && aliases.canonical(below).equals(below);
  }

  /**
   * Why a target is refused that another server reads after this one: it is judged alike, but a
   * slash at its end is that server's business. Containers read an octet above ASCII in different
   * ways, so that a query which has one could not be passed on as it came.
   *
   * @param below the raw path below the application
   */
  public static Optional<ErrorAnswer> refusalAtServer(String below, @Nullable String rawQuery) {
    boolean slash = below.length() > 1 && below.endsWith("/");
    boolean ascii = rawQuery == null || rawQuery.chars().allMatch(c -> c < 0x80);
    return PlainPath.fault(slash ? below.substring(0, below.length() - 1) : below, rawQuery)
        .or(() -> ascii ? Optional.empty() : Optional.of(PathFault.UNESCAPED))
        .map(fault -> ErrorAnswer.flat(fault.status(), fault.message()));
  }

  /** What is wrong with a request's target, if anything is. */
  static Optional<PathFault> fault(UriInfo uri) {
    String below = below(uri);
    URI target;
    try {
      target = uri.getRequestUri();
    } catch (IllegalArgumentException e) {
      // Only Jersey makes a URI of every query.
      return PlainPath.fault(below, null).or(() -> Optional.of(PathFault.QUERY));
    }
    String whole = target.getRawPath();
    if (below.equals("/") && whole.endsWith("/")) {
      // The slash after a context path belongs to it: what is asked for is the application's home.
      whole = whole.substring(0, Math.max(1, whole.length() - 1));
    }
    Optional<PathFault> found = PlainPath.fault(whole, target.getRawQuery());
    String plain = EncodedSlash.plain(below);
    if (!plain.equals(below) && whole.endsWith(below)) {
      return PlainPath.fault(
          whole.substring(0, whole.length() - below.length()) + plain, target.getRawQuery());
    }
    // The container may have cut off parameters from one of the two.
    return found.isPresent() || whole.endsWith(below) ? found : PlainPath.fault(below, null);
  }

  private static URI rewritten(UriInfo uri, String canonical) {
    String base = uri.getBaseUri().toString();
    String query = uri.getRequestUri().getRawQuery();
    String address = base.endsWith("/") ? base + canonical.substring(1) : base + canonical;
    return URI.create(query == null ? address : address + "?" + query);
  }

  /** The raw path below the application; only RESTEasy begins it with a slash. */
  private static String below(UriInfo uri) {
    String path = uri.getPath(false);
    return path.startsWith("/") ? path : "/" + path;
  }

  /**
   * The one resource whose path may hold an escaped slash: a model by its name, which vendors' SDKs
   * escape as a whole. It becomes the plain path before anything else looks at it, and is judged as
   * that; an escaped slash anywhere else is refused.
   */
  static final class EncodedSlash {

    /** What stands before and after the slash has no escape, so that nothing else hides in it. */
    private static final Pattern MODEL =
        Pattern.compile(
            "((?:/api)?/v1/models/[A-Za-z0-9][A-Za-z0-9._-]*)%2[Ff]([A-Za-z0-9][A-Za-z0-9._:-]*)");

    private EncodedSlash() {}

    /** The plain path of a model; any other path as it is. */
    static String plain(String below) {
      Matcher model = MODEL.matcher(below);
      return model.matches() ? model.group(1) + "/" + model.group(2) : below;
    }
  }
}
