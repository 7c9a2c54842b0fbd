// Drives the client that ogen makes: every operation, and each status that a client must read.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"check/explorer"
)

// Keeps the status of the last answer: ogen has one type for all answers of the same form, whatever their status.
type recorder struct{ status int }

func (last *recorder) Do(request *http.Request) (*http.Response, error) {
	answer, err := http.DefaultClient.Do(request)
	if err == nil {
		last.status = answer.StatusCode
	}
	return answer, err
}

// An answer of the wanted type, or the end of the program: ogen's methods return one interface for all answers.
func as[Wanted any](answer any, err error) Wanted {
	check(err)
	wanted, isWanted := answer.(Wanted)
	if !isWanted {
		panic(fmt.Sprintf("%T is not %T", answer, wanted))
	}
	return wanted
}

func send(client *explorer.Client, kind string, text []byte) (any, error) {
	ctx := context.Background()
	if kind == "payment" {
		body := read[explorer.TransactionBody](text)
		return client.BroadcastTransaction(ctx, &body)
	}
	body := read[explorer.DelegationBody](text)
	return client.BroadcastDelegation(ctx, &body)
}

func answered(client *explorer.Client, last *recorder, requests input) {
	ctx := context.Background()
	latest := as[*explorer.BlocksResponseHeaders](
		client.GetBlocks(ctx, explorer.GetBlocksParams{Limit: explorer.NewOptInt32(1)}))
	block := latest.Response.Blocks[0]
	same := as[*explorer.BlockResponseHeaders](
		client.GetBlock(ctx, explorer.GetBlockParams{StateHash: block.StateHash}))
	at := as[*explorer.BlockResponseHeaders](
		client.GetBlockAtHeight(ctx, explorer.GetBlockAtHeightParams{Height: block.BlockHeight}))
	account := as[*explorer.AccountResponseHeaders](
		client.GetAccount(ctx, explorer.GetAccountParams{PublicKey: requests.PublicKey}))
	summary := as[*explorer.SummaryHeaders](client.GetSummary(ctx, explorer.GetSummaryParams{}))
	fate := as[*explorer.TransactionFateResponseHeaders](
		client.GetTransaction(ctx, explorer.GetTransactionParams{Hash: requests.Included})).Response.Transaction
	fmt.Println("currency", block.ProtocolState.ConsensusState.TotalCurrency)
	fmt.Println("hash", same.Response.Block.StateHash)
	fmt.Println("account", account.Response.Account.PublicKey)
	fmt.Println("height", summary.Response.BlockchainLength)
	fmt.Println("at", at.Response.Block.StateHash)
	fmt.Println("fate", fate.State, fate.Command.Value.Amount.Value)

	cursor := fmt.Sprintf("%d-%s", block.BlockHeight, block.StateHash)
	below := as[*explorer.BlocksOrHeadersBeforeHeaders](
		client.GetBlocksBefore(ctx, explorer.GetBlocksBeforeParams{Cursor: cursor}))
	fmt.Println("before", below.Response.Blocks[0].BlockHeight)
	history := as[*explorer.AccountTransactionsResponseHeaders](client.GetAccountTransactions(
		ctx, explorer.GetAccountTransactionsParams{PublicKey: requests.PublicKey}))
	fmt.Println("history", len(history.Response.Transactions))
	tokens := as[*explorer.AccountTokensResponseHeaders](
		client.GetAccountTokens(ctx, explorer.GetAccountTokensParams{PublicKey: requests.PublicKey}))
	fmt.Println("tokens", len(tokens.Response.Tokens))
	network := as[*explorer.NetworkHeaders](client.GetNetwork(ctx, explorer.GetNetworkParams{}))
	fmt.Println("network", network.Response.ChainId)
	fees := as[*explorer.FeesHeaders](client.GetFees(ctx, explorer.GetFeesParams{}))
	fmt.Println("fees", fees.Response.Suggested)
	pool := as[*explorer.PoolResponseHeaders](client.GetPool(ctx, explorer.GetPoolParams{}))
	fmt.Println("pool", pool.Response.Count)
	switch health := as[any](client.GetHealth(ctx)).(type) {
	case *explorer.HealthHeaders:
		fmt.Println("health", health.Response.Status)
	case *explorer.GetHealthServiceUnavailableHeaders:
		fmt.Println("health", health.Response.Status)
	}

	copied := as[*explorer.NotModified](
		client.GetBlocks(ctx, explorer.GetBlocksParams{Limit: explorer.NewOptInt32(1), IfNoneMatch: latest.Etag}))
	fmt.Println(last.status, copied.Etag.Value)
	lost := as[*explorer.TransactionNotFoundHeaders](
		client.GetTransaction(ctx, explorer.GetTransactionParams{Hash: requests.Missing}))
	fmt.Println("missing", last.status, lost.Response.Message)
}

// The answers that are no success.
func refused(client *explorer.Client, last *recorder, requests input) {
	ctx := context.Background()
	malformed := as[*explorer.BroadcastErrorHeaders](client.BroadcastTransaction(ctx, &explorer.TransactionBody{
		Signature: explorer.AnySignature(`"00"`),
	}))
	fmt.Println(last.status, malformed.XBroadcastCode.Value, malformed.XBroadcastOutcome.Value)
	orphaned := as[*explorer.GetBlocksBeforeConflict](
		client.GetBlocksBefore(ctx, explorer.GetBlocksBeforeParams{Cursor: requests.Orphan}))
	fmt.Println(last.status, orphaned.Response.Message)
	limited := as[*explorer.TooManyRequestsHeaders](
		clientOf(requests.Refusing+"/429", last).GetFees(ctx, explorer.GetFeesParams{}))
	fmt.Println(last.status, limited.RetryAfter.Value, limited.Response.Message)
	unavailable := as[*explorer.UpstreamUnavailableHeaders](
		clientOf(requests.Refusing+"/503", last).GetFees(ctx, explorer.GetFeesParams{}))
	fmt.Println(last.status, unavailable.RetryAfter.Value, unavailable.Response.Message)
}

func clientOf(url string, last *recorder) *explorer.Client {
	client, err := explorer.NewClient(url, explorer.WithClient(last))
	check(err)
	return client
}

func main() {
	requests := requests()
	last := &recorder{}
	client := clientOf(os.Args[1], last)
	answered(client, last, requests)
	refused(client, last, requests)
	broadcast(requests, func(kind string, text []byte) (string, error) {
		switch sent := as[any](send(client, kind, text)).(type) {
		case *explorer.TransactionResponseHeaders:
			return sent.XTransactionHash.Value, nil
		case *explorer.DelegationResponseHeaders:
			return sent.XTransactionHash.Value, nil
		default:
			return "", fmt.Errorf("%T", sent)
		}
	})
}
