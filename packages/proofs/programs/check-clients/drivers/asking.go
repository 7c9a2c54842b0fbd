// The work that every driver in Go has. Arguments: address of the service, file of requests.
package main

import (
	"encoding/json"
	"fmt"
	"os"
)

type input struct {
	PublicKey, Included, Missing, Orphan, Refusing string

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

func read[Value any](text []byte) (value Value) {
	check(json.Unmarshal(text, &value))
	return
}

func requests() input {
	text, err := os.ReadFile(os.Args[2])
	check(err)
	return read[input](text)
}

// Prints what the service says of each body that send posts.
func broadcast(bodies input, send func(kind string, text []byte) (string, error)) {
	for _, request := range bodies.Broadcasts {
		answer, err := send(request.Kind, request.Body)
		if err != nil {
			fmt.Println("failed", request.Kind, request.Form, err)
		} else {
			fmt.Println("sent", request.Kind, request.Form, answer)
		}
	}
}
