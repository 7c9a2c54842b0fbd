// Drives the client that oapi-codegen makes.
package main

import (
	"context"
	"fmt"
	"os"

	"check/explorer"
)

func main() {
	requests := requests()
	client, err := explorer.NewClientWithResponses(os.Args[1])
	check(err)
	ctx := context.Background()
	limit := int32(1)
	blocks, err := client.GetBlocksWithResponse(ctx, &explorer.GetBlocksParams{Limit: &limit})
	check(err)
	block := blocks.JSON200.Blocks[0]
	same, err := client.GetBlockWithResponse(ctx, block.StateHash, nil)
	check(err)
	account, err := client.GetAccountWithResponse(ctx, requests.PublicKey, nil)
	check(err)
	summary, err := client.GetSummaryWithResponse(ctx, nil)
	check(err)
	fmt.Println("currency", block.ProtocolState.ConsensusState.TotalCurrency)
	fmt.Println("hash", same.JSON200.Block.StateHash)
	fmt.Println("account", account.JSON200.Account.PublicKey)
	fmt.Println("height", summary.JSON200.BlockchainLength)
	at, err := client.GetBlockAtHeightWithResponse(ctx, block.BlockHeight, nil)
	check(err)
	fmt.Println("at", at.JSON200.Block.StateHash)
	fate, err := client.GetTransactionWithResponse(ctx, requests.Included, nil)
	check(err)
	fmt.Println("fate", fate.JSON200.Transaction.State, *fate.JSON200.Transaction.Command.Amount)
	missing, err := client.GetTransactionWithResponse(ctx, requests.Missing, nil)
	check(err)
	fmt.Println("missing", missing.StatusCode())
	accepted := func(status int, answer []byte) (string, error) {
		if status != 201 {
			return "", fmt.Errorf("%d %s", status, answer)
		}
		return string(answer), nil
	}
	broadcast(requests, func(kind string, text []byte) (string, error) {
		if kind == "payment" {
			sent, err := client.BroadcastTransactionWithResponse(ctx, read[explorer.TransactionBody](text))
			check(err)
			return accepted(sent.StatusCode(), sent.Body)
		}
		sent, err := client.BroadcastDelegationWithResponse(ctx, read[explorer.DelegationBody](text))
		check(err)
		return accepted(sent.StatusCode(), sent.Body)
	})
}
