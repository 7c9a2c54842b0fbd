// Drives the client that openapi-generator makes for Go.
package main

import (
	"context"
	"fmt"
	"os"

	explorer "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func main() {
	requests := requests()
	configuration := explorer.NewConfiguration()
	configuration.Servers = explorer.ServerConfigurations{{URL: os.Args[1]}}
	client := explorer.NewAPIClient(configuration)
	ctx := context.Background()
	blocks, _, err := client.BlocksAPI.GetBlocks(ctx).Limit(1).Execute()
	check(err)
	block := blocks.Blocks[0]
	same, _, err := client.BlocksAPI.GetBlock(ctx, block.StateHash).Execute()
	check(err)
	account, _, err := client.AccountsAPI.GetAccount(ctx, requests.PublicKey).Execute()
	check(err)
	summary, _, err := client.BlockchainAPI.GetSummary(ctx).Execute()
	check(err)
	fmt.Println("currency", block.ProtocolState.ConsensusState.TotalCurrency)
	fmt.Println("hash", same.Block.StateHash)
	fmt.Println("account", account.Account.PublicKey)
	fmt.Println("height", summary.BlockchainLength)
	at, _, err := client.BlocksAPI.GetBlockAtHeight(ctx, block.BlockHeight).Execute()
	check(err)
	fmt.Println("at", at.Block.StateHash)
	fate, _, err := client.TransactionsAPI.GetTransaction(ctx, requests.Included).Execute()
	check(err)
	fmt.Println("fate", fate.Transaction.State, *fate.Transaction.Command.Amount)
	_, answer, _ := client.TransactionsAPI.GetTransaction(ctx, requests.Missing).Execute()
	fmt.Println("missing", answer.StatusCode)
	broadcast(requests, func(kind string, text []byte) (string, error) {
		if kind == "payment" {
			body := read[explorer.TransactionBody](text)
			sent, _, err := client.BroadcastAPI.BroadcastTransaction(ctx).TransactionBody(body).Execute()
			return sent.GetMessage(), err
		}
		body := read[explorer.DelegationBody](text)
		sent, _, err := client.BroadcastAPI.BroadcastDelegation(ctx).DelegationBody(body).Execute()
		return sent.GetMessage(), err
	})
}
