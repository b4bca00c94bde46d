package dev.octroi.reference.process;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * Commands of the documentation that {@link CommandsIT} does not run, and who does in its place.
 */
enum RunElsewhere {
  BUILD("mvn ", "a build within the build", ".ci/run"),
  CI(".ci/run", "all of CI within a test", ".ci/run"),
  BENCHMARKS(
      "reference-jetty/src/test/bench/run",
      "half an hour of measuring; each build compiles it",
      "reference-jetty/src/test/bench/run"),
  SERVER_TO_SELL(
      "python3 -m http.server",
      "needs Python; the test sells a server of its own",
      "reference-jetty/src/test/java/dev/octroi/reference/process/SellIT.java"),
  DEMO(
      "java -jar reference-jetty/target/octroi.jar demo",
      "seconds of what is run already",
      "reference-jetty/src/test/java/dev/octroi/reference/process/PayIT.java"),
  DEMO_ON_A_SERVER(
      "java -jar octroi.jar demo --url http://127.0.0.1:8080/octroi",
      "needs a server with the WAR",
      "gateway-war/src/test/java/dev/octroi/war/WarOnServer.java"),
  FULL_WAR(
      "cp gateway-war-0.1.0-SNAPSHOT-servlet.war ",
      "needs a server",
      "gateway-war/src/test/java/dev/octroi/war/Tomcat.java"),
  THIN_WAR(
      "cp gateway-war-0.1.0-SNAPSHOT.war ",
      "needs a server",
      "gateway-war/src/test/java/dev/octroi/war/WildFly.java"),
  TOMCAT_OPTIONS(
      "export CATALINA_OPTS=",
      "needs Tomcat",
      "gateway-war/src/test/java/dev/octroi/war/Tomcat.java"),
  TOMCAT(
      "\"$CATALINA_HOME/bin/catalina.sh\"",
      "needs Tomcat, whose main class the test starts",
      "gateway-war/src/test/java/dev/octroi/war/Tomcat.java"),
  JETTY_FOLDER("cd jetty-base", "the next command's folder", ""),
  JETTY(
      "java -Dgateway.profile=live -jar \"$JETTY_HOME/start.jar\"",
      "needs Jetty",
      "gateway-war/src/test/java/dev/octroi/war/JettyHome.java"),
  PAYARA(
      "java -Dgateway.profile=live -Dgateway.database.url=jdbc:postgresql://db.example/octroi -jar"
          + " payara-micro.jar",
      "needs Payara",
      "gateway-war/src/test/java/dev/octroi/war/Payara.java"),
  WILDFLY(
      "\"$JBOSS_HOME/bin/standalone.sh\"",
      "needs WildFly, whose main class the test starts",
      "gateway-war/src/test/java/dev/octroi/war/WildFly.java"),
  LIBERTY_OPTIONS(
      "echo \"-Dgateway.profile=live\" >",
      "needs Open Liberty",
      "gateway-war/src/test/java/dev/octroi/war/Liberty.java"),
  LIBERTY(
      "\"$WLP_HOME/bin/server\"",
      "needs Open Liberty, whose main class the test starts",
      "gateway-war/src/test/java/dev/octroi/war/Liberty.java"),
  EXAMPLE_RUN("java -jar gateway-api/examples/", "needs the example", ".ci/run"),
  PAYER_OF_THE_SHOP("openssl rand -hex 32 > payer.key", "the next command's key", ""),
  CALL_OF_THE_SHOP(
      "java -jar reference-jetty/target/octroi.jar pay --key-file payer.key http://127.0.0.1:8480",
      "needs the shop; key files are tried at the gateway",
      "reference-jetty/src/test/java/dev/octroi/reference/process/PayIT.java"),
  IMAGE(
      "docker ",
      "needs an engine, without which the image's commands are run",
      "reference-jetty/src/test/java/dev/octroi/reference/process/ImageIT.java"),
  MANIFESTS(
      "kubectl ",
      "needs a cluster; the manifests are read by its schema's classes",
      "reference-jetty/src/test/java/dev/octroi/reference/process/DeployFilesIT.java"),
  UNIT(
      "sudo ",
      "changes the machine; the unit is verified",
      "reference-jetty/src/test/java/dev/octroi/reference/process/DeployFilesIT.java"),
  BACKUP(
      "pg_dump ",
      "needs PostgreSQL",
      "reference-jetty/src/test/java/dev/octroi/reference/process/BackupIT.java"),
  DATABASE(
      "createdb ",
      "needs PostgreSQL",
      "reference-jetty/src/test/java/dev/octroi/reference/process/BackupIT.java"),
  RESTORE(
      "pg_restore ",
      "needs PostgreSQL",
      "reference-jetty/src/test/java/dev/octroi/reference/process/BackupIT.java");

  private final String beginning;
  private final String why;
  private final String where;

  /**
   * @param why it cannot be run beside one gateway
   * @param where the same is done, below the project's folder; empty for nowhere
   */
  RunElsewhere(String beginning, String why, String where) {
    this.beginning = beginning;
    this.why = why;
    this.where = where;
  }

  static Optional<RunElsewhere> of(DocumentedCommand command) {
    return Stream.of(values()).filter(one -> command.text().startsWith(one.beginning)).findFirst();
  }

  String why() {
    return why;
  }

  String where() {
    return where;
  }
}
