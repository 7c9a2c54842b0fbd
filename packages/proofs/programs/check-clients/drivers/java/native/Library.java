import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;

class Library {
  static ApiClient clientAt(String address) {
    var client = new ApiClient();
    client.updateBaseUri(address);
    return client;
  }

  static <Answer> Answer answerOf(Answer answer) {
    return answer;
  }

  static int statusOf(Exception error) {
    return ((ApiException) error).getCode();
  }
}
