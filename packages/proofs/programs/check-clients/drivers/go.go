// Drives the client that openapi-generator makes for Go. Arguments: address of the service, file of requests.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	explorer "github.com/GIT_USER_ID/GIT_REPO_ID"
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

func send(client *explorer.APIClient, kind string, text json.RawMessage) (string, error) {
	ctx := context.Background()
	if kind == "payment" {
		var body explorer.TransactionBody
		if err := json.Unmarshal(text, &body); err != nil {
			return "", err
		}
		sent, _, err := client.BroadcastAPI.BroadcastTransaction(ctx).TransactionBody(body).Execute()
		return sent.GetMessage(), err
	}
	var body explorer.DelegationBody
	if err := json.Unmarshal(text, &body); err != nil {
		return "", err
	}
	sent, _, err := client.BroadcastAPI.BroadcastDelegation(ctx).DelegationBody(body).Execute()
	return sent.GetMessage(), err
}

func main() {
	var requests input
	text, err := os.ReadFile(os.Args[2])
	check(err)
	check(json.Unmarshal(text, &requests))
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
	for _, request := range requests.Broadcasts {
		message, err := send(client, request.Kind, request.Body)
		if err != nil {
			fmt.Println("failed", request.Kind, request.Form, err)
		} else {
			fmt.Println("sent", request.Kind, request.Form, message)
		}
	}
}
