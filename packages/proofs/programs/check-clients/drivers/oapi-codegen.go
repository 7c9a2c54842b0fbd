// Drives the client that oapi-codegen makes. Arguments: address of the service, file of requests.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"check/explorer"
)

type input struct {
	PublicKey, Included, Missing string

	Broadcasts []struct {
		Kind, Form string
		Body       json.RawMessage
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func send(client *explorer.ClientWithResponses, kind string, text json.RawMessage) (int, string, error) {
	ctx := context.Background()
	if kind == "payment" {
		var body explorer.TransactionBody
		check(json.Unmarshal(text, &body))
		sent, err := client.BroadcastTransactionWithResponse(ctx, body)
		if err != nil {
			return 0, "", err
		}
		return sent.StatusCode(), string(sent.Body), nil
	}
	var body explorer.DelegationBody
	check(json.Unmarshal(text, &body))
	sent, err := client.BroadcastDelegationWithResponse(ctx, body)
	if err != nil {
		return 0, "", err
	}
	return sent.StatusCode(), string(sent.Body), nil
}

func main() {
	var requests input
	text, err := os.ReadFile(os.Args[2])
	check(err)
	check(json.Unmarshal(text, &requests))
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
	for _, request := range requests.Broadcasts {
		status, answer, err := send(client, request.Kind, request.Body)
		if err != nil || status != 201 {
			fmt.Println("failed", request.Kind, request.Form, status, err, answer)
		} else {
			fmt.Println("sent", request.Kind, request.Form)
		}
	}
}
