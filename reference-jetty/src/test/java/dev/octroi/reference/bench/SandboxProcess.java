package dev.octroi.reference.bench;

import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.SettingsSources;
import dev.octroi.sandbox.Sandbox;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;

/** The sandbox's vendors in a process of their own, so that a gateway's is the gateway alone. */
public final class SandboxProcess {

  private SandboxProcess() {}

  /**
   * Argument: the file to write, with the settings that make a gateway use them. Prints the base
   * address of the model that speaks messages, and runs until the process is ended.
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    try (Sandbox sandbox = Sandbox.start()) {
      Map<String, String> settings = sandbox.settings(GatewaySettings.read(SettingsSources.none()));
      Properties file = new Properties();
      file.putAll(settings);
      try (Writer out = Files.newBufferedWriter(Path.of(arguments[0]))) {
        file.store(out, null);
      }
      System.out.println("ready on " + settings.get("gateway.language.upstreams.messages"));
      Thread.currentThread().join();
    }
  }
}
