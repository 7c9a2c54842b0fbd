// Follows the chain, credits deposits, pays withdrawals and settles them: an exchange's day, to copy and to change.
//
// Go 1.21 or later, with nothing but its standard library. The folder holds keys.txt, your deposit addresses, one a line;
// orders.jsonl, to which you append a line of JSON for each withdrawal: {"id", "to", "amount", "memo"}, all texts, the amount in
// nanomina; {"raise": id} for a higher fee; {"cancel": id} for an order that no signed payment can pay; {"pay": id} for one that is
// held; and books.jsonl, the program's own. Both files of yours are read in every round. The program may be killed at any time. One
// at a time runs on a folder.
//
//	go build -o exchange .
//	./exchange run -url URL -network mainnet -folder FOLDER -from B62… -sign COMMAND
//	./exchange books -folder FOLDER [-order ID]
//	./exchange report -folder FOLDER -day 2026-01-31
//	./exchange report -folder FOLDER -from 2026-01-01 -to 2026-03-31 -key B62…
//	./exchange adopt -folder FOLDER [-lines]
//	./exchange memo E4Y…
//
// COMMAND gets the payment as JSON on its standard input, and prints {"hash", "signed"}: recipes/sign.mjs is one. If it fails, the
// order waits and the others go on. An order with a mistake is never signed: `books` and standard error have its line and the
// reason. Append it again, corrected.
//
// Exit codes: 2 for a mistake in the command, damaged books, or a folder that is not there or another wallet's; 3 where another
// program runs on it; 4 where the service is on another network than yours. `adopt` and `report` end with 5 while something is
// open, or else with 1: `adopt` until all was compared, `report` while its days may not be whole.
//
// A payment of the wallet that the books do not know stops the signing: the books may be an older copy, or another program may pay
// from this wallet. Standard error and `adopt` name each such payment with the line to append to orders.jsonl: {"adopt": hash,
// "order": id} if it paid an order, {"adopt": hash, "foreign": true} if not. Of two lines about a payment the later one counts. An
// order with the terms of a foreign payment is held. {"forget": key} ends the watch over a deposit address that is no longer in
// keys.txt.
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"math/big"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	mina         = "wSHV2S4qX9jFsLjQo8r1BsMLH2ZRKsZx6EJd1sbozGPieEC4Jf"
	alphabet     = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	neverExpires = "4294967295"
	// A daemon stops telling others of a payment some 50 minutes after it came. The same bytes wake it again.
	stale = 15 * time.Minute
	// The k of mainnet and devnet: no reorganisation there goes deeper.
	maxBelow = 290
	// So deep that a payment counts as made, though only k blocks make it final; from there on every twentieth block is looked at.
	safe, rarely = 15, 20

	maxLine                = 10_000
	maxSignedARound        = 10
	maxAmount       uint64 = 1<<64 - 1
	// How long an order waits after its signer failed; each time twice as long.
	firstPause, longestPause = 5 * time.Second, 10 * time.Minute
	// How long a walk over old blocks may hold up a round.
	walkTime = 10 * time.Second
)

// What the commands of a network are signed for. That of any other network its owners know: -signature-kind.
var kinds = map[string]string{"mainnet": "mainnet", "devnet": "testnet", "testnet": "testnet"}

// Refusals of the bytes themselves: no node can ever have taken them.
var forever = map[string]bool{"invalid-signature": true, "memo-too-long": true, "invalid-request": true}

// Trouble that does not pass: another chain knows nothing of your payments, and a deposit there is worth nothing.
var errNetwork = errors.New("another network")

// A mistake in an order. Time does not mend it, so the order is never signed.
type invalid string

func (reason invalid) Error() string { return string(reason) }

// The signer gave no signed payment. The order waits, and is signed later.
type signerFailure string

func (reason signerFailure) Error() string { return string(reason) }

var errHangs = errors.New("the signer hangs")

// The service gives no answer of its own.
type outage string

func (reason outage) Error() string { return string(reason) }

// The service was asked often enough in this minute.
var errLater = errors.New("enough was asked in this minute")

// No upstream has a block any more.
type gone string

func (reason gone) Error() string { return string(reason) }

// A mistake in the command line.
type usage string

func (reason usage) Error() string { return string(reason) }

func say(format string, values ...any) {
	fmt.Fprintf(os.Stderr, time.Now().UTC().Format(time.RFC3339)+" "+format+"\n", values...)
}

// Base58check: the form of keys, hashes and memos

func checksum(payload []byte) []byte {
	first := sha256.Sum256(payload)
	second := sha256.Sum256(first[:])
	return second[:4]
}

// The bytes that a text in base58check stands for; nil unless they are so many, with the right checksum.
func payloadOf(text string, size int) []byte {
	number := new(big.Int)
	for _, letter := range text {
		digit := strings.IndexRune(alphabet, letter)
		if digit < 0 {
			return nil
		}
		number.Mul(number, big.NewInt(58))
		number.Add(number, big.NewInt(int64(digit)))
	}
	if number.BitLen() > (size+4)*8 {
		return nil
	}
	whole := number.FillBytes(make([]byte, size+4))
	if !bytes.Equal(checksum(whole[:size]), whole[size:]) {
		return nil
	}
	return whole[:size]
}

// The order of the field in which a public key's coordinate lies.
var field, _ = new(big.Int).SetString("28948022309329048855892746252171976963363056481941560715954676764349967630337", 10)

func isPublicKey(text string) bool {
	if len(text) != 55 {
		return false
	}
	payload := payloadOf(text, 36)
	if payload == nil || !bytes.HasPrefix(payload, []byte{0xcb, 1, 1}) {
		return false
	}
	// The lowest byte comes first.
	coordinate := make([]byte, 32)
	for index, one := range payload[3:35] {
		coordinate[31-index] = one
	}
	return new(big.Int).SetBytes(coordinate).Cmp(field) < 0 && payload[35] <= 1
}

func isTransactionHash(text string) bool {
	return len(text) == 52 && bytes.HasPrefix(payloadOf(text, 34), []byte{0x1d, 0x20})
}

// Files of yours

// The bytes of a file in UTF-8, without a mark. Windows writes UTF-16 with one, and UTF-8 with or without.
func asUtf8(text []byte) []byte {
	isLow := bytes.HasPrefix(text, []byte{0xff, 0xfe})
	if !isLow && !bytes.HasPrefix(text, []byte{0xfe, 0xff}) {
		return bytes.TrimPrefix(text, []byte{0xef, 0xbb, 0xbf})
	}
	var whole []byte
	at := func(place int) rune {
		if isLow {
			return rune(text[place]) | rune(text[place+1])<<8
		}
		return rune(text[place])<<8 | rune(text[place+1])
	}
	for place := 2; place+1 < len(text); place += 2 {
		one := at(place)
		switch pair := rune(utf8.RuneError); {
		case !utf16.IsSurrogate(one):
			whole = utf8.AppendRune(whole, one)
		default:
			if place+3 < len(text) {
				pair = utf16.DecodeRune(one, at(place+2))
			}
			if pair != utf8.RuneError {
				whole = utf8.AppendRune(whole, pair)
				place += 2
			} else {
				// Half of a pair stays what it is: no UTF-8.
				whole = append(whole, byte(0xe0|one>>12), byte(0x80|one>>6&0x3f), byte(0x80|one&0x3f))
			}
		}
	}
	return whole
}

// What may be a private key, as Mina writes it or in hexadecimal: it is never printed.
var privateKey = regexp.MustCompile("EK[" + alphabet + "]{20,}|[0-9A-Fa-f]{64}")

// A text as JSON.
func quote(text string) string {
	var quoted bytes.Buffer
	encoder := json.NewEncoder(&quoted)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(text) != nil {
		return ""
	}
	return strings.TrimSuffix(quoted.String(), "\n")
}

// Memos

// A memo as the chain has it: base58check of a version, a tag, its length and 32 bytes.
func memoOnChain(text string) (string, error) {
	if len(text) > 32 {
		return "", fmt.Errorf("a memo has at most 32 bytes, this one %d", len(text))
	}
	payload := make([]byte, 35)
	copy(payload, append([]byte{0x14, 1, byte(len(text))}, text...))
	number, digit := new(big.Int).SetBytes(append(payload, checksum(payload)...)), new(big.Int)
	digits := ""
	for number.Sign() > 0 {
		number.DivMod(number, big.NewInt(58), digit)
		digits = string(alphabet[digit.Int64()]) + digits
	}
	return digits, nil
}

// The text of a memo of the chain; false where its checksum is wrong, or it holds bytes that are not text.
func memoText(memo string) (string, bool) {
	payload := payloadOf(memo, 35)
	if payload == nil || payload[2] > 32 || !utf8.Valid(payload[3:3+payload[2]]) {
		return "", false
	}
	text := string(payload[3 : 3+payload[2]])
	same, err := memoOnChain(text)
	return text, err == nil && same == memo
}

// Orders

type order struct {
	Id, To, Amount, Memo string
	Raise                string `json:",omitempty"`
	Cancel               string `json:",omitempty"`
	Pay                  string `json:",omitempty"`
	// Of orders.jsonl, where it lets an order be paid.
	Line int `json:",omitempty"`
}

// What a person says of a command of the wallet that the books did not know; without an order it is foreign.
type decision struct {
	Hash, Order string
	// Of orders.jsonl.
	Line int
	// Known once the command was seen: deep under the tip, or under so many blocks that nothing can reach it.
	Nonce           uint32
	IsDeep, IsFinal bool
	// Of one that is foreign. The amount is what it took beside its fee, "" where nobody knows.
	Receiver, Amount, Memo, Fee string
	// Of its block.
	Height int
	Time   string
}

// The same of nonces whose command nobody shows. It waits until the wallet's payments were compared.
type nonceDecision struct {
	Line        int
	First, Last uint32
	Order       string `json:",omitempty"`
	// How many orders stood before it.
	Orders int `json:",omitempty"`
}

// A line of orders.jsonl: one of these.
type orderLine struct {
	order  order
	adopt  *decision
	nonces *nonceDecision
	start  *uint32
	// Beside a start; 0 where none was given.
	startHeight int
	forget      string
}

var severalObjects = regexp.MustCompile(`}\s*\{`)

// The members of a JSON object. Of two with one name, nobody can say which is meant.
func membersOf(line []byte) (map[string]json.RawMessage, error) {
	if !json.Valid(line) {
		if severalObjects.Match(line) {
			return nil, invalid("several objects in one line")
		}
		return nil, invalid("not JSON")
	}
	decoder := json.NewDecoder(bytes.NewReader(line))
	if start, err := decoder.Token(); err != nil || start != json.Delim('{') {
		return nil, invalid("not an object with id, to, amount and memo")
	}
	members := map[string]json.RawMessage{}
	for decoder.More() {
		var value json.RawMessage
		name, err := decoder.Token()
		if err == nil {
			err = decoder.Decode(&value)
		}
		if err != nil {
			return nil, invalid("not JSON")
		}
		if _, isKnown := members[name.(string)]; isKnown {
			return nil, invalid("a member stands twice")
		}
		members[name.(string)] = value
	}
	return members, nil
}

// False for a text that has lost a character too: half of a surrogate pair reads as U+FFFD, which stands for a lost one.
func textOf(value json.RawMessage) (string, bool) {
	var text *string
	if json.Unmarshal(value, &text) != nil || text == nil || strings.ContainsRune(*text, utf8.RuneError) {
		return "", false
	}
	return *text, true
}

// An order has id, to, amount and perhaps memo, all texts. Other lines are about an order, the wallet's payments or a key. After
// an error an order has its id all the same, where that is a text.
func parseOrder(line []byte) (orderLine, error) {
	if len(line) > maxLine {
		return orderLine{}, invalid(fmt.Sprintf("the line is longer than %d bytes", maxLine))
	}
	if !utf8.Valid(line) {
		return orderLine{}, invalid("not UTF-8")
	}
	members, err := membersOf(line)
	if err != nil {
		return orderLine{}, err
	}
	var all orderLine
	found := &all.order
	places := map[string]*string{
		"id": &found.Id, "to": &found.To, "amount": &found.Amount, "memo": &found.Memo,
		"raise": &found.Raise, "cancel": &found.Cancel, "pay": &found.Pay,
	}
	found.Id, _ = textOf(members["id"])
	required := []string{"id", "to", "amount"}
	for _, name := range []string{"raise", "cancel", "pay", "forget"} {
		if members[name] == nil {
			continue
		}
		if required = nil; len(members) > 1 {
			return all, invalid(name + " stands alone")
		}
	}
	if members["start"] != nil || members["forget"] != nil || members["adopt"] != nil || members["adoptNonce"] != nil {
		return parseDecision(members)
	}
	for name := range members {
		if places[name] == nil {
			return all, invalid(fmt.Sprintf("unknown member %.40q", name))
		}
	}
	for _, name := range required {
		if members[name] == nil {
			return all, invalid("no " + name)
		}
	}
	for _, name := range []string{"id", "to", "amount", "memo", "raise", "cancel", "pay"} {
		value, isThere := members[name]
		text, isText := textOf(value)
		if isThere && (!isText || (text == "" && name != "memo")) {
			return all, invalid(name + " is not a text")
		}
		*places[name] = text
	}
	return all, nil
}

func parseDecision(members map[string]json.RawMessage) (orderLine, error) {
	if members["start"] != nil && len(members) > 1 && (len(members) > 2 || members["startHeight"] == nil) {
		return orderLine{}, invalid("start stands alone, or beside startHeight")
	}
	hash, isText := textOf(members["adopt"])
	for _, name := range []string{"adopt", "adoptNonce"} {
		if members[name] != nil && (len(members) != 2 || (members["order"] == nil) == (members["foreign"] == nil)) {
			return orderLine{}, invalid(name + ` needs either "order" or "foreign": true`)
		}
	}
	if members["adopt"] != nil && (!isText || !isTransactionHash(hash)) {
		return orderLine{}, invalid("adopt is not a transaction hash: a letter is wrong, missing or too many")
	}
	var nonces nonceDecision
	if members["adoptNonce"] != nil {
		first, last, isRange := strings.Cut(strings.Trim(string(members["adoptNonce"]), `"`), "-")
		if !isRange {
			last = first
		}
		var isFirst, isLast bool
		nonces.First, isFirst = nonceOf(first)
		nonces.Last, isLast = nonceOf(last)
		if !isFirst || !isLast || nonces.First > nonces.Last {
			return orderLine{}, invalid(`adoptNonce is not a nonce or a range such as "5-9"`)
		}
		if nonces.First != nonces.Last && members["order"] != nil {
			return orderLine{}, invalid("a range cannot pay one order")
		}
	}
	name, isText := textOf(members["order"])
	if members["order"] != nil && (!isText || name == "") {
		return orderLine{}, invalid("order is not a text")
	}
	if members["foreign"] != nil && string(members["foreign"]) != "true" {
		return orderLine{}, invalid("foreign is not true")
	}
	switch {
	case members["adopt"] != nil:
		return orderLine{adopt: &decision{Hash: hash, Order: name}}, nil
	case members["adoptNonce"] != nil:
		nonces.Order = name
		return orderLine{nonces: &nonces}, nil
	case members["start"] != nil:
		start, isNonce := nonceOf(strings.Trim(string(members["start"]), `"`))
		if !isNonce {
			return orderLine{}, invalid("start is not a nonce")
		}
		height := uint32(0)
		if text := members["startHeight"]; text != nil {
			if height, _ = nonceOf(strings.Trim(string(text), `"`)); height == 0 {
				return orderLine{}, invalid("startHeight is not the height of a block")
			}
		}
		return orderLine{start: &start, startHeight: int(height)}, nil
	}
	key, isText := textOf(members["forget"])
	if !isText || !isPublicKey(key) {
		return orderLine{}, invalid("forget is not a public key: a letter is wrong, missing or too many")
	}
	return orderLine{forget: key}, nil
}

func nonceOf(text string) (uint32, bool) {
	number, err := strconv.ParseUint(text, 10, 32)
	return uint32(number), err == nil && (text == "0" || text[0] != '0') && text[0] != '+'
}

var wholeNumber = regexp.MustCompile("^[1-9][0-9]{0,19}$")

func checkTerms(to, amount, memo, sender string) error {
	if !isPublicKey(to) {
		return invalid("to is not a public key: a letter is wrong, missing or too many")
	}
	if to == sender {
		return invalid("to is the wallet itself: nothing would be paid")
	}
	if _, err := strconv.ParseUint(amount, 10, 64); err != nil || !wholeNumber.MatchString(amount) {
		return invalid(fmt.Sprintf("amount is not a whole number of nanomina from 1 to %d", maxAmount))
	}
	if strings.ContainsRune(memo, utf8.RuneError) {
		return invalid("memo is not a text")
	}
	if len(memo) > 32 {
		return invalid(fmt.Sprintf("memo has %d bytes, more than 32", len(memo)))
	}
	return nil
}

// Nanomina of a balance, which has nine decimals.
func nanomina(mina string) (*big.Int, error) {
	whole, decimals, _ := strings.Cut(mina, ".")
	if len(decimals) > 9 {
		return nil, fmt.Errorf("%s is no balance", mina)
	}
	number, isNumber := new(big.Int).SetString(whole+decimals+strings.Repeat("0", 9-len(decimals)), 10)
	if !isNumber {
		return nil, fmt.Errorf("%s is no balance", mina)
	}
	return number, nil
}

func bigOf(digits string) *big.Int {
	number, isNumber := new(big.Int).SetString(digits, 10)
	if !isNumber {
		return new(big.Int)
	}
	return number
}

// The service

type service struct {
	url, network, kind string
	client             http.Client
	checkedAt          time.Time
	k                  int
	// In nanomina; nil where the service does not name it.
	accountFee *big.Int
	// When the costly questions of the last minute were asked.
	costlyPerMinute int
	costlyAt        []time.Time
}

func newService(address, network, kind string, costlyPerMinute int) *service {
	if kind == "" {
		kind = kinds[network]
	}
	// Behind a redirect a broadcast would become a GET.
	stop := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	client := http.Client{Timeout: 30 * time.Second, CheckRedirect: stop}
	return &service{url: strings.TrimRight(address, "/"), network: network, kind: kind, client: client, costlyPerMinute: costlyPerMinute}
}

// The service's own answer into a value. Any error passes.
func (s *service) ask(path string, body []byte, into any) (int, http.Header, error) {
	method := http.MethodGet
	if body != nil {
		method = http.MethodPost
	}
	request, err := http.NewRequest(method, s.url+path, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	request.Header.Set("content-type", "application/json")
	asked, _, _ := strings.Cut(path, "?")
	asked = method + " " + asked
	answer, err := s.client.Do(request)
	if err != nil {
		// Without the terms in the address, and without the service's own.
		return 0, nil, outage(fmt.Sprintf("%s: %v", asked, errors.Unwrap(err)))
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, nil, outage(fmt.Sprintf("%s: %v", asked, err))
	}
	var said struct{ Message string }
	switch status := answer.StatusCode; {
	case status != 200 && status != 201 && status != 400 && status != 404:
		return 0, nil, outage(fmt.Sprintf("%s: %d", asked, status))
	case status != 200:
		// The gateway has these words for a path that it does not know.
		if json.Unmarshal(text, &said) != nil || said.Message == "Not Found" {
			return 0, nil, outage(fmt.Sprintf("%s: %d: something else answers", asked, status))
		}
		return status, answer.Header, nil
	}
	if err := json.Unmarshal(text, into); err != nil {
		return 0, nil, outage(fmt.Sprintf("%s: %v", asked, err))
	}
	return 200, answer.Header, nil
}

// False for what does not exist.
func (s *service) get(path string, into any) (bool, error) {
	status, _, err := s.ask(path, nil, into)
	if err == nil && status == 400 {
		err = fmt.Errorf("%s: the service takes no such question", path)
	}
	return status == 200, err
}

// A fate, a history or a pool: services allow few of these in a minute. One with a share leaves the others some.
func (s *service) getCostly(path string, share float64, into any) (bool, error) {
	now := time.Now()
	s.costlyAt = slices.DeleteFunc(s.costlyAt, func(each time.Time) bool { return now.Sub(each) >= time.Minute })
	if float64(len(s.costlyAt)) >= share*float64(s.costlyPerMinute) {
		return false, errLater
	}
	s.costlyAt = append(s.costlyAt, now)
	return s.get(path, into)
}

// Compares your network with the service's, once a minute. Never take it from the service.
func (s *service) checkNetwork() error {
	if time.Since(s.checkedAt) < time.Minute {
		return nil
	}
	var found struct {
		NetworkName, SignatureKind string
		K                          int
		AccountCreationFee         json.Number
	}
	if _, err := s.get("/network", &found); err != nil {
		return err
	}
	if found.NetworkName == "" || found.K == 0 {
		return errors.New("something else answers at this address")
	}
	if found.NetworkName != s.network {
		return fmt.Errorf("%w: the service is on %s, not on %s", errNetwork, found.NetworkName, s.network)
	}
	// A service over an older node does not say what to sign for.
	if kind := found.SignatureKind; kind != "" && s.kind != "" && kind != s.kind {
		return fmt.Errorf("%w: the service takes payments signed for %s, not for %s", errNetwork, kind, s.kind)
	}
	s.checkedAt, s.k, s.accountFee = time.Now(), found.K, bigOf(found.AccountCreationFee.String())
	return nil
}

// Follow the chain

type command struct {
	Hash, From, To string
	Nonce          uint32
	Amount, Fee    *big.Int
	Memo           string
	IsDelegation   bool
	FailureReason  *string
	FeePayer       struct{ PublicKey string }
	BalanceChanges []struct {
		PublicKey, TokenId string
		Amount             *big.Int
	}
}

type block struct {
	StateHash     string
	BlockHeight   int
	DateTime      string
	ProtocolState struct{ PreviousStateHash string }
	Transactions  struct {
		UserCommands []command
		// Nil where they are not known now.
		ZkappCommands []command
	}
}

// The block taken last, and the state hashes under it, the highest first: a reorganisation is undone by them.
type cursor struct {
	Height int
	Hashes []string
}

// A block on top of the last cursor's, or the loss of that block; neither where there is none yet.
type step struct {
	added    *block
	height   int
	orphaned string
	// Of the lost block.
	parent string
}

// The block at a height by the tip of the answer that shows it: behind one address two answers may be two daemons', of which one
// stands still. Nil for no block there; false where the tips of four answers are too low.
func (s *service) deepAt(height, confirmations int, advice string) (*block, bool, error) {
	for asked := 0; asked < 4; asked++ {
		var found struct{ Block *block }
		path := fmt.Sprintf("/blocks/height/%d", height)
		status, headers, err := s.ask(path, nil, &found)
		if err != nil {
			return nil, false, err
		}
		if status != 200 && status != 404 {
			return nil, false, fmt.Errorf("%s: the service takes no such question", path)
		}
		tip, err := strconv.Atoi(headers.Get("x-chain-height"))
		if err != nil {
			return nil, false, errors.New("the answer does not name its tip: x-chain-height is missing")
		}
		if tip < height+confirmations {
			continue
		}
		if found.Block == nil && tip-height >= 30 {
			return nil, false, gone(fmt.Sprintf("no upstream has block %d any more: %s", height, advice))
		}
		return found.Block, true, nil
	}
	return nil, false, nil
}

// After a hard fork, whose first block is final: a state hash names the same block in every answer.
func (s *service) isForkedAway(at cursor) (bool, error) {
	var network struct{ GenesisStateHash string }
	if ok, err := s.get("/network", &network); err != nil || !ok {
		return false, err
	}
	var found struct {
		Block *struct{ BlockHeight int }
	}
	if _, err := s.get("/blocks/"+network.GenesisStateHash, &found); err != nil || found.Block == nil {
		return false, err
	}
	place := at.Height - found.Block.BlockHeight
	return place >= 0 && place < len(at.Hashes) && at.Hashes[place] != network.GenesisStateHash, nil
}

// The next step above a cursor. Without one it begins at a first height, or at 0 for the highest that has its confirmations.
func (s *service) nextStep(at cursor, confirmations, first int) (step, error) {
	// Where to look. Nothing is counted from it.
	var tip struct{ BlockchainLength int }
	if _, err := s.get("/summary", &tip); err != nil {
		return step{}, err
	}
	if tip.BlockchainLength == 0 {
		return step{}, errors.New("/summary: the answer has no blockchainLength")
	}
	highest, isFirst := tip.BlockchainLength-confirmations, len(at.Hashes) == 0
	var height int
	if height = at.Height + 1; isFirst {
		if height = highest; first > 0 {
			height = min(first, highest)
		}
	}
	advice := "connect an indexer"
	if height > 0 && height <= highest {
		later := advice
		if isFirst {
			later += `, or begin later, by --from-height or {"start": 0, "startHeight": "N"}`
		}
		found, _, err := s.deepAt(height, confirmations, later)
		if err != nil {
			return step{}, err
		}
		if found != nil && (isFirst || found.ProtocolState.PreviousStateHash == at.Hashes[0]) {
			return step{added: found, height: height}, nil
		}
	}
	if isFirst {
		return step{}, nil
	}
	// Only another block in its place, under enough others, shows a loss; under a lower tip, which may be that of a node that
	// lags, only a hard fork does.
	var isLost bool
	if highest >= at.Height {
		there, _, err := s.deepAt(at.Height, confirmations, advice)
		if err != nil {
			return step{}, err
		}
		isLost = there != nil && there.StateHash != at.Hashes[0]
	} else {
		var err error
		if isLost, err = s.isForkedAway(at); err != nil {
			return step{}, err
		}
	}
	if !isLost {
		return step{}, nil
	}
	lost := step{orphaned: at.Hashes[0], height: at.Height - 1}
	if len(at.Hashes) > 1 {
		lost.parent = at.Hashes[1]
		return lost, nil
	}
	// A first cursor knows no block under it.
	var found struct{ Block *block }
	if _, err := s.get("/blocks/"+lost.orphaned, &found); err != nil {
		return step{}, err
	}
	if found.Block == nil {
		return step{}, fmt.Errorf("nobody knows the parent of %s: give an older cursor", lost.orphaned)
	}
	lost.parent = found.Block.ProtocolState.PreviousStateHash
	return lost, nil
}

// Deposits

type deposit struct {
	Id, Key, Hash string
	Amount        *big.Int
	StateHash     string
	// Of the block; books of an earlier version lack them.
	Height int    `json:",omitempty"`
	Time   string `json:",omitempty"`
}

// Payments and positive changes of MINA to your keys. A sender uses a nonce once, so that the id stays after a reorganisation.
func depositsIn(found *block, keys map[string]bool) ([]deposit, error) {
	if found.Transactions.ZkappCommands == nil {
		return nil, fmt.Errorf("the zkApp commands of block %s are missing", found.StateHash)
	}
	var all []deposit
	add := func(from string, paid command, key string, amount *big.Int) {
		if _, isWatched := keys[key]; isWatched && amount != nil && amount.Sign() > 0 {
			id := fmt.Sprintf("%s/%d/%s", from, paid.Nonce, key)
			all = append(all, deposit{id, key, paid.Hash, amount, found.StateHash, found.BlockHeight, found.DateTime})
		}
	}
	for _, paid := range found.Transactions.UserCommands {
		if !paid.IsDelegation && paid.FailureReason == nil && paid.From != paid.To {
			add(paid.From, paid, paid.To, paid.Amount)
		}
	}
	for _, paid := range found.Transactions.ZkappCommands {
		for _, change := range paid.BalanceChanges {
			if paid.FailureReason == nil && change.TokenId == mina {
				add(paid.FeePayer.PublicKey, paid, change.PublicKey, change.Amount)
			}
		}
	}
	return all, nil
}

// The books: a journal of which each line is one transaction, so that a crash leaves all of it or nothing.

// A line of orders.jsonl that is never signed. Its id may be that of a good order, so the line number names it; 0 for an order
// that an earlier version took without a check.
type mistake struct {
	Line   int    `json:"line"`
	Id     string `json:"id,omitempty"`
	Reason string `json:"reason"`
}

type bid struct {
	Hash, OrderId string
	Nonce         uint32
	Fee           int64
	Body          json.RawMessage
	Terms         map[string]string
	MayBeSent     bool
	IsTaken       bool
	// A person has told of it: it has no bytes.
	IsAdopted bool `json:",omitempty"`
	// It was seen in a block with 15 on top.
	IsDeep bool `json:",omitempty"`
	// Why it failed in its block; or `rival`, where another command with its nonce is in one.
	Failure string `json:",omitempty"`
	SentAt  time.Time
	End     string
	// Of the block that holds it; books of an earlier version lack them.
	Height int    `json:",omitempty"`
	Time   string `json:",omitempty"`
}

const rival = "rival"

type entry struct {
	Height   int       `json:",omitempty"`
	Added    string    `json:",omitempty"`
	Deposits []deposit `json:",omitempty"`
	Orphaned string    `json:",omitempty"`
	Parent   string    `json:",omitempty"`
	Time     string    `json:",omitempty"`
	Orders   []order   `json:",omitempty"`
	Mistakes []mistake `json:",omitempty"`
	// Lines of orders.jsonl that were taken, and their hash; an earlier version had none but good ones, and counted these.
	Taken     int    `json:",omitempty"`
	TakenHash string `json:",omitempty"`
	// They were taken from the first one again.
	Reread  bool     `json:",omitempty"`
	Bid     *bid     `json:",omitempty"`
	Dropped []string `json:",omitempty"`
	// Addresses that are watched from now on, that keys.txt was said to lack, and that are not watched any more.
	Keys   []string `json:",omitempty"`
	Missed []string `json:",omitempty"`
	Forgot []string `json:",omitempty"`
	Start  *uint32  `json:",omitempty"`
	Wallet string   `json:",omitempty"`
	// From which block a person wants deposits, and that with which the books begin.
	StartHeight int `json:",omitempty"`
	First       int `json:",omitempty"`
	// A walk over old blocks begins at this one; the step is that walk's; it is over.
	WalkFrom      int  `json:",omitempty"`
	OfWalk        bool `json:",omitempty"`
	IsWalked      bool `json:",omitempty"`
	IsWalkDropped bool `json:",omitempty"`
	// Height of the chain, and whether the wallet was compared since the program's start and the last decision.
	Tip      int        `json:",omitempty"`
	Compared *bool      `json:",omitempty"`
	Adopted  []decision `json:",omitempty"`
	// Hashes whose decision did not fit.
	Undecided []string        `json:",omitempty"`
	Adopting  []nonceDecision `json:",omitempty"`
	// The line of a decision that waits no more, and the nonces that it decided.
	AdoptedLine   int      `json:",omitempty"`
	AdoptedNonces []uint32 `json:",omitempty"`
	Foreign       *foreign `json:",omitempty"`
	// The wallet's payments below the start are among the adopted ones.
	IsEarlierRead bool `json:",omitempty"`
}

// What a person has to decide: commands that are not in the books, and the wallet's nonce where a start is missing.
type foreign struct {
	Nonce    *uint32          `json:",omitempty"`
	Payments []foreignPayment `json:",omitempty"`
}

// Without a hash the nonces from Nonce to Last, whose commands nobody shows.
type foreignPayment struct {
	Nonce, Last                               uint32
	Hash, Kind, Receiver, Amount, Memo, State string
	// The order that asks for it, or several.
	Order  string   `json:",omitempty"`
	Orders []string `json:",omitempty"`
	// Those that ask for the same with another memo.
	OtherMemo []string `json:",omitempty"`
	// How those of all these ended that are cancelled.
	Ended map[string]string `json:",omitempty"`
	// Another open payment has the same terms.
	HasTwin bool `json:",omitempty"`
}

// Of a key that came late: the block from which its deposits are in the books, and the time up to which they are not.
type lateness struct {
	height int
	time   string
}

// A walk over old blocks, the time of its first one, and the late keys that it covers.
type oldWalk struct {
	from   int
	time   string
	cursor cursor
	keys   []string
}

type books struct {
	file *os.File
	// Of its whole lines.
	length int64
	cursor cursor
	// Of the block taken last.
	time     string
	deposits map[string]deposit
	// What a reorganisation took, until it is credited again.
	takenBack map[string]deposit
	// See the members of `entry`.
	startHeight, first, tip int
	firstTime               string
	isCompared, isStartNew  bool
	orders                  []order
	mistakes                []mistake
	// Lines of orders.jsonl that were taken, and their hash.
	taken     int
	takenHash string
	// By hash, and by order their hashes, how many are wanted of it, its content, and how it ended without a payment.
	bids   map[string]bid
	hashes map[string][]string
	wanted map[string]int
	known  map[string]order
	ended  map[string]string
	// By order: its end before a payment was adopted, and the lines that let it be paid, and that took its payment.
	before             map[string]string
	payLine, freedLine map[string]int
	// Addresses that are watched, and whether it was said that keys.txt lacks them.
	keys map[string]bool
	late map[string]lateness
	// Nil while none is under way.
	walk *oldWalk
	// The nonce from which these books count; nil where nobody has said so.
	start *uint32
	// Whose nonces these books have; "" where they have none.
	wallet        string
	isEarlierRead bool
	// By hash.
	adopted       map[string]decision
	adopting      []nonceDecision
	adoptedNonces map[uint32]bool
	foreign       foreign
}

// The program that holds the lock writes them; all others read.
func openBooks(folder string, isWriter bool) (*books, error) {
	b := &books{
		deposits: map[string]deposit{}, takenBack: map[string]deposit{}, bids: map[string]bid{}, hashes: map[string][]string{},
		wanted: map[string]int{}, known: map[string]order{}, ended: map[string]string{},
		before: map[string]string{}, payLine: map[string]int{}, freedLine: map[string]int{},
		keys: map[string]bool{}, late: map[string]lateness{}, adopted: map[string]decision{}, adoptedNonces: map[uint32]bool{},
	}
	name := filepath.Join(folder, "books.jsonl")
	if isWriter {
		file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return nil, err
		}
		b.file = file
	}
	text, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			return nil, usage(folder + ": no such folder")
		}
	} else if err != nil {
		return nil, err
	}
	// A crash may have cut the last line.
	whole := text[:bytes.LastIndexByte(text, '\n')+1]
	for index, line := range bytes.Split(whole, []byte("\n")) {
		var one entry
		if len(line) == 0 {
			continue
		}
		if err := json.Unmarshal(line, &one); err != nil {
			advice := "put back a copy, or move it away and start without books"
			return nil, usage(fmt.Sprintf("%s is damaged (line %d: %v): %s", name, index+1, err, advice))
		}
		b.apply(one)
	}
	b.length = int64(len(whole))
	return b, nil
}

func (b *books) write(one entry) error {
	line, err := json.Marshal(one)
	if err != nil {
		return err
	}
	line = append(line, '\n')
	// A crash or a full disk may have left part of a line.
	if err := b.file.Truncate(b.length); err != nil {
		return err
	}
	if _, err := b.file.WriteAt(line, b.length); err != nil {
		return err
	}
	if err := b.file.Sync(); err != nil {
		return err
	}
	b.length += int64(len(line))
	b.apply(one)
	return nil
}

func (b *books) apply(one entry) {
	if one.First != 0 {
		// Books of an earlier version were walked anew from there.
		b.first, b.firstTime, b.cursor = one.First, one.Time, cursor{}
		clear(b.late)
		maps.DeleteFunc(b.deposits, func(_ string, each deposit) bool { return each.Height >= one.First })
	}
	if one.Tip != 0 {
		b.tip = one.Tip
	}
	if one.Compared != nil {
		b.isCompared = *one.Compared
		// Beside a start it is false: a person has set it.
		b.isStartNew = !b.isCompared && (b.isStartNew || one.Start != nil)
	}
	if one.StartHeight != 0 {
		b.startHeight = one.StartHeight
	}
	at, time := &b.cursor, &b.time
	if one.WalkFrom != 0 {
		b.beginWalk(one.WalkFrom)
	}
	if one.OfWalk {
		at, time = &b.walk.cursor, new(string)
		if one.Height <= b.walk.from {
			time = &b.walk.time
		}
	}
	if one.Added != "" {
		hashes := append([]string{one.Added}, at.Hashes...)
		*at, *time = cursor{one.Height, hashes[:min(len(hashes), 1+maxBelow)]}, one.Time
	}
	for _, each := range one.Deposits {
		if _, isKnown := b.deposits[each.Id]; !isKnown {
			b.deposits[each.Id] = each
		}
		delete(b.takenBack, each.Id)
	}
	if one.Orphaned != "" {
		under := append([]string{one.Parent}, at.Hashes[min(2, len(at.Hashes)):]...)
		*at = cursor{one.Height, under}
		for id, each := range b.deposits {
			if each.StateHash == one.Orphaned {
				b.takenBack[id] = each
				delete(b.deposits, id)
			}
		}
	}
	if one.IsWalkDropped {
		b.walk = nil
	}
	if one.IsWalked {
		b.endWalk()
	}
	if one.Reread {
		// What lost lines have said counts as said by the first.
		b.mistakes = slices.DeleteFunc(slices.Clone(b.mistakes), func(each mistake) bool { return each.Line > 0 })
		for hash, each := range b.adopted {
			each.Line = 1
			b.adopted[hash] = each
		}
		for name := range b.freedLine {
			b.freedLine[name] = 1
		}
		clear(b.payLine)
	}
	for _, each := range one.Orders {
		b.taken++
		switch {
		case each.Raise != "":
			b.wanted[each.Raise]++
		case each.Cancel != "":
			b.ended[each.Cancel] = "cancelled"
		case each.Pay != "":
			b.payLine[each.Pay] = each.Line
		case b.wanted[each.Id] == 0:
			b.orders = append(b.orders, each)
			b.wanted[each.Id], b.known[each.Id] = 1, each
		}
	}
	for _, each := range one.Mistakes {
		b.mistakes = append(b.mistakes, each)
		if each.Line == 0 {
			b.ended[each.Id] = "invalid"
		}
	}
	if one.Taken > 0 || one.TakenHash != "" {
		b.taken, b.takenHash = one.Taken, one.TakenHash
	}
	for _, nonce := range one.AdoptedNonces {
		name := ""
		if one.Bid != nil {
			name = one.Bid.OrderId
		}
		b.free(fmt.Sprintf("nonce %d", nonce), name, one.AdoptedLine)
	}
	if one.Bid != nil {
		if _, isKnown := b.bids[one.Bid.Hash]; !isKnown {
			b.hashes[one.Bid.OrderId] = append(b.hashes[one.Bid.OrderId], one.Bid.Hash)
		}
		b.bids[one.Bid.Hash] = *one.Bid
		// Books of an earlier version name their wallet in bids alone.
		if from := one.Bid.Terms["from"]; from != "" {
			b.wallet = from
		}
		if end := b.ended[one.Bid.OrderId]; end != "" && one.Bid.IsAdopted {
			b.before[one.Bid.OrderId] = end
			delete(b.ended, one.Bid.OrderId)
		}
	}
	b.applyDecisions(one)
	for _, hash := range one.Dropped {
		b.drop(hash)
	}
}

func (b *books) drop(hash string) {
	name := b.bids[hash].OrderId
	delete(b.bids, hash)
	b.hashes[name] = slices.DeleteFunc(slices.Clone(b.hashes[name]), func(each string) bool { return each == hash })
}

// Takes a payment that was adopted from another order than this one. That waits for a person then.
func (b *books) free(hash, name string, line int) {
	if one := b.bids[hash]; one.IsAdopted && one.OrderId != name {
		b.drop(hash)
		b.freedLine[one.OrderId] = line
		if end := b.before[one.OrderId]; end != "" {
			b.ended[one.OrderId] = end
		}
	}
}

// From which block the deposits to all keys but the late ones are in the books. Of those of an earlier version nobody knows it.
func (b *books) began() int {
	if b.first == 0 {
		return b.cursor.Height + 1
	}
	return b.first
}

func (b *books) beginWalk(from int) {
	b.walk = &oldWalk{from: from}
	for key := range b.keys {
		height := b.began()
		if late, isLate := b.late[key]; isLate {
			height = late.height
		}
		if height > from {
			b.walk.keys = append(b.walk.keys, key)
		}
	}
}

func (b *books) endWalk() {
	for _, key := range b.walk.keys {
		b.late[key] = lateness{b.walk.from, b.walk.time}
	}
	if b.first == 0 || b.walk.from < b.first {
		b.first, b.firstTime = b.walk.from, b.walk.time
	}
	b.walk = nil
}

func (b *books) applyDecisions(one entry) {
	// Books of an earlier version that kept no keys have watched them from their first block.
	areLate := len(b.cursor.Hashes) > 0 && (b.first != 0 || len(b.keys) > 0)
	for _, key := range one.Keys {
		if b.keys[key] = false; areLate {
			b.late[key] = lateness{b.cursor.Height + 1, b.time}
		}
	}
	for _, key := range one.Missed {
		b.keys[key] = true
	}
	for _, key := range one.Forgot {
		delete(b.keys, key)
		delete(b.late, key)
		if b.walk != nil {
			b.walk.keys = slices.DeleteFunc(b.walk.keys, func(each string) bool { return each == key })
		}
	}
	if one.Start != nil {
		b.start = one.Start
	}
	if one.Wallet != "" {
		b.wallet = one.Wallet
	}
	b.isEarlierRead = b.isEarlierRead || one.IsEarlierRead
	for _, each := range one.Adopted {
		b.free(each.Hash, each.Order, each.Line)
		b.adopted[each.Hash] = each
	}
	for _, hash := range one.Undecided {
		delete(b.adopted, hash)
	}
	b.adopting = append(b.adopting, one.Adopting...)
	for _, said := range one.Adopting {
		// A foreign one may have paid any of them.
		for _, each := range b.orders[:said.Orders] {
			if said.Order == "" && b.isUnpaid(each.Id) {
				b.freedLine[each.Id] = said.Line
			}
		}
	}
	if one.AdoptedLine != 0 {
		isDone := func(each nonceDecision) bool { return each.Line == one.AdoptedLine }
		b.adopting = slices.DeleteFunc(b.adopting, isDone)
	}
	for _, nonce := range one.AdoptedNonces {
		b.adoptedNonces[nonce] = true
	}
	if one.Foreign != nil {
		b.foreign = *one.Foreign
	}
}

// A copy to which lines of orders.jsonl can be applied before they are written.
func (b *books) copyForOrders() *books {
	return &books{
		orders: slices.Clip(b.orders), mistakes: slices.Clip(b.mistakes), adopting: slices.Clip(b.adopting), start: b.startNonce(),
		bids: maps.Clone(b.bids), hashes: maps.Clone(b.hashes), wanted: maps.Clone(b.wanted), known: maps.Clone(b.known),
		ended: maps.Clone(b.ended), before: b.before, payLine: maps.Clone(b.payLine), freedLine: maps.Clone(b.freedLine),
		keys: maps.Clone(b.keys), adopted: maps.Clone(b.adopted),
	}
}

// Books of an earlier version count from the least nonce of their bids.
func (b *books) startNonce() *uint32 {
	start := b.start
	if start == nil {
		for _, one := range b.bids {
			if nonce := one.Nonce; start == nil || nonce < *start {
				start = &nonce
			}
		}
	}
	return start
}

// The lowest nonce first, and of a nonce the highest fee.
func (b *books) bidsWhere(isWanted func(bid) bool) []bid {
	var found []bid
	for _, each := range b.bids {
		if isWanted(each) {
			found = append(found, each)
		}
	}
	sortBids(found)
	return found
}

// Orders that are signed or sent once it is clear that no other payment of the wallet has paid them.
func (b *books) doubted() []string {
	var names []string
	for _, each := range b.orders {
		if b.isUnpaid(each.Id) && b.orderShown(each)["state"] == "perhaps paid" {
			names = append(names, each.Id)
		}
	}
	return names
}

func (b *books) hasSent(name string) bool {
	return slices.ContainsFunc(b.bidsOf(name), func(one bid) bool { return one.MayBeSent || one.End != "" })
}

func (b *books) isUnpaid(name string) bool {
	return b.ended[name] == "" && !b.hasSent(name)
}

// Of an order without a payment: those that paid it by a line, and that no comparison has found yet.
func (b *books) expected(name string) []string {
	var hashes []string
	for _, one := range b.adopted {
		if _, isBid := b.bids[one.Hash]; one.Order == name && !isBid && !b.hasSent(name) {
			hashes = append(hashes, one.Hash)
		}
	}
	slices.Sort(hashes)
	return hashes
}

// Of an order without a payment that a person must let be paid: the payments that may have paid it, which are foreign ones with its
// terms, or those that a line names. Nil for all others.
func (b *books) heldBy(each order) []string {
	hashes := b.expected(each.Id)
	if hashes != nil || !b.isUnpaid(each.Id) {
		return hashes
	}
	if b.freedLine[each.Id] > b.payLine[each.Id] {
		hashes = []string{}
	}
	for _, one := range b.adopted {
		isAlike := one.Order == "" && one.Receiver == each.To && one.Amount == each.Amount && readable(one.Memo) == each.Memo
		if isAlike && one.Line > b.payLine[each.Id] {
			hashes = append(hashes, one.Hash)
		}
	}
	slices.Sort(hashes)
	return hashes
}

// The payments of an order that has several in blocks.
func (b *books) paidTwice(name string) []string {
	var hashes []string
	nonces := map[uint32]bool{}
	for _, one := range b.bidsOf(name) {
		if one.End == "paid" || (one.End == "" && one.Height != 0 && one.Failure == "") {
			hashes, nonces[one.Nonce] = append(hashes, one.Hash), true
		}
	}
	if len(nonces) < 2 {
		return nil
	}
	return hashes
}

// What a person must know of orders: those that are held, and those that are paid twice.
func (b *books) linesOfOrders() (held, twice []string) {
	for _, each := range b.orders {
		name, hashes := quote(each.Id), b.heldBy(each)
		why, adopt := "by your lines it may be paid", ""
		if len(hashes) > 0 {
			why = fmt.Sprintf("foreign %s has its terms", strings.Join(hashes, " and "))
			adopt = fmt.Sprintf(`{"adopt": "%s", "order": %s} if that paid it, `, hashes[0], name)
		}
		switch expected := b.expected(each.Id); {
		case expected != nil && b.isCompared:
			line := "order %s is held, since no block and no pool shows %s, by your line its payment: append {\"adopt\": \"%s\", \"foreign\": true} if that did not pay it"
			held = append(held, fmt.Sprintf(line, each.Id, strings.Join(expected, " and "), expected[0]))
		// Until the comparison is over it may be found.
		case expected == nil && hashes != nil:
			then := fmt.Sprintf(`{"pay": %s} if it is still to be paid, or {"cancel": %s}`, name, name)
			held = append(held, fmt.Sprintf("order %s is held, since %s: append %s%s", each.Id, why, adopt, then))
		}
		if paid := b.paidTwice(each.Id); paid != nil {
			twice = append(twice, fmt.Sprintf("order %s is paid twice, by %s", each.Id, strings.Join(paid, " and ")))
		}
	}
	return held, twice
}

// What a person must look at, whatever the day.
func (b *books) toDecide() []string {
	var lines []string
	if b.foreign.Nonce != nil || len(b.foreign.Payments) > 0 {
		lines = append(lines, "payments of the wallet are not in these books: `adopt` names them")
	}
	held, _ := b.linesOfOrders()
	return append(lines, held...)
}

// In the same order.
func (b *books) bidsOf(name string) []bid {
	var found []bid
	for _, hash := range b.hashes[name] {
		found = append(found, b.bids[hash])
	}
	sortBids(found)
	return found
}

func sortBids(found []bid) {
	sort.Slice(found, func(one, other int) bool {
		if found[one].Nonce != found[other].Nonce {
			return found[one].Nonce < found[other].Nonce
		}
		return found[one].Fee > found[other].Fee
	})
}

// An order as a person reads it.
func (b *books) orderShown(each order) map[string]any {
	hashes, ends := b.hashes[each.Id], map[string]bid{}
	state, isSent := "waiting", false
	var best bid
	for _, hash := range hashes {
		best = b.bids[hash]
		isSent = isSent || best.End == "" && best.MayBeSent
		// Of the open ones that which is in a block, or else the last.
		if best.End != "" || ends[""].Height == 0 {
			ends[best.End] = best
		}
	}
	if end := b.ended[each.Id]; end != "" {
		state = end
	}
	for _, end := range []string{"replaced", "refused", "", "failed", "paid"} {
		one, isThere := ends[end]
		switch {
		case !isThere:
		case end == "refused" || end == "replaced":
			if b.ended[each.Id] == "" {
				state = end
			}
		case end != "":
			best, state = one, end
		case one.Height != 0:
			if best, state = one, "included"; one.Failure != "" {
				state = "failing"
			}
		case one.Failure == rival:
			best, state = one, "being replaced"
		case isSent:
			best, state = one, "sent"
		default:
			best, state = one, "signed"
		}
	}
	// Where nobody shows what the wallet has paid, it may be any order.
	mayBePaid := b.foreign.Nonce != nil || b.isStartNew || slices.ContainsFunc(b.foreign.Payments, func(one foreignPayment) bool {
		return one.Hash == "" || (one.Receiver == each.To && one.Amount == each.Amount)
	})
	heldBy := b.heldBy(each)
	isInBlock := state == "included" || state == "failing"
	if (mayBePaid || heldBy != nil) && !isInBlock && state != "paid" && state != "failed" {
		state = "perhaps paid"
	}
	shown := map[string]any{"state": state, "amount": each.Amount, "bids": len(hashes)}
	addKnown(shown, map[string]any{"heldBy": append([]string(nil), heldBy...), "paidTwice": b.paidTwice(each.Id)})
	isHeld := b.foreign.Nonce != nil || b.isStartNew || len(b.foreign.Payments) > 0 || heldBy != nil
	if isHeld && b.ended[each.Id] == "" && (state == "waiting" || state == "signed" || state == "perhaps paid") {
		shown["isHeld"] = true
	}
	if isInBlock {
		shown["confirmations"] = max(0, b.tip-best.Height)
	}
	if isInBlock || ((state == "paid" || state == "failed") && best.Height != 0) {
		shown["block"] = best.Height
	}
	if len(hashes) > 0 {
		shown["nonce"] = best.Nonce
		// Of a nonce that a person has told of nobody knows more.
		isTold := strings.HasPrefix(best.Hash, "nonce ")
		if !isTold {
			shown["hash"] = best.Hash
		}
		if !isTold && (state == "paid" || state == "failed") {
			shown["fee"] = fmt.Sprint(best.Fee)
		}
	}
	return shown
}

func (b *books) oneOrder(name string) (any, error) {
	var shown map[string]any
	if known, isKnown := b.known[name]; isKnown {
		shown = b.orderShown(known)
	}
	var lines []mistake
	for _, each := range b.mistakes {
		switch {
		case each.Id != name:
		case shown == nil || shown["state"] == "invalid":
			shown = map[string]any{"state": "invalid", "line": each.Line, "id": name, "reason": each.Reason}
		default:
			lines = append(lines, each)
			shown["invalid"] = lines
		}
	}
	if shown == nil {
		return nil, errors.New("there is no order " + name)
	}
	return shown, nil
}

func (b *books) shown() any {
	sums, deposits, withdrawals := map[string]*big.Int{}, map[string]string{}, map[string]any{}
	for _, each := range b.deposits {
		if sums[each.Key] == nil {
			sums[each.Key] = new(big.Int)
		}
		deposits[each.Key] = sums[each.Key].Add(sums[each.Key], each.Amount).String()
	}
	for _, each := range b.orders {
		withdrawals[each.Id] = b.orderShown(each)
	}
	var payments []any
	for _, each := range b.foreign.Payments {
		payments = append(payments, each.shown())
	}
	mistakes := append([]mistake{}, b.mistakes...)
	shown := map[string]any{
		"height": b.cursor.Height, "deposits": deposits, "withdrawals": withdrawals, "invalid": mistakes,
		"tip": b.tip, "isCompared": b.isCompared,
	}
	if shown["time"] = any(nil); b.time != "" {
		shown["time"] = b.time
	}
	began, late := map[string]any{}, map[string]int{}
	if b.first != 0 {
		began["height"], began["time"] = b.first, b.firstTime
	}
	for _, key := range b.lateKeys("", "") {
		late[key] = b.late[key].height
		began["keys"] = late
	}
	if len(began) > 0 {
		shown["depositsFrom"] = began
	}
	if b.walk != nil {
		shown["walk"] = map[string]int{"from": b.walk.from, "height": b.walk.cursor.Height}
	}
	var takenBack []any
	for _, each := range b.takenBack {
		takenBack = append(takenBack, map[string]any{
			"key": each.Key, "amount": each.Amount.String(), "hash": each.Hash, "height": each.Height,
		})
	}
	addKnown(shown, map[string]any{"foreign": payments, "takenBack": takenBack})
	return shown
}

// Members that are not empty.
func addKnown(shown, members map[string]any) {
	for name, value := range members {
		if !reflect.ValueOf(value).IsZero() {
			shown[name] = value
		}
	}
}

// What came and went in the blocks of some days, UTC, in nanomina: time, height, kind, id, key, amount, fee, hash. Of one key, or
// of all for "".
func (b *books) report(first, last, key string) [][]string {
	type row struct {
		height int
		values []string
	}
	var rows []row
	add := func(height int, time string, values ...string) {
		day := time[:min(10, len(time))]
		if day != "" && first <= day && day <= last && (key == "" || values[2] == key) {
			rows = append(rows, row{height, append([]string{time, fmt.Sprint(height)}, values...)})
		}
	}
	for _, each := range b.deposits {
		add(each.Height, each.Time, "deposit", each.Id, each.Key, each.Amount.String(), "0", each.Hash)
	}
	for _, one := range b.bids {
		ordered := b.known[one.OrderId]
		kind, amount := map[string]string{"paid": "withdrawal", "failed": "failed"}[one.End], ordered.Amount
		// The fee alone is gone; also where the wallet paid itself, which an earlier version took.
		if kind == "failed" || ordered.To == one.Terms["from"] {
			amount = "0"
		}
		if kind != "" {
			add(one.Height, one.Time, kind, one.OrderId, ordered.To, amount, fmt.Sprint(one.Fee), one.Hash)
		}
	}
	for _, each := range b.adopted {
		if each.Order == "" && each.IsFinal {
			add(each.Height, each.Time, "foreign", "", each.Receiver, each.Amount, each.Fee, each.Hash)
		}
	}
	sort.Slice(rows, func(one, other int) bool {
		if rows[one].height != rows[other].height {
			return rows[one].height < rows[other].height
		}
		return slices.Compare(rows[one].values, rows[other].values) < 0
	})
	table := [][]string{{"time", "height", "kind", "id", "key", "amount", "fee", "hash"}}
	for _, each := range rows {
		table = append(table, each.values)
	}
	return table
}

// Which deposits, on this day or later, are not in these books; books of an earlier version do not know.
func (b *books) leftOut(day string) []string {
	if b.first <= 1 || day > b.firstTime[:min(10, len(b.firstTime))] {
		return nil
	}
	return []string{fmt.Sprintf("deposits before block %d of %s are not in these books: --from-height 1, or the first block of lost books, credits them", b.first, b.firstTime)}
}

// Keys, or this one, whose deposits on this day or later are in these books only from a block on.
func (b *books) lateKeys(day, key string) []string {
	var found []string
	for each, late := range b.late {
		isThen := late.time == "" || day <= late.time[:min(10, len(late.time))]
		if late.height > b.first && isThen && (key == "" || each == key) {
			found = append(found, each)
		}
	}
	sort.Slice(found, func(one, other int) bool {
		left, right := found[one], found[other]
		if b.late[left].height != b.late[right].height {
			return b.late[left].height > b.late[right].height
		}
		return left < right
	})
	return found
}

func (b *books) linesOfLate(keys []string) []string {
	var lines []string
	for _, key := range keys[:min(5, len(keys))] {
		lines = append(lines, fmt.Sprintf("deposits to %s before block %d are not in these books: --from-height %d credits them", key, b.late[key].height, max(1, b.first)))
	}
	if len(keys) > 5 {
		lines = append(lines, fmt.Sprintf("the same holds for others, which `books` has in depositsFrom: %d", len(keys)-5))
	}
	return lines
}

// Nonces whose command no reorganisation can reach.
func (b *books) settledNonces() map[uint32]bool {
	settled := maps.Clone(b.adoptedNonces)
	for _, one := range b.bids {
		if one.End == "paid" || one.End == "failed" {
			settled[one.Nonce] = true
		}
	}
	for _, each := range b.adopted {
		if each.IsFinal {
			settled[each.Nonce] = true
		}
	}
	return settled
}

// Why a report of these days may not be whole.
func (b *books) gaps(first, last, key string) []string {
	found := append(b.leftOut(first), b.linesOfLate(b.lateKeys(first, key))...)
	if _, isWatched := b.keys[key]; key != "" && !isWatched {
		found = append(found, key+" is not watched: these books lack its deposits, or some of them")
	}
	end := b.time
	if end == "" {
		end = fmt.Sprint(b.cursor.Height)
	}
	if len(b.cursor.Hashes) == 0 {
		found = append(found, "the books are empty: they have no block")
	} else if b.time[:min(10, len(b.time))] <= last {
		found = append(found, "the day is not over: the books end at "+end)
	}
	open, settled := 0, b.settledNonces()
	// A raised payment has several bids, with one nonce.
	sent := map[uint32]bool{}
	for _, each := range b.adopted {
		if each.Order == "" && each.Fee != "" && !settled[each.Nonce] {
			open++
		}
	}
	for _, one := range b.bids {
		if one.End == "" && !one.SentAt.IsZero() && !settled[one.Nonce] {
			sent[one.Nonce] = true
		}
	}
	if open += len(sent); open > 0 {
		found = append(found, fmt.Sprintf("not settled, and perhaps of this day: %d of the wallet's payments", open))
	}
	return found
}

// What a reader of any report must know.
func (b *books) remarks() []string {
	_, twice := b.linesOfOrders()
	found, undated := append(b.toDecide(), twice...), len(b.adoptedNonces)
	for _, each := range b.adopted {
		if each.Order == "" && each.IsFinal && each.Time == "" {
			undated++
		}
	}
	for _, one := range b.bids {
		if (one.End == "paid" || one.End == "failed") && one.Time == "" && !b.adoptedNonces[one.Nonce] {
			undated++
		}
	}
	for _, each := range b.deposits {
		if each.Time == "" {
			undated++
		}
	}
	if undated > 0 {
		found = append(found, fmt.Sprintf("without a time, of an earlier version or of {\"adoptNonce\"}, and in no report: %d of the entries", undated))
	}
	return found
}

// What a person reads of commands that are not in the books, and what to append to orders.jsonl

func (each foreignPayment) shown() any {
	if each.Hash == "" {
		shown := map[string]any{"nonce": each.Nonce, "last": each.Last, "state": each.State}
		addKnown(shown, map[string]any{"order": each.Order})
		return shown
	}
	shown := map[string]any{
		"nonce": each.Nonce, "hash": each.Hash, "kind": each.Kind, "receiver": nil, "amount": each.Amount, "memo": each.Memo,
		"state": each.State,
	}
	addKnown(shown, map[string]any{
		"receiver": each.Receiver, "order": each.Order, "orders": each.Orders, "otherMemo": each.OtherMemo,
		"ended": each.Ended, "hasTwin": each.HasTwin,
	})
	return shown
}

func listed(names []string) string {
	text := strings.Join(names[:min(20, len(names))], ", ")
	if len(names) > 20 {
		text += fmt.Sprintf(" and %d more", len(names)-20)
	}
	return text
}

func (each foreignPayment) lines() []string {
	nonces := fmt.Sprintf("%d-%d", each.Nonce, each.Last)
	first := fmt.Sprintf("nonces %s: commands used them that nobody shows: %s", nonces, each.State)
	name, all, one := "adoptNonce", quote(nonces), "N"
	switch {
	case each.Hash != "":
		what := each.Kind
		if each.Kind == "payment" {
			what = each.Amount + " nanomina"
		}
		if each.Receiver != "" {
			what += " to " + each.Receiver
		}
		memo := quote(each.Memo)
		first = fmt.Sprintf("nonce %d: %s is not in these books: %s, memo %s, %s", each.Nonce, each.Hash, what, memo, each.State)
		name, all, one = "adopt", quote(each.Hash), quote(each.Hash)
	case each.Nonce == each.Last:
		first = fmt.Sprintf("nonce %d: a command used it that nobody shows: %s", each.Nonce, each.State)
		all, one = fmt.Sprint(each.Nonce), fmt.Sprint(each.Nonce)
	default:
		one = `"N"`
	}
	lines := []string{first}
	if strings.HasSuffix(each.State, "no indexer") {
		them := "them"
		if each.Nonce == each.Last {
			them = "it"
		}
		lines = append(lines, fmt.Sprintf("  connect an indexer to the service, which shows what used %s; only if you cannot:", them))
	}
	alike := each.Orders
	if each.Order != "" {
		alike = []string{each.Order}
	}
	ask := func(orders []string, what string) {
		var names []string
		for _, name := range orders {
			if end := each.Ended[name]; end != "" {
				name += " (" + end + ")"
			}
			names = append(names, name)
		}
		asking, order := fmt.Sprintf("orders %s ask for %s. If it was paid by one", listed(names), what), "ID"
		if len(orders) == 1 && each.HasTwin {
			asking = fmt.Sprintf("order %s asks for %s, and another payment here is the same. If it was paid by this one", names[0], what)
		} else if len(orders) == 1 {
			asking, order = fmt.Sprintf("order %s asks for %s. If it was paid by it", names[0], what), orders[0]
		}
		if len(orders) > 0 {
			lines = append(lines, fmt.Sprintf(`  %s, append to orders.jsonl: {"%s": %s, "order": %s}`, asking, name, one, quote(order)))
		}
	}
	ask(alike, "this")
	ask(each.OtherMemo, "this with another memo")
	if len(alike)+len(each.OtherMemo) == 0 {
		lines = append(lines, fmt.Sprintf(`  if it paid an order, append to orders.jsonl: {"%s": %s, "order": "ID"}`, name, one))
	}
	// What is cancelled is not paid.
	isEnded := func(name string) bool { return each.Ended[name] != "" }
	held, paid := slices.DeleteFunc(slices.Clone(alike), isEnded), slices.DeleteFunc(slices.Clone(each.OtherMemo), isEnded)
	if len(held)+len(paid) > 1 {
		lines = append(lines, `  the others of these are paid then: append {"cancel": "ID"} first for one that must not be`)
	}
	var then []string
	if len(held) > 0 {
		then = append(then, `held then until {"pay": "ID"}: `+listed(held))
	}
	if len(paid) > 0 {
		then = append(then, "paid then: "+listed(paid))
	}
	// There are no terms to compare with an order's.
	if each.Hash == "" {
		then = append(then, `each order without a payment is held then, until {"pay": "ID"}`)
	}
	told := ""
	if then != nil {
		told = " (" + strings.Join(then, "; ") + ")"
	}
	return append(lines, fmt.Sprintf(`  if its order is lost, append that order instead; only if it was for no order at all%s: {"%s": %s, "foreign": true}`, told, name, all))
}

// All that a person has to know and to type, but for the commands that were told already.
func (f foreign) lines(told []foreignPayment) []string {
	var lines []string
	if f.Nonce != nil {
		lines = append(lines,
			fmt.Sprintf("orders.jsonl has lines, these books have no signed payment, and the wallet's nonce is %d: nothing is signed", *f.Nonce),
			`  if books were lost, restore them; else append {"start": 0}, or the nonce of the first payment that these orders may`+
				" have made, to orders.jsonl: from there on each payment of the wallet is compared with these books;"+
				` "startHeight" beside it is the block from which deposits are credited again`,
			"  only if none of these orders was ever signed, by these books or others, run once with --fresh: it compares their terms alone")
	}
	lowest := uint32(math.MaxUint32)
	for _, each := range f.Payments {
		lowest = min(lowest, each.Nonce)
		if !slices.ContainsFunc(told, func(one foreignPayment) bool { return reflect.DeepEqual(one, each) }) {
			lines = append(lines, each.lines()...)
		}
	}
	if len(f.Payments) > 0 {
		lines = append(lines, fmt.Sprintf("nothing is signed, and nothing from nonce %d on is sent, until each of these has its line", lowest))
	}
	return lines
}

// The exchange

type exchange struct {
	service        *service
	books          *books
	folder, sender string
	sign           []string
	signTime       time.Duration
	confirmations  int
	// 0 where none was given. From the second, keys that came late are credited, until a walk does that: it holds for those that
	// this start finds.
	fromHeight, lateHeight int
	// In this round, and what was said since the last round without trouble.
	isTroubled           bool
	troubles             map[string]bool
	maxFee               int64
	nextNonce, usedNonce uint32
	// Not locked at the tip.
	liquid *big.Int
	// By order: when to ask the signer again, and the pause after the next failure.
	pauses map[string]pause
	said   map[string]bool
	// The tip of the account's answer.
	tip                  int
	isFresh, isRereading bool
	// Of the payments before these books. Nil until they are read.
	earlier *earlier
	// What orders.jsonl lacked in the last round, "" for nothing.
	lack string
	// What stood behind the last line end of orders.jsonl.
	unended string
	// The keys that keys.txt had when it was read last; nil where it cannot be read.
	listed map[string]bool
	// By hash of a bid.
	fates map[string]look
	// What the last whole comparison found in blocks, one that is under way, when it began, the tip that it was made for, that of
	// its history, and the nonces whose command nobody showed.
	found          history
	walk           *history
	comparedAt     time.Time
	comparedTip    int
	comparedHeight int
	suspects       map[uint32]bool
	// Hashes of bids that the last comparison found in a block or a pool, and nonces that foreign commands use.
	seen       map[string]bool
	usedByThem map[uint32]bool
	// Hashes of bids that were sent, and no answer told what became of them.
	unclear map[string]bool
	told    foreign
}

// The fate of a bid, and the height of the tip when it was asked for.
type look struct {
	tip  int
	fate fate
}

// How far the payments before these books were read: the least nonce, and where the next page begins.
type earlier struct {
	least  uint32
	before string
}

// The wallet's commands in blocks, by nonce, and the heights of the blocks that were seen.
type history struct {
	commands   map[uint32]shownCommand
	blocks     map[string]int
	before     string
	hasIndexer bool
}

type shownCommand struct {
	Command command
	// Nil in a pool.
	Block *place
	// Of the wallet's balance, where a history shows it.
	Change *big.Int
}

// Nanomina that a command took from the wallet beside its fee, "" where nobody knows. A failed one may yet succeed.
func (found shownCommand) amount(isFinal bool) string {
	one := found.Command
	switch {
	case kindOf(one) == "payment" && !isFinal:
		return one.Amount.String()
	case found.Change != nil:
		cost := new(big.Int).Add(found.Change, one.Fee)
		return cost.Neg(cost).String()
	case kindOf(one) == "payment" && one.FailureReason == nil:
		return one.Amount.String()
	}
	return ""
}

func readable(memo string) string {
	if text, isMemo := memoText(memo); isMemo {
		return text
	}
	return memo
}

type place struct {
	StateHash   string
	BlockHeight int
	DateTime    string
}

type pause struct {
	until time.Time
	next  time.Duration
}

func (e *exchange) sayOnce(subject, format string, values ...any) {
	if !e.said[subject] {
		e.said[subject] = true
		say(format, values...)
	}
}

func (e *exchange) keep(one entry) {
	must(e.books.write(one))
}

// An error that ends the step under way, and no other. It never leaves `attempt`, as in encoding/json's encoder.
type stepError struct{ error }

func must(err error) {
	if err != nil {
		panic(stepError{err})
	}
}

// Trouble in one step leaves the others alone. A mistake of this program ends it.
func (e *exchange) attempt(step func()) {
	defer func() {
		thrown := recover()
		trouble, isTrouble := thrown.(stepError)
		if thrown != nil && !isTrouble {
			panic(thrown)
		}
		err := trouble.error
		if thrown == nil || errors.Is(err, errLater) {
			return
		}
		e.isTroubled = true
		subject, isOutage := err.Error(), outage("")
		if errors.As(err, &isOutage) {
			subject = "outage"
		}
		if !e.troubles[subject] {
			e.troubles[subject] = true
			say("again later: %v", err)
		}
	}()
	step()
}

func (e *exchange) round() {
	isRead := false
	e.attempt(e.watchKeys)
	e.attempt(func() { e.readAccount(); isRead = true })
	e.attempt(e.takeOrders)
	if isRead {
		e.attempt(e.withdraw)
	}
	// Last, since books that lie far behind take long.
	if e.listed != nil {
		e.attempt(e.credit)
		e.attempt(e.walkAgain)
	}
}

func (e *exchange) withdraw() {
	if e.tip != e.books.tip {
		e.keep(entry{Tip: e.tip})
	}
	// What a reorganisation took out of its block.
	isLost := func(one bid) bool {
		return one.End == "" && one.Nonce >= e.usedNonce && one.Height+len(one.Failure) > 0
	}
	for _, one := range e.books.bidsWhere(isLost) {
		one.Height, one.Failure = 0, ""
		e.keep(entry{Bid: &one})
	}
	e.settle()
	e.attempt(e.pay)
}

// Sends and signs only after a look at what else the wallet has paid.
func (e *exchange) pay() {
	held, twice := e.books.linesOfOrders()
	for _, line := range append(held, twice...) {
		e.sayOnce(line, "%s", line)
	}
	orders, raised := e.ordersToSign(), []string(nil)
	if len(e.bidsToSend()) == 0 && len(orders) == 0 && e.tip == e.comparedTip {
		return
	}
	for _, each := range orders {
		if len(e.books.hashes[each.Id]) > 0 {
			raised = append(raised, each.Id)
		}
	}
	lowest := e.compare()
	e.dropHeld()
	// What is signed already never waits for a signer.
	e.attempt(func() { e.send(lowest) })
	if lowest == nothing {
		e.attempt(e.signOrders)
	}
	for _, name := range raised {
		if len(e.books.foreign.Payments) > 0 {
			e.sayOnce("raise "+name, "%s is not raised while `adopt` names a payment", name)
		}
	}
}

// What is signed for an order that is held, and no node has, must never be sent.
func (e *exchange) dropHeld() {
	for _, one := range e.books.bidsWhere(func(one bid) bool { return one.End == "" && !one.MayBeSent }) {
		if e.books.heldBy(e.books.known[one.OrderId]) != nil {
			e.refuse(one, true)
		}
	}
}

func (e *exchange) readAccount() {
	var found struct {
		Account *struct {
			Nonce, NextNonce uint32
			Balance          struct {
				Total string
				// Nil without a vesting schedule.
				LockedBalance *string
			}
		}
	}
	_, headers, err := e.service.ask("/accounts/"+e.sender, nil, &found)
	must(err)
	if e.tip, err = strconv.Atoi(headers.Get("x-chain-height")); err != nil {
		must(errors.New("the answer does not name its tip: x-chain-height is missing"))
	}
	if found.Account == nil {
		must(errors.New("the wallet has no account: fund it"))
	}
	liquid, err := nanomina(found.Account.Balance.Total)
	must(err)
	if text := found.Account.Balance.LockedBalance; text != nil {
		locked, err := nanomina(*text)
		must(err)
		liquid.Sub(liquid, locked)
	}
	e.usedNonce, e.nextNonce, e.liquid = found.Account.Nonce, found.Account.NextNonce, liquid
}

// The block from which a person wants deposits; 0 where nobody has said so.
func (e *exchange) firstHeight() int {
	if e.fromHeight == 0 || e.books.startHeight == 0 {
		return max(e.fromHeight, e.books.startHeight)
	}
	return min(e.fromHeight, e.books.startHeight)
}

func (e *exchange) credit() {
	for over := time.Now().Add(walkTime); time.Now().Before(over); {
		isFirst, wanted := len(e.books.cursor.Hashes) == 0, e.firstHeight()
		next, err := e.service.nextStep(e.books.cursor, e.confirmations, wanted)
		must(err)
		if next == (step{}) {
			return
		}
		one := e.entryOf(next)
		if isFirst {
			one.First = next.height
		}
		e.keep(one)
		if isFirst && wanted == 0 {
			for _, line := range e.books.leftOut("") {
				say("%s", line)
			}
		}
	}
}

// Credits the deposits of a block, or takes back those of a lost one, and says so.
func (e *exchange) entryOf(next step) entry {
	if next.added != nil {
		deposits, err := depositsIn(next.added, e.books.keys)
		must(err)
		for _, each := range deposits {
			if _, isBack := e.books.takenBack[each.Id]; isBack {
				say("credited again: %d nanomina of %s, %s in block %d", each.Amount, each.Key, each.Hash, each.Height)
			}
		}
		// Without an indexer the history may end before their fate is asked for.
		for hash, each := range e.ownIn(next.added) {
			one := e.books.bids[hash]
			if one.Height, one.Failure = next.added.BlockHeight, ""; each.FailureReason != nil {
				one.Failure = *each.FailureReason
			}
			one.IsDeep = one.IsDeep || e.confirmations >= safe
			e.keep(entry{Bid: &one})
			delete(e.fates, hash)
		}
		return entry{Height: next.height, Added: next.added.StateHash, Time: next.added.DateTime, Deposits: deposits}
	}
	for _, each := range e.books.deposits {
		if each.StateHash == next.orphaned {
			say("taken back: %d nanomina of %s, %s in block %d, which the chain lost", each.Amount, each.Key, each.Hash, each.Height)
		}
	}
	return entry{Height: next.height, Orphaned: next.orphaned, Parent: next.parent}
}

// Credits from a lower block what the books lack, beside `credit`, until both are at one block. What is credited stays.
func (e *exchange) walkAgain() {
	e.beginWalk()
	for over := time.Now().Add(walkTime); e.books.walk != nil && time.Now().Before(over); {
		walk, at := e.books.walk, e.books.walk.cursor
		said := fmt.Sprintf("walking again from block %d, to credit what is missing: what is credited stays", walk.from)
		e.sayOnce(said, "%s", said)
		// Not before: a deposit that a lost block of this walk held may be in any block up to there.
		if len(at.Hashes) > 0 && at.Height == e.books.cursor.Height && at.Hashes[0] == e.books.cursor.Hashes[0] {
			e.keep(entry{IsWalked: true})
			say("the walk from block %d is over", walk.from)
			return
		}
		next, err := e.service.nextStep(at, e.confirmations, walk.from)
		must(err)
		if next == (step{}) {
			return
		}
		one := e.entryOf(next)
		one.OfWalk = true
		e.keep(one)
	}
}

func (e *exchange) beginWalk() {
	asked, wanted, walk := 0, e.firstHeight(), e.books.walk
	// A walk that has taken a block ends first: it alone knows which of its blocks the chain may have lost.
	if len(e.books.cursor.Hashes) == 0 || (walk != nil && (len(walk.cursor.Hashes) > 0 || walk.from >= wanted)) {
		return
	}
	if walk != nil {
		e.keep(entry{IsWalkDropped: true})
	}
	if e.lateHeight != 0 && slices.ContainsFunc(e.books.lateKeys("", ""), func(key string) bool {
		return e.books.late[key].height > e.lateHeight
	}) {
		asked = e.lateHeight
	}
	if wanted != 0 && wanted < e.books.began() && (asked == 0 || wanted < asked) {
		asked = wanted
	}
	if e.lateHeight = 0; asked != 0 {
		e.keep(entry{WalkFrom: asked})
	}
}

// Adds what keys.txt has to the books, where a key stays: a file may be half written.
func (e *exchange) watchKeys() {
	e.listed = nil
	text, err := os.ReadFile(filepath.Join(e.folder, "keys.txt"))
	if err != nil {
		var reason *os.PathError
		if errors.As(err, &reason) {
			err = reason.Err
		}
		e.sayOnce("keys.txt", "keys.txt cannot be read (%v): nothing is credited until it can", err)
		return
	}
	delete(e.said, "keys.txt")
	var added, gone []string
	listed, wrong := map[string]bool{}, 0
	for number, line := range strings.Split(string(asUtf8(text)), "\n") {
		for _, word := range strings.Fields(line) {
			_, isKnown := e.books.keys[word]
			subject := fmt.Sprintf("keys.txt %d %s", number+1, word)
			switch {
			case listed[word]:
			case isKnown || isPublicKey(word):
				listed[word] = true
				if !isKnown {
					added = append(added, word)
				}
			case !e.said[subject]:
				e.said[subject] = true
				if wrong++; wrong <= 20 {
					sayWrongKey(number+1, word)
				}
			}
		}
	}
	if wrong > 20 {
		say("keys.txt: further words that are no public keys: %d", wrong-20)
	}
	for key, isSaid := range e.books.keys {
		// Whoever writes the file anew may be in the middle, so two reads in a row must lack it.
		switch {
		case listed[key]:
			delete(e.said, "lacks "+key)
		case !isSaid && e.said["lacks "+key]:
			gone = append(gone, key)
		default:
			e.said["lacks "+key] = true
		}
	}
	slices.Sort(gone)
	for _, key := range gone[:min(5, len(gone))] {
		say(`keys.txt lacks %s: it is watched all the same; to end that append {"forget": "%s"} to orders.jsonl`, key, key)
	}
	if len(gone) > 5 {
		say("further keys that keys.txt lacks, and that are watched all the same: %d", len(gone)-5)
	}
	if len(added)+len(gone) > 0 {
		e.keep(entry{Keys: added, Missed: gone})
		late := slices.DeleteFunc(e.books.lateKeys("", ""), func(key string) bool { return !slices.Contains(added, key) })
		for _, line := range e.books.linesOfLate(late) {
			say("%s", line)
		}
	}
	e.listed = listed
}

func sayWrongKey(number int, word string) {
	if privateKey.MatchString(word) {
		say("keys.txt, line %d: a private key, not shown: take it out of this file, and move its funds if others could read it", number)
		return
	}
	letters := []rune(word)
	shown := quote(string(letters[:min(60, len(letters))]))
	say("keys.txt, line %d: %s is not a public key: a letter is wrong, missing or too many", number, shown)
}

// The whole lines, and what is behind them.
func (e *exchange) orderLines() (whole [][]byte, rest string) {
	text, err := os.ReadFile(filepath.Join(e.folder, "orders.jsonl"))
	must(err)
	lines := bytes.Split(asUtf8(text), []byte("\n"))
	last := len(lines) - 1
	return lines[:last], string(bytes.TrimSpace(lines[last]))
}

// Of lines of orders.jsonl, however they end.
func hashOf(lines [][]byte) string {
	sum := sha256.New()
	for _, line := range lines {
		sum.Write(bytes.Trim(line, " \t\r"))
		sum.Write([]byte("\n"))
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}

func (e *exchange) takeOrders() {
	lines, rest := e.orderLines()
	// A line without its end is still being written, unless it stays so.
	if rest != "" && rest == e.unended {
		e.sayOnce("unended "+rest, "orders.jsonl, line %d: it has no line end, and is taken once it has one", len(lines)+1)
	}
	e.unended = rest
	before, known := e.books.taken, e.books.takenHash
	isWhole := len(lines) >= before && (known == "" || known == hashOf(lines[:before]))
	why := ""
	switch {
	case isWhole:
	case len(lines) < before:
		why = fmt.Sprintf("orders.jsonl has %d of the %d lines that were taken", len(lines), before)
	default:
		why = fmt.Sprintf("the first %d lines of orders.jsonl are not those that were taken", before)
	}
	// Whoever writes the file anew may be in the middle of it.
	isSure := why == e.lack
	e.lack = why
	if !isWhole && !isSure {
		return
	}
	if !isWhole && !e.isRereading {
		if !e.said["orders.jsonl"] {
			say("%s: no line is taken until they are back", why)
			say("  put the newest file back, and append what is new;" +
				" orders of lost lines are in `books` and are paid: never order them under another id")
			say("  if lines are lost for good, start once with --reread-orders:" +
				" the file is taken from its first line, and no order that `books` has is paid again")
		}
		e.said["orders.jsonl"] = true
		return
	}
	delete(e.said, "orders.jsonl")
	if e.isRereading && isWhole {
		say("--reread-orders does nothing: orders.jsonl has all lines that were taken; take it out of the command")
	}
	e.isRereading = false
	if !isWhole {
		before = 0
	} else if len(lines) == before && (known != "" || before == 0) {
		return
	}
	taken, trial, isDecided := entry{Taken: len(lines), TakenHash: hashOf(lines), Reread: !isWhole}, e.books.copyForOrders(), false
	trial.apply(entry{Reread: !isWhole})
	for number := before + 1; number <= len(lines); number++ {
		line := bytes.Trim(lines[number-1], " \t\r")
		if len(line) == 0 {
			continue
		}
		one, err := parseOrder(line)
		if err == nil {
			err = e.check(trial, one)
		}
		var made entry
		switch {
		case err != nil:
			made.Mistakes = []mistake{invalidLine(number, one.order.Id, err)}
			taken.Mistakes = append(taken.Mistakes, made.Mistakes...)
		case one.adopt != nil:
			said := trial.adopted[one.adopt.Hash]
			// The same line may come twice, and says nothing new; of others the later one counts.
			if said.Line <= 1 || said.Order != one.adopt.Order {
				if said.Line > 0 && said.Order != one.adopt.Order {
					// Its nonce may lie below what was walked.
					said.IsDeep, said.IsFinal = false, false
					e.found, e.walk = history{}, nil
				}
				said.Hash, said.Order, said.Line = one.adopt.Hash, one.adopt.Order, number
				made.Adopted = []decision{said}
				taken.Adopted = append(taken.Adopted, said)
			}
		case one.nonces != nil:
			one.nonces.Line, one.nonces.Orders = number, len(trial.orders)
			made.Adopting = []nonceDecision{*one.nonces}
			taken.Adopting = append(taken.Adopting, *one.nonces)
		case one.start != nil:
			made.Start, taken.Start = one.start, one.start
			if height := one.startHeight; height != 0 {
				taken.StartHeight = height
			}
		case one.forget != "":
			made.Forgot = []string{one.forget}
			taken.Forgot = append(taken.Forgot, one.forget)
		default:
			if one.order.Pay != "" {
				one.order.Line = number
			}
			made.Orders = []order{one.order}
			taken.Orders = append(taken.Orders, one.order)
		}
		isDecided = isDecided || one.adopt != nil || one.nonces != nil || one.start != nil
		trial.apply(made)
	}
	if isDecided {
		taken.Compared, e.comparedTip = new(bool), 0
	}
	e.keep(taken)
	if taken.Start != nil {
		// What was walked ends at the old start.
		e.found, e.walk = history{}, nil
	}
}

func invalidLine(number int, name string, err error) mistake {
	say("%s: invalid: %v", strings.TrimSuffix(fmt.Sprintf("orders.jsonl, line %d, %s", number, name), ", "), err)
	return mistake{number, name, err.Error()}
}

// A line beside the books that the lines before it have made.
func (e *exchange) check(b *books, line orderLine) error {
	isOrder := func(name string) error {
		if _, isKnown := b.known[name]; name != "" && !isKnown {
			return invalid("there is no order " + name + ": append it, then this line")
		}
		return nil
	}
	switch {
	case line.start != nil:
		if b.start != nil && *line.start > *b.start {
			return invalid(fmt.Sprintf("these books count from nonce %d on: a start can only be lowered", *b.start))
		}
	case line.adopt != nil:
		if err := isOrder(line.adopt.Order); err != nil {
			return err
		}
		if own, isKnown := b.bids[line.adopt.Hash]; isKnown && !own.IsAdopted && own.OrderId != line.adopt.Order {
			return invalid("these books signed " + own.Hash + " for " + own.OrderId)
		}
	case line.nonces != nil:
		return isOrder(line.nonces.Order)
	case line.forget != "":
		if e.listed == nil {
			return invalid("keys.txt cannot be read now: append this line again")
		}
		if e.listed[line.forget] {
			return invalid(line.forget + " is in keys.txt: take it out there first")
		}
		if _, isWatched := b.keys[line.forget]; !isWatched {
			return invalid(line.forget + " is not watched")
		}
	default:
		return b.checkOrder(line.order, e.sender, e.usedNonce)
	}
	return nil
}

// An order beside those that are known, and how they ended without a payment.
func (b *books) checkOrder(one order, sender string, usedNonce uint32) error {
	name := one.Id + one.Raise + one.Cancel + one.Pay
	same, isKnown := b.known[name]
	switch {
	case one.Id != "":
		if err := checkTerms(one.To, one.Amount, one.Memo, sender); err != nil {
			return err
		}
		// The same line may come twice.
		if isKnown && same != one {
			return invalid("another order has this id")
		}
		if b.ended[name] == "cancelled" {
			return invalid(name + " is cancelled: order it under another id")
		}
		// An earlier version kept a raise of an order that was not there, and took none with its id.
		if !isKnown && b.wanted[name] > 0 {
			return invalid("a raise stands before it")
		}
	case !isKnown:
		return invalid("there is no order " + name)
	// Of one that is refused or replaced no bid can be included any more.
	case one.Cancel != "" && slices.ContainsFunc(b.bidsOf(name), func(one bid) bool { return one.End != "refused" && one.End != "replaced" }):
		return invalid(name + " is signed and may be paid: it cannot be cancelled")
	case one.Cancel == "" && b.ended[name] != "":
		return invalid(name + " is " + b.ended[name])
	case one.Pay != "" && !b.isUnpaid(name):
		return invalid(name + " has a payment: it is not held")
	case one.Raise != "":
		if own := b.bidsOf(name); len(own) > 0 && own[0].Nonce < usedNonce {
			return invalid(fmt.Sprintf("%s cannot be raised: its nonce %d is used", name, own[0].Nonce))
		}
	}
	return nil
}

// Compare the wallet's commands with the books: these may be an older copy, and others may have the key

// Above all nonces.
const nothing = uint64(math.MaxUint64)

func kindOf(one command) string {
	switch {
	case one.BalanceChanges != nil:
		return "a zkApp command"
	case one.IsDelegation:
		return "a delegation"
	}
	return "payment"
}

// True where a command of the bid's nonce is that bid. Wallets make several hashes of one payment, so the memo will do.
func (one bid) isSame(other command) bool {
	if kindOf(other) != "payment" || other.Amount == nil || other.Fee == nil || other.Fee.Cmp(big.NewInt(one.Fee)) != 0 {
		return false
	}
	if one.Terms["to"] != other.To || one.Terms["amount"] != other.Amount.String() {
		return false
	}
	return one.Hash == other.Hash || one.Terms["memo"] == other.Memo
}

func (e *exchange) isSent(one command) bool {
	return one.FeePayer.PublicKey == e.sender || (one.FeePayer.PublicKey == "" && one.From == e.sender)
}

func (e *exchange) findStart() *uint32 {
	start := e.books.startNonce()
	if start != nil && e.isFresh {
		e.sayOnce("fresh", "--fresh does nothing: these books count from nonce %d on; take it out of the command", *start)
	}
	if start == nil {
		lines, _ := e.orderLines()
		hasLine := slices.ContainsFunc(lines, func(line []byte) bool { return len(bytes.Trim(line, " \t\r")) > 0 })
		if hasLine && !e.isFresh && e.usedNonce > 0 {
			return nil
		}
		nonce := e.usedNonce
		start, e.said["fresh"] = &nonce, true
	}
	// What waits below the start counts from then on, since it has no block yet.
	if least := min(*start, e.usedNonce); e.books.start == nil || e.books.wallet == "" || least < *start {
		start = &least
		e.keep(entry{Start: start, Wallet: e.sender})
	}
	if *start > 0 && !e.books.isEarlierRead && len(e.books.bids) == 0 {
		e.readEarlier(*start)
	}
	return start
}

// Takes the wallet's payments below the start for foreign ones, so that an order with the terms of one is held. Goes on in the next
// round where it takes long.
func (e *exchange) readEarlier(start uint32) {
	if e.earlier == nil {
		e.earlier = &earlier{least: start}
	}
	for isOver := false; e.earlier.least > 0 && !isOver; {
		var page struct {
			Transactions []shownCommand
			Next         string
			Searched     struct{ ToHeight int }
		}
		path := fmt.Sprintf("/accounts/%s/transactions?limit=100%s", e.sender, e.earlier.before)
		ok, err := e.service.getCostly(path, 1, &page)
		if err == nil && !ok {
			err = errors.New("the service shows no history of the wallet")
		}
		// A reorganisation took off the last block of the page before.
		if err != nil && strings.HasSuffix(err.Error(), ": 409") {
			e.earlier = nil
		}
		must(err)
		e.comparedHeight = page.Searched.ToHeight
		var found []decision
		for _, each := range page.Transactions {
			if e.isSent(each.Command) && each.Command.Nonce < start {
				e.earlier.least = min(e.earlier.least, each.Command.Nonce)
				said, isDecided := e.books.adopted[each.Command.Hash]
				if !isDecided {
					said = decision{Hash: each.Command.Hash, Line: 1}
				}
				found = append(found, e.termsOf(said, each))
			}
		}
		e.keep(entry{Adopted: found})
		isOver, e.earlier.before = page.Next == "", "&before="+url.QueryEscape(page.Next)
	}
	if least := e.earlier.least; least > 0 {
		must(fmt.Errorf(`nobody shows the wallet's payments below nonce %d: connect an indexer, or append {"start": 0} and decide`, least))
	}
	e.keep(entry{IsEarlierRead: true})
	say("new books: the wallet's payments below nonce %d count as foreign, and hold orders with their terms", start)
}

// The least nonce of a command that the books do not know; `nothing` where there is none. Ends the step where it cannot be said now, so
// that nothing is sent or signed.
func (e *exchange) compare() uint64 {
	start := e.findStart()
	if start == nil {
		nonce := e.usedNonce
		e.keepForeign(foreign{Nonce: &nonce}, true)
		return 0
	}
	if time.Since(e.comparedAt).Seconds() < 240/float64(e.service.costlyPerMinute) {
		must(errLater)
	}
	e.comparedAt = time.Now()
	floor := e.floor(min(*start, e.usedNonce))
	e.seen, e.usedByThem = map[string]bool{}, map[uint32]bool{}
	// A command may move from a pool into a block meanwhile, never back without being seen.
	var pool struct{ Commands []command }
	_, err := e.service.getCostly("/pool?account="+e.sender, 1, &pool)
	must(err)
	if pool.Commands == nil {
		must(errors.New("the service shows no pool"))
	}
	hasIndexer := e.walkBlocks(floor)
	shown := map[string]shownCommand{}
	for _, one := range pool.Commands {
		if e.isSent(one) && one.Nonce >= floor {
			shown[one.Hash] = shownCommand{Command: one}
		}
	}
	for nonce, one := range e.found.commands {
		if nonce >= floor {
			shown[one.Command.Hash] = one
		}
	}
	bids := map[uint32][]bid{}
	for _, one := range e.books.bidsWhere(func(one bid) bool { return one.Nonce >= floor }) {
		bids[one.Nonce] = append(bids[one.Nonce], one)
	}
	unknown := e.unknownNonces(floor, shown, bids)
	payments := e.judge(shown, bids)
	e.adoptEarlier(*start)
	e.adoptNonces(shown, bids, unknown)
	state := "unknown: no indexer"
	if hasIndexer {
		state = "unknown"
	}
	lowest := nothing
	var nonces []uint32
	isCertain := true
	for nonce := range unknown {
		// Nor is anything signed while the next nonce counts a command that nobody shows.
		isCertain = isCertain && e.suspects[nonce] && nonce < e.usedNonce
		lowest = min(lowest, uint64(nonce))
		// What one answer alone does not show may only be late.
		if e.suspects[nonce] && nonce < e.usedNonce {
			nonces = append(nonces, nonce)
		}
	}
	slices.Sort(nonces)
	for _, nonce := range nonces {
		own := map[string]bool{}
		for _, one := range bids[nonce] {
			own[one.OrderId] = own[one.OrderId] || one.MayBeSent
		}
		maps.DeleteFunc(own, func(_ string, isSent bool) bool { return !isSent })
		last := len(payments) - 1
		if len(own) == 1 {
			for name := range own {
				payments = append(payments, foreignPayment{Nonce: nonce, Last: nonce, State: state, Order: name})
			}
		} else if last >= 0 && payments[last].Hash == "" && payments[last].Order == "" && payments[last].Last == nonce-1 {
			payments[last].Last = nonce
		} else {
			payments = append(payments, foreignPayment{Nonce: nonce, Last: nonce, State: state})
		}
	}
	e.suspects = unknown
	for _, each := range payments {
		lowest = min(lowest, uint64(each.Nonce))
	}
	sort.SliceStable(payments, func(one, other int) bool { return payments[one].Nonce < payments[other].Nonce })
	e.keepForeign(foreign{Payments: payments}, isCertain)
	e.comparedTip = e.tip
	return lowest
}

// The least nonce whose command is not settled.
func (e *exchange) floor(start uint32) uint32 {
	for settled := e.books.settledNonces(); settled[start]; {
		start++
	}
	return start
}

// Finds the wallet's commands in blocks from a nonce on, newest first, down to a block that the last walk has seen. A long walk
// goes on in the next round. True where an indexer was asked.
func (e *exchange) walkBlocks(floor uint32) bool {
	for {
		isNew := e.walk == nil
		if isNew {
			e.walk = &history{commands: map[uint32]shownCommand{}, blocks: map[string]int{}}
		}
		for isOver := false; !isOver; {
			limit := 100
			if len(e.found.blocks) > 0 {
				limit = 25
			}
			var page struct {
				Transactions []shownCommand
				Next         string
				Searched     struct {
					ToHeight int
					Indexer  bool
				}
			}
			path := fmt.Sprintf("/accounts/%s/transactions?limit=%d%s", e.sender, limit, e.walk.before)
			ok, err := e.service.getCostly(path, 1, &page)
			if err == nil && (!ok || page.Transactions == nil) {
				err = errors.New("the service shows no history of the wallet")
			}
			if err == nil && e.walk.before == "" {
				if e.comparedHeight = page.Searched.ToHeight; e.comparedHeight < e.tip {
					err = errors.New("the history is older than the account")
				}
				// Without an indexer the last walk has left out old blocks.
				if e.walk.hasIndexer = page.Searched.Indexer; e.walk.hasIndexer && !e.found.hasIndexer {
					e.found = history{}
				}
			}
			if err != nil && !errors.Is(err, errLater) {
				e.walk = nil
			}
			must(err)
			for _, each := range page.Transactions {
				if each.Block == nil {
					continue
				}
				if height, isSeen := e.found.blocks[each.Block.StateHash]; isSeen {
					e.walk.takeOver(e.found, height)
					e.walk.hasIndexer = e.found.hasIndexer
					isOver = true
					break
				}
				if e.isSent(each.Command) {
					isOver = isOver || each.Command.Nonce < floor
					e.walk.commands[each.Command.Nonce] = each
				}
				e.walk.blocks[each.Block.StateHash] = each.Block.BlockHeight
			}
			e.walk.before = "&before=" + url.QueryEscape(page.Next)
			if isOver = isOver || page.Next == ""; isOver && isNew {
				e.found, e.walk = *e.walk, nil
				return page.Searched.Indexer
			}
		}
		// The newest page is older than the pool: look again.
		e.found, e.walk = *e.walk, nil
	}
}

// What an earlier walk has found up to a block that stands in this one too. What lay above it may be gone.
func (h *history) takeOver(earlier history, height int) {
	for nonce, one := range earlier.commands {
		if one.Block.BlockHeight <= height {
			h.commands[nonce] = one
		}
	}
	for hash, each := range earlier.blocks {
		if each <= height {
			h.blocks[hash] = each
		}
	}
}

// Used nonces whose command nobody shows, but for those of which the service tells that a bid of the books used them.
func (e *exchange) unknownNonces(floor uint32, shown map[string]shownCommand, bids map[uint32][]bid) map[uint32]bool {
	decided, waiting, unknown := maps.Clone(e.books.adoptedNonces), map[uint32]bool{}, map[uint32]bool{}
	for _, one := range shown {
		waiting[one.Command.Nonce] = true
		if one.Block != nil {
			decided[one.Command.Nonce] = true
		}
	}
	for _, each := range e.books.adopted {
		if each.IsDeep {
			decided[each.Nonce] = true
		}
	}
	for nonce, all := range bids {
		if slices.ContainsFunc(all, func(one bid) bool { return one.IsDeep || one.End == "paid" || one.End == "failed" }) {
			decided[nonce] = true
		}
	}
	for nonce := floor; nonce < e.usedNonce; nonce++ {
		if decided[nonce] {
			continue
		}
		isIncluded := false
		for _, one := range bids[nonce] {
			isIncluded = e.isIncluded(one, shown) || isIncluded
		}
		if !isIncluded {
			unknown[nonce] = true
		}
	}
	for nonce := e.usedNonce; nonce < e.nextNonce; nonce++ {
		mayWait := slices.ContainsFunc(bids[nonce], func(one bid) bool { return one.MayBeSent && one.End != "refused" })
		if !waiting[nonce] && !mayWait {
			unknown[nonce] = true
		}
	}
	return unknown
}

// By the bid's fate, since the history may end above it. What replaced it is shown like any other command.
func (e *exchange) isIncluded(one bid, shown map[string]shownCommand) bool {
	found := e.look(one, 1)
	switch {
	case found.State == "replaced" && found.Command != nil:
		shown[found.Command.Hash] = shownCommand{Command: *found.Command, Block: &found.Block}
		return true
	case found.State == "included":
		e.noteSeen(one.Hash)
		return true
	}
	return false
}

// Older books may take a bid for unsent, or refused.
func (e *exchange) noteSeen(hash string) {
	e.seen[hash] = true
	one := e.books.bids[hash]
	e.sayThere(one)
	if one.IsTaken && one.End != "refused" {
		return
	}
	one.MayBeSent, one.IsTaken = true, true
	if one.End == "refused" {
		one.End = ""
	}
	if one.SentAt.IsZero() {
		one.SentAt = time.Unix(1, 0).UTC()
	}
	e.keep(entry{Bid: &one})
}

// Ends what was said of a bid of which nobody knew whether it had arrived.
func (e *exchange) sayThere(one bid) {
	if e.unclear[one.Hash] {
		delete(e.unclear, one.Hash)
		say("%s, nonce %d: a node has it now", one.OrderId, one.Nonce)
	}
}

// Of a command with a bid's nonce, in a block or, for nil, in a pool: a reorganisation may have moved the bid since its fate was
// asked for, or let another command take its nonce.
func (e *exchange) noteFound(hash string, isThis bool, found shownCommand) {
	one, height, failure, in := e.books.bids[hash], 0, rival, found.Block
	if isThis && in != nil {
		height, failure = in.BlockHeight, ""
		if reason := found.Command.FailureReason; reason != nil {
			failure = *reason
		}
	}
	if in != nil && one.End == "" && (one.Height != height || one.Failure != failure) {
		delete(e.fates, hash)
		one.Height, one.Failure, one.IsDeep = height, failure, false
		e.keep(entry{Bid: &one})
	}
	// Its fate may not prove it: an indexer knows hashes alone.
	if in != nil && !isThis && one.End == "" && one.Terms["memo"] != "" && e.comparedHeight-in.BlockHeight >= e.service.k {
		one.End, one.Height, one.Time = "replaced", in.BlockHeight, in.DateTime
		e.keep(entry{Bid: &one})
		e.sayDead(one.OrderId)
	}
	if isThis {
		e.noteSeen(hash)
	}
}

// Finds the bid of each command, does what a person has said about others, and returns those that are still open.
func (e *exchange) judge(shown map[string]shownCommand, bids map[uint32][]bid) []foreignPayment {
	var others []shownCommand
	for _, found := range shown {
		isOwn := false
		for _, one := range bids[found.Command.Nonce] {
			isThis := one.isSame(found.Command)
			// Wallets make several hashes of one payment, so that only now it shows that a line is about one that these books signed.
			if said, isDecided := e.books.adopted[found.Command.Hash]; isThis && isDecided && said.Order != one.OrderId {
				reason := fmt.Errorf("these books signed %s for %s", said.Hash, one.OrderId)
				e.keep(entry{Mistakes: []mistake{invalidLine(said.Line, "", reason)}, Undecided: []string{said.Hash}})
			}
			e.noteFound(one.Hash, isThis, found)
			isOwn = isOwn || isThis
		}
		if !isOwn {
			others = append(others, found)
		}
	}
	sort.Slice(others, func(one, other int) bool {
		first, second := others[one].Command, others[other].Command
		return first.Nonce < second.Nonce || (first.Nonce == second.Nonce && first.Hash < second.Hash)
	})
	var payments []foreignPayment
	for _, found := range others {
		said, isDecided := e.books.adopted[found.Command.Hash]
		if isDecided {
			e.usedByThem[found.Command.Nonce] = true
			e.noteTerms(said, found)
		}
		if !isDecided || (said.Order != "" && !e.adopt(said, found.Command)) {
			payments = append(payments, e.payment(found))
		}
	}
	for place := range payments {
		each := &payments[place]
		// Of one nonce one at most is paid.
		each.HasTwin = slices.ContainsFunc(payments, func(other foreignPayment) bool {
			isSame := other.Receiver == each.Receiver && other.Amount == each.Amount && other.Memo == each.Memo
			return isSame && other.Nonce != each.Nonce
		})
		if each.HasTwin && each.Order != "" {
			each.Order, each.Orders = "", []string{each.Order}
		}
	}
	return payments
}

func (e *exchange) noteTerms(said decision, found shownCommand) {
	if known := said; e.termsOf(said, found) != known {
		e.keep(entry{Adopted: []decision{e.termsOf(said, found)}})
	}
}

// What a person has said of a command, with its terms and its place.
func (e *exchange) termsOf(said decision, found shownCommand) decision {
	one := found.Command
	said.Nonce, said.Receiver, said.Memo, said.Fee = one.Nonce, one.To, one.Memo, one.Fee.String()
	if said.Height, said.Time = 0, ""; found.Block != nil {
		said.Height, said.Time = found.Block.BlockHeight, found.Block.DateTime
		depth := e.comparedHeight - said.Height
		said.IsDeep, said.IsFinal = said.IsDeep || depth >= safe, said.IsFinal || depth >= e.service.k
	}
	said.Amount = found.amount(said.IsFinal)
	return said
}

// Does what a person has said of payments below the start, which no comparison shows.
func (e *exchange) adoptEarlier(start uint32) {
	var earlier []decision
	for _, said := range e.books.adopted {
		_, isBid := e.books.bids[said.Hash]
		if isKnown := said.Fee != ""; isKnown && said.Nonce < start && !isBid && (said.Order != "" || !said.IsFinal) {
			earlier = append(earlier, said)
		}
	}
	sort.Slice(earlier, func(one, other int) bool { return earlier[one].Nonce < earlier[other].Nonce })
	for _, said := range earlier {
		found := command{Hash: said.Hash, To: said.Receiver, Nonce: said.Nonce, Memo: said.Memo}
		found.Amount, found.Fee = bigOf(said.Amount), bigOf(said.Fee)
		wrong, one := "", entry{}
		if said.Order != "" {
			if wrong = e.mismatch(said.Order, found); wrong == "" {
				e.adopt(said, found)
				continue
			}
			one.Mistakes = []mistake{invalidLine(said.Line, "", fmt.Errorf("%s does not pay %s: %s", said.Hash, said.Order, wrong))}
			said.Order, said.Line = "", 1
		}
		said.IsDeep, said.IsFinal = true, true
		one.Adopted = []decision{said}
		e.keep(one)
	}
}

// Why a command of the wallet does not count as the payment of an order; "" where it does.
func (e *exchange) mismatch(name string, found command) string {
	ordered, kind, memo := e.books.known[name], kindOf(found), readable(found.Memo)
	if kind != "payment" {
		return "it is " + kind
	}
	if found.To != ordered.To || found.Amount == nil || found.Amount.String() != ordered.Amount {
		return fmt.Sprintf("it sends %d nanomina to %s", found.Amount, found.To)
	}
	var twin, alike string
	for _, other := range e.books.orders {
		if other.To != ordered.To || other.Amount != ordered.Amount || other.Id == name || !e.books.isUnpaid(other.Id) {
			continue
		}
		if twin == "" {
			twin = other.Id
		}
		if alike == "" && other.Memo == memo {
			alike = other.Id
		}
	}
	for _, own := range e.books.bidsOf(name) {
		isThere := own.End == "paid" || (own.End == "" && (own.Height != 0 || own.IsAdopted || e.seen[own.Hash]))
		if twin != "" && isThere && own.Failure == "" && own.Nonce != found.Nonce {
			return fmt.Sprintf("%s has the payment %s, and %s none, so this one is of that order, or foreign", name, own.Hash, twin)
		}
	}
	if memo != ordered.Memo && alike != "" {
		return fmt.Sprintf(`it has the memo of %s, which has no payment: append {"cancel": %s} first if it needs none`, alike, quote(alike))
	}
	return ""
}

// Books a command as the bid of an order. It has no bytes, so it is never sent. False where it does not pay that order.
func (e *exchange) adopt(said decision, found command) bool {
	if what := e.mismatch(said.Order, found); what != "" {
		wrong := invalidLine(said.Line, "", fmt.Errorf("%s does not pay %s: %s", found.Hash, said.Order, what))
		e.keep(entry{Mistakes: []mistake{wrong}, Undecided: []string{found.Hash}})
		return false
	}
	made := bid{
		Hash: found.Hash, OrderId: said.Order, Nonce: found.Nonce, Fee: found.Fee.Int64(), MayBeSent: true, IsTaken: true,
		IsAdopted: true, SentAt: time.Now(),
		Terms: map[string]string{
			"from": e.sender, "to": found.To, "amount": found.Amount.String(), "fee": found.Fee.String(),
			"nonce": fmt.Sprint(found.Nonce), "memo": found.Memo, "valid_until": neverExpires,
		},
	}
	// The order is paid by this one: what older books have signed for it, and nobody has, must never be sent.
	var dropped []string
	for _, one := range e.books.bidsOf(said.Order) {
		isOpen := one.End == "" || one.End == "refused"
		if one.Nonce != found.Nonce && !one.IsAdopted && isOpen && !e.seen[one.Hash] {
			dropped = append(dropped, one.Hash)
		}
	}
	e.keep(entry{Bid: &made, Dropped: dropped})
	e.seen[found.Hash] = true
	say("%s: %s of nonce %d is its payment now", said.Order, found.Hash, found.Nonce)
	return true
}

// Does what a person has said about nonces whose command nobody shows.
func (e *exchange) adoptNonces(shown map[string]shownCommand, bids map[uint32][]bid, unknown map[uint32]bool) {
	inBlocks := map[uint32]string{}
	for hash, one := range shown {
		if one.Block != nil {
			inBlocks[one.Command.Nonce] = hash
		}
	}
	for _, said := range slices.Clone(e.books.adopting) {
		done, wrong := entry{AdoptedLine: said.Line}, ""
		for nonce := said.First; nonce <= said.Last && nonce < e.usedNonce; nonce++ {
			if unknown[nonce] || e.books.adoptedNonces[nonce] {
				delete(unknown, nonce)
				done.AdoptedNonces = append(done.AdoptedNonces, nonce)
				name := fmt.Sprintf("nonce %d", nonce)
				if said.Order != "" {
					done.Bid = &bid{
						Hash: name, OrderId: said.Order, Nonce: nonce, MayBeSent: true, IsTaken: true,
						IsAdopted: true, SentAt: time.Now(), End: "paid", Terms: map[string]string{"amount": "0"},
					}
				}
			} else if wrong == "" {
				isOwn := func(one bid) bool { return e.seen[one.Hash] || e.books.bids[one.Hash].IsDeep }
				switch place := slices.IndexFunc(bids[nonce], isOwn); {
				case place >= 0:
					wrong = fmt.Sprintf("nonce %d is %s", nonce, bids[nonce][place].OrderId)
				case inBlocks[nonce] != "":
					wrong = fmt.Sprintf("nonce %d is %s: adopt that hash", nonce, inBlocks[nonce])
				default:
					wrong = fmt.Sprintf("nonce %d is settled", nonce)
				}
			}
		}
		if said.Last >= e.usedNonce && wrong == "" {
			wrong = fmt.Sprintf("nonce %d is not used yet", max(said.First, e.usedNonce))
		}
		if wrong != "" {
			done.Mistakes = []mistake{invalidLine(said.Line, "", invalid(wrong))}
		}
		e.keep(done)
	}
}

func (e *exchange) payment(found shownCommand) foreignPayment {
	one := found.Command
	shown := foreignPayment{Nonce: one.Nonce, Hash: one.Hash, Kind: kindOf(one), Receiver: one.To, Amount: "0", State: "in a pool"}
	shown.Memo = readable(one.Memo)
	if one.Amount != nil {
		shown.Amount = one.Amount.String()
	}
	if found.Block != nil {
		shown.State = fmt.Sprintf("in block %d", found.Block.BlockHeight)
		if one.FailureReason != nil {
			shown.State = fmt.Sprintf("failed in block %d: %s", found.Block.BlockHeight, *one.FailureReason)
		}
	}
	if shown.Kind != "payment" {
		return shown
	}
	isPaid := func(one bid) bool { return one.End == "paid" || one.End == "failed" || e.seen[one.Hash] }
	for _, each := range e.books.orders {
		if each.To != shown.Receiver || each.Amount != shown.Amount || slices.ContainsFunc(e.books.bidsOf(each.Id), isPaid) {
			continue
		}
		// One that is cancelled asks for nothing, but books that were lost may have paid it.
		if end := e.books.ended[each.Id]; end != "" {
			if shown.Ended == nil {
				shown.Ended = map[string]string{}
			}
			shown.Ended[each.Id] = end
		}
		if each.Memo == shown.Memo {
			shown.Orders = append(shown.Orders, each.Id)
		} else {
			shown.OtherMemo = append(shown.OtherMemo, each.Id)
		}
	}
	if len(shown.Orders) > 0 {
		shown.OtherMemo = nil
	}
	if len(shown.Orders) == 1 {
		shown.Order, shown.Orders = shown.Orders[0], nil
	}
	return shown
}

// Keeps for `adopt` what a person has to decide, and says what is new.
func (e *exchange) keepForeign(found foreign, isCompared bool) {
	kept := isCompared || e.books.isCompared
	if !reflect.DeepEqual(found, e.books.foreign) || kept != e.books.isCompared {
		doubted := e.books.doubted()
		e.keep(entry{Foreign: &found, Compared: &kept})
		still := e.books.doubted()
		freed := slices.DeleteFunc(doubted, func(name string) bool { return slices.Contains(still, name) })
		if len(freed) > 0 {
			say("perhaps paid until now, and to be paid once nothing is open: %s", listed(freed))
		}
	}
	if reflect.DeepEqual(found, e.told) || (!isCompared && len(found.Payments) == 0) {
		return
	}
	lines := found.lines(e.told.Payments)
	if lines == nil {
		lines = []string{"every payment of the wallet is in these books: signing goes on"}
	}
	for _, line := range lines {
		say("%s", line)
	}
	e.told = found
}

// Sign

// Of the bids of a nonce, one at most is charged.
func (e *exchange) spendable() (*big.Int, map[uint32]bool) {
	costs, used := map[uint32]*big.Int{}, map[uint32]bool{}
	for _, one := range e.books.bids {
		if one.End == "refused" {
			continue
		}
		used[one.Nonce] = true
		// The ledger counts lower ones.
		if one.Nonce >= e.usedNonce {
			cost := new(big.Int).Add(bigOf(one.Terms["amount"]), big.NewInt(one.Fee))
			if known := costs[one.Nonce]; known == nil || known.Cmp(cost) < 0 {
				costs[one.Nonce] = cost
			}
		}
	}
	left := new(big.Int).Set(e.liquid)
	for _, cost := range costs {
		left.Sub(left, cost)
	}
	return left, used
}

func (e *exchange) ordersToSign() []order {
	var due []order
	for _, each := range e.books.orders {
		own := e.books.bidsOf(each.Id)
		hasEnd := slices.ContainsFunc(own, func(one bid) bool { return one.End != "" })
		isUsed := len(own) > 0 && own[0].Nonce < e.usedNonce
		isOpen := e.books.ended[each.Id] == "" && !hasEnd && !isUsed && len(own) < e.books.wanted[each.Id]
		if isOpen && e.books.heldBy(each) == nil && time.Now().After(e.pauses[each.Id].until) {
			due = append(due, each)
		}
	}
	return due
}

// Signs what was ordered, and keeps it before it is sent. A round gives its signers some seconds, since others wait.
func (e *exchange) signOrders() {
	due := e.ordersToSign()
	if len(due) == 0 {
		return
	}
	// Those whose signer has failed come last, so that they never hold up the others.
	hasFailed := func(each order) bool { _, isThere := e.pauses[each.Id]; return isThere }
	sort.SliceStable(due, func(one, other int) bool { return !hasFailed(due[one]) && hasFailed(due[other]) })
	var found struct {
		Suggested struct {
			Normal, Fast int64 `json:",string"`
		}
	}
	_, err := e.service.get("/fees", &found)
	must(err)
	if found.Suggested.Normal <= 0 {
		must(errors.New("the service suggests no fee now"))
	}
	spendable, used := e.spendable()
	maps.Copy(used, e.usedByThem)
	until, made, isFirst := time.Now().Add(e.signTime), 0, true
	for _, each := range due {
		if made == maxSignedARound || !time.Now().Before(until) {
			return
		}
		nonce, fee := e.nextNonce, min(found.Suggested.Normal, e.maxFee)
		needed := new(big.Int)
		if own := e.books.bidsOf(each.Id); len(own) > 0 {
			nonce, fee = own[0].Nonce, max(own[0].Fee+own[0].Fee/10+1, min(found.Suggested.Fast, e.maxFee))
			if fee > e.maxFee {
				subject := fmt.Sprintf("%s at %d", each.Id, fee)
				e.sayOnce(subject, "%s: not raised: that takes a fee of %d nanomina, above --max-fee %d", each.Id, fee, e.maxFee)
				continue
			}
			needed.SetInt64(fee - own[0].Fee)
		} else {
			// An earlier version took orders without a check.
			if err := checkTerms(each.To, each.Amount, each.Memo, e.sender); err != nil {
				say("%s: invalid: %v", each.Id, err)
				e.keep(entry{Mistakes: []mistake{{0, each.Id, err.Error()}}})
				continue
			}
			// A node that has just taken a command may not count it yet. A refused one leaves its nonce to the next.
			for used[nonce] {
				nonce++
			}
			needed.Add(bigOf(each.Amount), big.NewInt(fee))
		}
		if needed.Cmp(spendable) > 0 {
			e.sayOnce(each.Id, "%s waits: it takes %d nanomina, and the wallet can spend %d", each.Id, needed, spendable)
			continue
		}
		if len(e.books.hashes[each.Id]) == 0 {
			e.attempt(func() { e.warnOfNewAccount(each) })
		}
		var failure signerFailure
		switch err := e.signOne(each, nonce, fee, time.Until(until)); {
		case err == nil:
			used[nonce] = true
			spendable.Sub(spendable, needed)
			made++
		case errors.Is(err, errHangs):
			// One that was not given all the time has not failed: the next round goes on with it.
			if isFirst {
				e.pause(each.Id, fmt.Sprintf("no answer in %v", e.signTime))
			}
			return
		case errors.As(err, &failure):
			e.pause(each.Id, string(failure))
		default:
			must(err)
		}
		isFirst = false
	}
}

// The first payment to a key creates its account, and fails if it is below the fee for that.
func (e *exchange) warnOfNewAccount(each order) {
	subject, fee := "new account of "+each.Id, e.service.accountFee
	if bigOf(each.Amount).Cmp(fee) >= 0 || e.said[subject] {
		return
	}
	var found struct{}
	isThere, err := e.service.get("/accounts/"+each.To, &found)
	must(err)
	e.said[subject] = true
	if !isThere {
		costs := fmt.Sprintf("%s nanomina are below the %d that a new one costs", each.Amount, fee)
		say("%s: %s has no account, and %s: the payment will fail and cost its fee", each.Id, each.To, costs)
	}
}

// Lets an order wait after its signer has failed.
func (e *exchange) pause(name, why string) {
	wait := max(e.pauses[name].next, firstPause)
	e.pauses[name] = pause{time.Now().Add(wait), min(2*wait, longestPause)}
	say("%s: not signed: %s; again in %v", name, why, wait)
}

func (e *exchange) signOne(ordered order, nonce uint32, fee int64, patience time.Duration) error {
	memo, err := memoOnChain(ordered.Memo)
	must(err)
	terms := map[string]string{
		"from": e.sender, "to": ordered.To, "amount": ordered.Amount, "fee": fmt.Sprint(fee), "nonce": fmt.Sprint(nonce),
		"memo": ordered.Memo, "validUntil": neverExpires,
	}
	hash, signed, err := e.askSigner(terms, memo, patience)
	if err != nil {
		return err
	}
	// Two bids of one hash would be one in the books, and an order might be paid twice.
	if _, isKnown := e.books.bids[hash]; isKnown {
		return signerFailure("the signer gave the hash of another payment")
	}
	delete(terms, "validUntil")
	terms["valid_until"], terms["memo"] = neverExpires, memo
	made := bid{Hash: hash, OrderId: ordered.Id, Nonce: nonce, Fee: fee, Body: signed, Terms: terms}
	e.keep(entry{Bid: &made})
	return nil
}

// The signer's hash and signed payment.
func (e *exchange) askSigner(terms map[string]string, memo string, patience time.Duration) (string, []byte, error) {
	asked, err := json.Marshal(terms)
	must(err)
	limit, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	signer := exec.CommandContext(limit, e.sign[0], e.sign[1:]...)
	signer.Stdin, signer.Stderr = bytes.NewReader(asked), os.Stderr
	// What the signer has started may hold its output open.
	signer.WaitDelay = time.Second
	said, err := signer.Output()
	if limit.Err() != nil {
		return "", nil, errHangs
	}
	if err != nil {
		return "", nil, signerFailure(fmt.Sprintf("the signer: %v", err))
	}
	var answer struct {
		Hash   string
		Signed map[string]any
	}
	var raw struct{ Signed json.RawMessage }
	decoder := json.NewDecoder(bytes.NewReader(said))
	decoder.UseNumber()
	if !json.Valid(said) {
		return "", nil, signerFailure("the signer printed no JSON")
	}
	if decoder.Decode(&answer) != nil || json.Unmarshal(said, &raw) != nil || !isTransactionHash(answer.Hash) {
		return "", nil, signerFailure(`the signer printed something else than {"hash", "signed"}`)
	}
	// Wallets have several forms of a signed payment. Each shows what was signed.
	shown := map[string]bool{}
	leaves(answer.Signed, shown)
	isSame := terms["memo"] == "" || shown[terms["memo"]] || shown[memo]
	for _, name := range []string{"from", "nonce", "to", "amount", "fee"} {
		isSame = isSame && shown[terms[name]]
	}
	if !isSame {
		return "", nil, signerFailure("the signer signed something else")
	}
	return answer.Hash, raw.Signed, nil
}

// All texts and numbers in a JSON value, as texts.
func leaves(value any, into map[string]bool) {
	switch one := value.(type) {
	case map[string]any:
		for _, each := range one {
			leaves(each, into)
		}
	case []any:
		for _, each := range one {
			leaves(each, into)
		}
	default:
		into[fmt.Sprint(one)] = true
	}
}

// Settle

type fate struct {
	State, Sending string
	Confirmations  int
	Final          bool
	FailureReason  string
	Terms          struct{ Memo string }
	// Of one that was replaced: by what.
	Command *command
	Block   place
	// By the bid's block alone; and where nobody has that any more.
	isByBlock, isGone bool
}

func (e *exchange) fateOf(one bid, share float64) (fate, error) {
	query := url.Values{}
	for name, value := range one.Terms {
		query.Set(name, value)
	}
	var found struct{ Transaction fate }
	_, err := e.service.getCostly("/transactions/"+one.Hash+"?"+query.Encode(), share, &found)
	return found.Transaction, err
}

// A bid's fate, asked for once a block; deep in the chain every twentieth block, and when it may be final.
func (e *exchange) look(one bid, share float64) fate {
	if last, isKnown := e.fates[one.Hash]; isKnown {
		pause := 1
		if depth := last.fate.Confirmations; last.fate.isGone {
			pause = rarely
		} else if depth >= safe {
			// Not as late as k, where a node without an indexer has no block any more.
			pause = max(1, min(rarely, (e.service.k-depth)/2))
		}
		if last.tip-rarely < e.tip && e.tip < last.tip+pause {
			return last.fate
		}
	}
	found, err := e.fateOf(one, share)
	kept := e.books.bids[one.Hash]
	// Its block costs little.
	if !errors.Is(err, errLater) || kept.Height == 0 || e.tip-kept.Height < safe {
		must(err)
	}
	if found.State != "included" && found.State != "replaced" && kept.Height != 0 {
		found = e.fateByBlock(kept, found)
	}
	e.fates[one.Hash] = look{e.tip, found}
	height, failure := 0, ""
	switch {
	case found.isGone:
		height, failure = kept.Height, kept.Failure
	case found.State == "included":
		height, failure = found.Block.BlockHeight, found.FailureReason
	case found.State == "replaced" || kept.Failure == rival:
		failure = rival
	}
	if kept.End == "" && (kept.Height != height || kept.Failure != failure) {
		kept.Height, kept.Failure = height, failure
		e.keep(entry{Bid: &kept})
	}
	if found.State != "included" {
		return found
	}
	if found.Confirmations >= safe && !kept.IsDeep {
		kept.IsDeep = true
		e.keep(entry{Bid: &kept})
	}
	if found.FailureReason != "" {
		where := fmt.Sprintf("%s, nonce %d: failed in block %d (%s)", one.OrderId, one.Nonce, found.Block.BlockHeight, found.FailureReason)
		e.sayOnce(where, "%s: wait until `books` says failed; until then a reorganisation may let it succeed", where)
	}
	return found
}

// Keeps the end of what no reorganisation can reach any more. Until then a bid is sent again where it is lost.
func (e *exchange) settle() {
	due := e.books.bidsWhere(func(one bid) bool { return one.End == "" && one.Nonce < e.usedNonce })
	// Those that may be final now come first, then those asked for longest ago.
	rank := func(one bid) int {
		if one.Height != 0 && e.tip-one.Height >= e.service.k {
			return 0
		}
		return 1 + e.fates[one.Hash].tip
	}
	sort.SliceStable(due, func(one, other int) bool { return rank(due[one]) < rank(due[other]) })
	for _, one := range due {
		// One that the service cannot tell now leaves the others alone.
		e.attempt(func() { e.settleOne(one.Hash) })
	}
}

// The same by the block of the bid: without an indexer nodes keep that longer than they tell fates.
func (e *exchange) fateByBlock(one bid, found fate) fate {
	at, _, err := e.service.deepAt(one.Height, 0, "connect an indexer")
	if _, isGone := err.(gone); isGone {
		found.isGone = true
		return found
	}
	must(err)
	if mine, isThere := e.ownIn(at)[one.Hash]; isThere {
		place := place{BlockHeight: at.BlockHeight, DateTime: at.DateTime, StateHash: at.StateHash}
		found = fate{State: "included", Confirmations: e.tip - one.Height, Block: place, isByBlock: true}
		if mine.FailureReason != nil {
			found.FailureReason = *mine.FailureReason
		}
	}
	return found
}

// By hash the bids that are in a block, as it shows them.
func (e *exchange) ownIn(at *block) map[string]command {
	own := map[string]command{}
	if at == nil {
		return own
	}
	for _, each := range at.Transactions.UserCommands {
		if !e.isSent(each) {
			continue
		}
		for _, one := range e.books.bidsWhere(func(one bid) bool { return one.Nonce == each.Nonce && one.End == "" }) {
			if one.isSame(each) {
				own[one.Hash] = each
			}
		}
	}
	return own
}

func (e *exchange) settleOne(hash string) {
	// On a chain with quick blocks comparing alone takes half of what may be asked.
	found := e.look(e.books.bids[hash], 0.75)
	if found.State == "replaced" {
		e.sayReplaced(e.books.bids[hash])
	}
	enough := e.service.k
	if found.isByBlock {
		// Nodes keep k blocks, so that a block may be gone before anybody has seen it so deep.
		enough = max(safe, e.service.k-rarely)
	}
	if !found.Final && found.Confirmations < enough {
		return
	}
	one := e.books.bids[hash]
	switch {
	case found.State == "included" && found.FailureReason != "":
		one.End = "failed"
		say("%s failed: only its fee was taken; to pay it append an order with another id", one.OrderId)
	case found.State == "included":
		one.End = "paid"
	// Only a service that has compared all terms can tell a payment from another one with its nonce.
	case found.State == "replaced" && found.Terms.Memo == one.Terms["memo"]:
		one.End = "replaced"
	default:
		return
	}
	one.Height, one.Time = found.Block.BlockHeight, found.Block.DateTime
	e.keep(entry{Bid: &one})
	e.sayDead(one.OrderId)
}

// Of several bids for an order each is replaced by the one that is included.
func (e *exchange) sayReplaced(one bid) {
	isAlive := func(other bid) bool {
		return other.End == "paid" || other.End == "failed" || (other.End == "" && e.fates[other.Hash].fate.State != "replaced")
	}
	where := fmt.Sprintf("%s, nonce %d: another command has its nonce", one.OrderId, one.Nonce)
	if !slices.ContainsFunc(e.books.bidsOf(one.OrderId), isAlive) {
		e.sayOnce(where, "%s: wait until `books` says replaced, and do not order it again before", where)
	}
}

// Says what to do with an order of which no bid can be included any more.
func (e *exchange) sayDead(name string) {
	end, own := "replaced", e.books.bidsOf(name)
	for _, one := range own {
		if one.End == "refused" {
			end = "refused"
		}
	}
	isAlive := func(one bid) bool { return one.End != "refused" && one.End != "replaced" }
	if len(own) > 0 && !slices.ContainsFunc(own, isAlive) {
		say(`%s is %s: it is never paid now. If no other payment has paid it, append {"cancel": %s}, and to pay it an order with another id`,
			name, end, quote(name))
	}
}

// Ends a bid that no node has, or drops it. Bids above its nonce wait for that nonce, so those never sent are signed anew.
func (e *exchange) refuse(one bid, isDropped bool) {
	var dropped []string
	for hash, other := range e.books.bids {
		if (other.Nonce > one.Nonce && other.SentAt.IsZero()) || (hash == one.Hash && isDropped) {
			dropped = append(dropped, hash)
		}
	}
	one.End = "refused"
	e.keep(entry{Bid: &one, Dropped: dropped})
	e.sayDead(one.OrderId)
}

// What no node has, lowest nonce first, and of a nonce the highest bid; and one that waits so long that nodes forget it.
func (e *exchange) bidsToSend() []bid {
	var due []bid
	seen, wokeOne := map[uint32]bool{}, false
	for _, one := range e.books.bidsWhere(func(one bid) bool { return one.End == "" && one.Nonce >= e.usedNonce }) {
		if seen[one.Nonce] {
			continue
		}
		seen[one.Nonce] = true
		isStale := one.IsTaken && !one.IsAdopted && time.Since(one.SentAt) > stale && !wokeOne
		wokeOne = wokeOne || isStale
		if one.Nonce >= e.nextNonce || !one.IsTaken || isStale {
			due = append(due, one)
		}
	}
	return due
}

// Sends what lies below a nonce. Stops at the first that is not taken.
func (e *exchange) send(lowest uint64) {
	for _, one := range e.bidsToSend() {
		if uint64(one.Nonce) >= lowest {
			return
		}
		isTaken := e.seen[one.Hash]
		if !one.IsAdopted {
			isTaken = e.sendOne(one)
		} else if !isTaken {
			where := fmt.Sprintf("%s, nonce %d", one.OrderId, one.Nonce)
			line := fmt.Sprintf(`{"raise": %s}`, quote(one.OrderId))
			e.sayOnce(where, "%s: adopted without its bytes, and no node has it: append %s to sign it anew under the same nonce", where, line)
		}
		if !isTaken && one.Nonce >= e.nextNonce {
			return
		}
	}
}

// True where a node has it. An earlier sending may have arrived, so only the refusal of a first one is an end.
func (e *exchange) sendOne(one bid) bool {
	isFirst := !one.MayBeSent
	one.MayBeSent, one.SentAt = true, time.Now()
	e.keep(entry{Bid: &one})
	_, headers, err := e.service.ask("/broadcast/transaction", one.Body, nil)
	must(err)
	outcome, code := headers.Get("x-broadcast-outcome"), headers.Get("x-broadcast-code")
	if outcome == "accepted" || outcome == "already-known" {
		delete(e.pauses, one.OrderId)
		e.sayThere(one)
		one.IsTaken = true
		e.keep(entry{Bid: &one})
		return true
	}
	said := fmt.Sprintf("%s, nonce %d: %s %s", one.OrderId, one.Nonce, outcome, code)
	if outcome != "refused" {
		e.sayOnce(said, "%s: it is sent again until a node has it; do not pay it in another way", said)
		e.unclear[one.Hash] = true
		return false
	}
	e.sayOnce(said, "%s", said)
	one.MayBeSent = !isFirst
	e.keep(entry{Bid: &one})
	isRefused := forever[code] || (isFirst && headers.Get("x-broadcast-retriable") == "false")
	if !isRefused {
		return false
	}
	found, err := e.fateOf(one, 0.9)
	must(err)
	if found.Sending != "possible" {
		return false
	}
	isSignersFault := isFirst && forever[code]
	if e.refuse(one, isSignersFault); isSignersFault {
		e.pause(one.OrderId, "the service refuses what the signer made: "+code)
	}
	return false
}

const commands = `exchange COMMAND OPTIONS, where COMMAND is
  run        credits deposits and pays withdrawals: -url -network -folder -from -sign
  books      what the books have: -folder, -order
  report     deposits and withdrawals as CSV: -folder, -day or -from and -to, -key
  adopt      payments that the books do not know: -folder, -lines
  memo E4Y…  the text of a memo`

func run() error {
	address, network := flag.String("url", "", "of the service"), flag.String("network", "", "yours")
	folder, sender := flag.String("folder", ".", "of your files"), flag.String("from", "", "the wallet that pays; of a report the first day")
	sign := flag.String("sign", "", "the command that signs a payment")
	signSeconds := flag.Float64("sign-seconds", 30, "the time that a round gives its signers")
	kind := flag.String("signature-kind", "", "what that command signs for, on a network that is none of Mina's own")
	day := flag.String("day", "", "of a report: YYYY-MM-DD, UTC; the same as -from and -to")
	last, key := flag.String("to", "", "of a report: the last day"), flag.String("key", "", "of a report: what this key got")
	oneOrder := flag.String("order", "", "of books: this one alone")
	isBrief := flag.Bool("lines", false, "of adopt: to standard output only the lines to append, of payments that leave no choice")
	costly := flag.Int("costly-per-minute", 50, "the fates, histories and pools to ask for in a minute")
	fresh := flag.Bool("fresh", false, "once, with new books: none of the orders was ever signed")
	reread := flag.Bool("reread-orders", false, "once, after lines of orders.jsonl were lost for good")
	confirmations := flag.Int("confirmations", 15, "blocks on top of a deposit before it is credited")
	fromHeight := flag.Int("from-height", 0, "the block from which deposits are credited; new books begin near the tip")
	maxFee := flag.Int64("max-fee", 100_000_000, "nanomina: the most that you pay for a payment itself")
	poll := flag.Float64("poll", 5, "seconds between two rounds")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), commands)
		flag.PrintDefaults()
	}
	flag.Parse()
	// Options may stand before the command and after it.
	command := flag.Arg(0)
	if command != "" {
		_ = flag.CommandLine.Parse(flag.Args()[1:])
	}
	if command == "memo" {
		text, isMemo := memoText(flag.Arg(0))
		if !isMemo {
			return errors.New("not a memo")
		}
		fmt.Println(text)
		return nil
	}
	if flag.NArg() > 0 {
		return usage("what is " + flag.Arg(0) + "?")
	}
	switch command {
	case "books", "adopt", "report":
		first := *sender
		if command == "report" && *day != "" {
			if first != "" || *last != "" {
				return usage("-day stands alone, or -from and -to do")
			}
			first, *last = *day, *day
		}
		return read(command, *folder, first, *last, *key, *oneOrder, *isBrief)
	case "run":
	default:
		return usage("what to do? run, books, report, adopt or memo")
	}
	switch {
	case !isPublicKey(*sender):
		return usage("--from is not a public key: a letter is wrong, missing or too many")
	case *confirmations < 0:
		return usage(fmt.Sprintf("confirmations cannot be %d", *confirmations))
	case *fromHeight < 0:
		return usage(fmt.Sprintf("from-height cannot be %d", *fromHeight))
	case *costly < 10:
		return usage(fmt.Sprintf("costly-per-minute: %d is less than 10", *costly))
	case len(strings.Fields(*sign)) == 0:
		return usage("name a command that signs: -sign")
	}
	if info, err := os.Stat(*folder); err != nil || !info.IsDir() {
		return usage(*folder + ": no such folder")
	}
	// A file of its own, since nobody writes to it.
	if isTaken, err := lock(filepath.Join(*folder, "lock")); isTaken {
		say("another program runs on %s: end that one first, or give this one a wallet and a folder of its own", *folder)
		os.Exit(3)
	} else if err != nil {
		return usage(fmt.Sprintf("%s cannot be locked (%v): put it on a disk of this machine", *folder, err))
	}
	kept, err := openBooks(*folder, true)
	if err != nil {
		return err
	}
	if known := kept.wallet; known != "" && known != *sender {
		return usage(fmt.Sprintf("the books of %s are those of %s, not of %s: give each wallet a folder of its own", *folder, known, *sender))
	}
	e := exchange{
		service: newService(*address, *network, *kind, *costly), books: kept, folder: *folder, sender: *sender,
		sign: strings.Fields(*sign), signTime: time.Duration(*signSeconds * float64(time.Second)),
		confirmations: *confirmations, fromHeight: *fromHeight, lateHeight: *fromHeight, maxFee: *maxFee,
		isFresh: *fresh, isRereading: *reread, pauses: map[string]pause{}, said: map[string]bool{},
		fates: map[string]look{}, unclear: map[string]bool{}, seen: map[string]bool{}, troubles: map[string]bool{},
	}
	if kept.isCompared {
		if err := kept.write(entry{Compared: new(bool)}); err != nil {
			return err
		}
	}
	say("running on %s: the books are at block %d", *folder, kept.cursor.Height)
	for {
		e.isTroubled = false
		err := e.service.checkNetwork()
		if errors.Is(err, errNetwork) {
			return err
		}
		e.attempt(func() { must(err); e.round() })
		if len(e.troubles) > 0 && !e.isTroubled {
			clear(e.troubles)
			say("the trouble is over")
		}
		time.Sleep(time.Duration(*poll * float64(time.Second)))
	}
}

// Prints what is open; or that to standard error, and to standard output nothing but the lines that it proposes. Returns the exit
// code.
func (b *books) askAPerson(isBrief bool) int {
	held, twice := b.linesOfOrders()
	lines, tip, code := append(b.foreign.lines(nil), held...), "an unknown number", 0
	if b.tip != 0 {
		tip = fmt.Sprint(b.tip)
	}
	switch {
	case lines != nil:
		code = 5
	case !b.isCompared:
		code = 1
	default:
		lines = []string{"nothing is open"}
	}
	lines = append(lines, twice...)
	if !b.isCompared {
		lines = append(lines, fmt.Sprintf("not compared since the start or the last decision: the books are at block %d of %s", b.cursor.Height, tip))
	}
	explained := os.Stdout
	if isBrief {
		explained = os.Stderr
	}
	fmt.Fprintln(explained, strings.Join(lines, "\n"))
	if isBrief {
		for _, line := range b.linesToPaste() {
			fmt.Println(line)
		}
	}
	for _, line := range b.leftOut("") {
		fmt.Fprintln(os.Stderr, line)
	}
	return code
}

// Those that leave no choice.
func (b *books) linesToPaste() []string {
	var lines []string
	for _, each := range b.foreign.Payments {
		if each.Order != "" && each.Hash != "" {
			lines = append(lines, fmt.Sprintf(`{"adopt": %s, "order": %s}`, quote(each.Hash), quote(each.Order)))
		} else if each.Order != "" {
			lines = append(lines, fmt.Sprintf(`{"adoptNonce": %d, "order": %s}`, each.Nonce, quote(each.Order)))
		}
	}
	held := map[string]int{}
	for _, each := range b.orders {
		for _, hash := range b.heldBy(each) {
			held[hash]++
		}
	}
	for _, each := range b.orders {
		// What a start or --fresh made foreign, nobody has decided.
		if hashes := b.heldBy(each); len(hashes) == 1 && held[hashes[0]] == 1 && b.adopted[hashes[0]].Line == 1 {
			lines = append(lines, fmt.Sprintf(`{"adopt": %s, "order": %s}`, quote(hashes[0]), quote(each.Id)))
		}
	}
	return lines
}

// What is done without the lock: nothing is written.
func read(what, folder, first, last, key, order string, isBrief bool) error {
	if last == "" {
		last = "9999-12-31"
	}
	for _, each := range []string{first, last} {
		if _, err := time.Parse(time.DateOnly, each); what == "report" && each != "" && err != nil {
			return usage(each + " is no day such as 2026-01-31")
		}
	}
	if what == "report" && first > last {
		return usage(fmt.Sprintf("%s, the first day, is after the last, %s", first, last))
	}
	if what == "report" && key != "" && !isPublicKey(key) {
		return usage(key + " is not a public key: a letter is wrong, missing or too many")
	}
	kept, err := openBooks(folder, false)
	if err != nil {
		return err
	}
	switch what {
	case "books":
		shown := kept.shown()
		if order != "" {
			if shown, err = kept.oneOrder(order); err != nil {
				return err
			}
		}
		return json.NewEncoder(os.Stdout).Encode(shown)
	case "adopt":
		os.Exit(kept.askAPerson(isBrief))
	}
	gaps := kept.gaps(first, last, key)
	for _, line := range append(gaps, kept.remarks()...) {
		fmt.Fprintln(os.Stderr, line)
	}
	if err := csv.NewWriter(os.Stdout).WriteAll(kept.report(first, last, key)); err != nil {
		return err
	}
	switch {
	case len(kept.toDecide()) > 0:
		os.Exit(5)
	case len(gaps) > 0:
		os.Exit(1)
	}
	return nil
}

func main() {
	err := run()
	if err == nil {
		return
	}
	say("%v", err)
	var mistaken usage
	if errors.As(err, &mistaken) {
		os.Exit(2)
	}
	if errors.Is(err, errNetwork) {
		os.Exit(4)
	}
	os.Exit(1)
}
