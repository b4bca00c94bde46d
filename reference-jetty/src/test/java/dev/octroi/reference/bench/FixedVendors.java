package dev.octroi.reference.bench;

import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.SandboxUpstreams;
import dev.octroi.api.settings.SettingsSources;
import dev.octroi.sandbox.Sandbox;
import java.io.Writer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;

/**
 * The vendors of reads in a process of their own that computes nothing: the sandbox is asked once
 * for each address, and its bytes are the answer from then on. So an uncached paid read measures
 * the gateway and an exchange over HTTP, and no vendor.
 */
public final class FixedVendors extends Handler.Abstract {

  private final Map<String, Fixed> known = new ConcurrentHashMap<>();
  private final HttpClient http = HttpClient.newHttpClient();
  private final URI sandbox;

  private FixedVendors(URI sandbox) {
    this.sandbox = sandbox;
  }

  private record Fixed(int status, String type, byte[] body) {}

  /**
   * Argument: the file to write, with the settings that make a gateway use these vendors. Runs
   * until the process is ended.
   */
  public static void main(String[] arguments) throws Exception {
    try (Sandbox sandbox = Sandbox.start()) {
      Server server = new Server();
      ServerConnector connector = new ServerConnector(server, 1, 1);
      connector.setHost("127.0.0.1");
      server.addConnector(connector);
      server.setHandler(new FixedVendors(sandbox.url()));
      server.start();
      URI base = URI.create("http://127.0.0.1:" + connector.getLocalPort());
      Properties file = new Properties();
      file.putAll(SandboxUpstreams.at(base, GatewaySettings.read(SettingsSources.none())));
      try (Writer out = Files.newBufferedWriter(Path.of(arguments[0]))) {
        file.store(out, null);
      }
      System.out.println("ready on " + base);
      Thread.currentThread().join();
    }
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    String target = request.getHttpURI().getPathQuery();
    Fixed fixed = known.get(target);
    if (fixed == null) {
      fixed = asked(request, target);
      known.put(target, fixed);
    }
    response.setStatus(fixed.status());
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, fixed.type());
    response.write(true, ByteBuffer.wrap(fixed.body()), callback);
    return true;
  }

  private Fixed asked(Request request, String target) throws Exception {
    HttpRequest.Builder once = HttpRequest.newBuilder(sandbox.resolve(target));
    String credential = request.getHeaders().get(HttpHeader.AUTHORIZATION);
    if (credential != null) {
      once.header("Authorization", credential);
    }
    String key = request.getHeaders().get("x-api-key");
    if (key != null) {
      once.header("x-api-key", key);
    }
    HttpResponse<byte[]> answer = http.send(once.build(), BodyHandlers.ofByteArray());
    String type = answer.headers().firstValue("Content-Type").orElse("application/json");
    return new Fixed(answer.statusCode(), type, answer.body());
  }
}
