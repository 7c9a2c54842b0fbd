#!/usr/bin/env bash
# Most expect: Apache HttpClient repeats idempotent requests alone, as its documents say of broken connections.
# True: after a 503 or a 429 it repeats a POST too, once, after a second or after `Retry-After`.
# Package: org.apache.httpcomponents.client5:httpclient5 5.6.5 (Maven)
# Why here: it is under Spring's RestTemplate and RestClient. A balancer's 503 may follow a broadcast that a node has taken:
#   safe to repeat, but the program takes `already-known` for a mistake of its own. `disableAutomaticRetries()` stops it.
set -euo pipefail
expected="${EXPECTED:-503: 2, 429: 2, 500: 1; without retries: 1, 1, 1}"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > pom.xml <<'XML'
<project><modelVersion>4.0.0</modelVersion><groupId>x</groupId><artifactId>x</artifactId><version>1</version><dependencies>
<dependency><groupId>org.apache.httpcomponents.client5</groupId><artifactId>httpclient5</artifactId><version>5.6.5</version></dependency>
</dependencies></project>
XML
mvn --quiet --batch-mode dependency:copy-dependencies -DoutputDirectory=packages > mvn.txt 2>&1 || { cat mvn.txt >&2; exit 1; }
cat > Run.java <<'JAVA'
import com.sun.net.httpserver.HttpServer;
import java.net.*;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.impl.classic.*;
import org.apache.hc.core5.http.io.entity.StringEntity;

public class Run {
  static int postsFor(int status, HttpClientBuilder builder) throws Exception {
    var posts = new AtomicInteger();
    var service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    service.createContext("/", exchange -> {
      exchange.getRequestBody().readAllBytes();
      posts.incrementAndGet();
      exchange.sendResponseHeaders(status, -1);
      exchange.close();
    });
    service.start();
    try (var client = builder.build()) {
      var post = new HttpPost("http://127.0.0.1:" + service.getAddress().getPort() + "/");
      post.setEntity(new StringEntity("{}"));
      client.execute(post, response -> null);
    }
    service.stop(0);
    return posts.get();
  }

  public static void main(String[] args) throws Exception {
    var counts = new java.util.ArrayList<Object>();
    for (boolean isDefault : new boolean[] {true, false})
      for (int status : new int[] {503, 429, 500})
        counts.add(postsFor(status, isDefault ? HttpClients.custom() : HttpClients.custom().disableAutomaticRetries()));
    System.out.printf("503: %d, 429: %d, 500: %d; without retries: %d, %d, %d%n", counts.toArray());
    System.exit(0);
  }
}
JAVA
seen="$(java -cp 'packages/*' Run.java 2>errors.txt)" || { cat errors.txt >&2; exit 1; }
echo "$seen"
[ "$seen" = "$expected" ] || { echo "another behaviour, expected: $expected" >&2; exit 1; }
