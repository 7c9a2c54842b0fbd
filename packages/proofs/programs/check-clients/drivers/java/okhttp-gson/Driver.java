// Drives the client that openapi-generator makes for Java (okhttp-gson). Arguments: address of the service, file of requests.
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.AccountsApi;
import org.openapitools.client.api.BlockchainApi;
import org.openapitools.client.api.BlocksApi;
import org.openapitools.client.api.BroadcastApi;
import org.openapitools.client.api.TransactionsApi;
import org.openapitools.client.model.DelegationBody;
import org.openapitools.client.model.TransactionBody;

public class Driver {
  public static void main(String[] arguments) throws Exception {
    var client = new ApiClient().setBasePath(arguments[0]);
    var requests = JsonParser.parseString(Files.readString(Path.of(arguments[1]))).getAsJsonObject();
    var blocks = new BlocksApi(client);
    var block = blocks.getBlocks(1, null).getBlocks().iterator().next();
    var account = new AccountsApi(client).getAccount(requests.get("publicKey").getAsString(), null).getAccount();
    System.out.println("currency " + block.getProtocolState().getConsensusState().getTotalCurrency());
    System.out.println("hash " + blocks.getBlock(block.getStateHash(), null).getBlock().getStateHash());
    System.out.println("account " + account.getPublicKey());
    System.out.println("height " + new BlockchainApi(client).getSummary(null).getBlockchainLength());
    System.out.println("at " + blocks.getBlockAtHeight(block.getBlockHeight(), null).getBlock().getStateHash());
    var transactions = new TransactionsApi(client);
    var fate = transactions.getTransaction(requests.get("included").getAsString(), null, null, null, null, null, null, null, null).getTransaction();
    System.out.println("fate " + fate.getState() + " " + fate.getCommand().getAmount());
    try {
      transactions.getTransaction(requests.get("missing").getAsString(), null, null, null, null, null, null, null, null);
    } catch (ApiException error) {
      System.out.println("missing " + error.getCode());
    }
    for (var item : requests.getAsJsonArray("broadcasts")) {
      JsonObject request = item.getAsJsonObject();
      String what = request.get("kind").getAsString() + " " + request.get("form").getAsString();
      try {
        System.out.println("sent " + what + " " + send(new BroadcastApi(client), request));
      } catch (Exception error) {
        System.out.println("failed " + what + " " + error.getMessage().replace('\n', ' '));
      }
    }
    client.getHttpClient().dispatcher().executorService().shutdown();
  }

  private static String send(BroadcastApi api, JsonObject request) throws Exception {
    String body = request.get("body").toString();
    return request.get("kind").getAsString().equals("payment")
        ? api.broadcastTransaction(TransactionBody.fromJson(body)).getMessage()
        : api.broadcastDelegation(DelegationBody.fromJson(body)).getMessage();
  }
}
