// Drives the clients that openapi-generator makes for Java and that read JSON with Jackson. Arguments: address of the service, file of requests.
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import org.openapitools.client.api.AccountsApi;
import org.openapitools.client.api.BlockchainApi;
import org.openapitools.client.api.BlocksApi;
import org.openapitools.client.api.BroadcastApi;
import org.openapitools.client.api.TransactionsApi;
import org.openapitools.client.model.DelegationBody;
import org.openapitools.client.model.TransactionBody;

public class Driver extends Library {
  private static final ObjectMapper mapper = new ObjectMapper();

  public static void main(String[] arguments) throws Exception {
    var client = clientAt(arguments[0]);
    var requests = mapper.readTree(Path.of(arguments[1]).toFile());
    var blocks = new BlocksApi(client);
    var block = answerOf(blocks.getBlocks(1, null)).getBlocks().iterator().next();
    var account = answerOf(new AccountsApi(client).getAccount(requests.get("publicKey").asText(), null)).getAccount();
    System.out.println("currency " + block.getProtocolState().getConsensusState().getTotalCurrency());
    System.out.println("hash " + answerOf(blocks.getBlock(block.getStateHash(), null)).getBlock().getStateHash());
    System.out.println("account " + account.getPublicKey());
    System.out.println("height " + answerOf(new BlockchainApi(client).getSummary(null)).getBlockchainLength());
    System.out.println("at " + answerOf(blocks.getBlockAtHeight(block.getBlockHeight(), null)).getBlock().getStateHash());
    var transactions = new TransactionsApi(client);
    var fate = answerOf(transactions.getTransaction(requests.get("included").asText(), null, null, null, null, null, null, null, null)).getTransaction();
    System.out.println("fate " + fate.getState() + " " + fate.getCommand().getAmount());
    try {
      answerOf(transactions.getTransaction(requests.get("missing").asText(), null, null, null, null, null, null, null, null));
    } catch (Exception error) {
      System.out.println("missing " + statusOf(error));
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
        ? answerOf(api.broadcastTransaction(mapper.treeToValue(body, TransactionBody.class))).getMessage()
        : answerOf(api.broadcastDelegation(mapper.treeToValue(body, DelegationBody.class))).getMessage();
  }
}
