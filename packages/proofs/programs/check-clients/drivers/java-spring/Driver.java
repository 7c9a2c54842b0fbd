// Drives the client that openapi-generator makes for Java (resttemplate, restclient). Arguments: address of the service, file of requests.
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.AccountsApi;
import org.openapitools.client.api.BlockchainApi;
import org.openapitools.client.api.BlocksApi;
import org.openapitools.client.api.BroadcastApi;
import org.openapitools.client.api.TransactionsApi;
import org.openapitools.client.model.DelegationBody;
import org.openapitools.client.model.TransactionBody;
import org.springframework.web.client.RestClientResponseException;

public class Driver {
  private static final ObjectMapper mapper = new ObjectMapper();

  public static void main(String[] arguments) throws Exception {
    var client = new ApiClient();
    client.setBasePath(arguments[0]);
    var requests = mapper.readTree(Path.of(arguments[1]).toFile());
    var blocks = new BlocksApi(client);
    var block = blocks.getBlocks(1, null).getBlocks().iterator().next();
    var account = new AccountsApi(client).getAccount(requests.get("publicKey").asText(), null).getAccount();
    System.out.println("currency " + block.getProtocolState().getConsensusState().getTotalCurrency());
    System.out.println("hash " + blocks.getBlock(block.getStateHash(), null).getBlock().getStateHash());
    System.out.println("account " + account.getPublicKey());
    System.out.println("height " + new BlockchainApi(client).getSummary(null).getBlockchainLength());
    System.out.println("at " + blocks.getBlockAtHeight(block.getBlockHeight(), null).getBlock().getStateHash());
    var transactions = new TransactionsApi(client);
    var fate = transactions.getTransaction(requests.get("included").asText(), null, null, null, null, null, null, null, null).getTransaction();
    System.out.println("fate " + fate.getState() + " " + fate.getCommand().getAmount());
    try {
      transactions.getTransaction(requests.get("missing").asText(), null, null, null, null, null, null, null, null);
    } catch (RestClientResponseException error) {
      System.out.println("missing " + error.getRawStatusCode());
    }
    for (var request : requests.get("broadcasts")) {
      String what = request.get("kind").asText() + " " + request.get("form").asText();
      try {
        System.out.println("sent " + what + " " + send(new BroadcastApi(client), request));
      } catch (Exception error) {
        System.out.println("failed " + what + " " + error.getMessage().replace('\n', ' '));
      }
    }
  }

  private static String send(BroadcastApi api, JsonNode request) throws Exception {
    var body = request.get("body");
    return request.get("kind").asText().equals("payment")
        ? api.broadcastTransaction(mapper.treeToValue(body, TransactionBody.class)).getMessage()
        : api.broadcastDelegation(mapper.treeToValue(body, DelegationBody.class)).getMessage();
  }
}
