import org.openapitools.client.ApiClient;
import org.springframework.web.client.RestClientResponseException;

class Library {
  static ApiClient clientAt(String address) {
    return new ApiClient().setBasePath(address);
  }

  static <Answer> Answer answerOf(Answer answer) {
    return answer;
  }

  static int statusOf(Exception error) {
    return ((RestClientResponseException) error).getRawStatusCode();
  }
}
