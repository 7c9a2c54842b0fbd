import org.openapitools.client.ApiClient;
import org.springframework.web.reactive.function.client.WebClientResponseException;
import reactor.core.publisher.Mono;

class Library {
  static ApiClient clientAt(String address) {
    return new ApiClient().setBasePath(address);
  }

  static <Answer> Answer answerOf(Mono<Answer> answer) {
    return answer.block();
  }

  static int statusOf(Exception error) {
    return ((WebClientResponseException) error).getStatusCode().value();
  }
}
