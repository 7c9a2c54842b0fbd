// Follows the chain, credits deposits, pays withdrawals and settles them: an exchange's day, to copy and to change.
//
// Go 1.21 or later, with nothing but its standard library. The folder holds keys.txt, your deposit addresses, one a line;
// orders.jsonl, to which you append a line of JSON for each withdrawal: {"id", "to", "amount", "memo"}, all texts, the amount in
// nanomina; {"raise": id} for a higher fee; {"cancel": id} for an order that is not signed yet; and books.jsonl, the program's
// own. Both files of yours are read in every round. The program may be killed at any time.
//
//	go build exchange.go
//	./exchange -url URL -network mainnet -folder FOLDER -from B62… -sign COMMAND run
//	./exchange -folder FOLDER books
//	./exchange -folder FOLDER -day 2026-01-31 report
//	./exchange memo E4Y…
//
// COMMAND gets the payment as JSON on its standard input, and prints {"hash", "signed"}: recipes/sign.ts is one. If it fails, the
// order waits and the others go on. An order with a mistake is never signed: `books` and standard error have its line and the
// reason. Append it again, corrected.
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
	"math/big"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"
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

	maxLine                = 10_000
	maxSignedARound        = 10
	maxAmount       uint64 = 1<<64 - 1
	// How long an order waits after its signer failed; each time twice as long.
	firstPause, longestPause = 5 * time.Second, 10 * time.Minute
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

func say(format string, values ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", values...)
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
}

// The members of a JSON object. Of two with one name, nobody can say which is meant.
func membersOf(line []byte) (map[string]json.RawMessage, error) {
	if !json.Valid(line) {
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

// An order has id, to, amount and perhaps memo; raise and cancel stand alone. All are texts. After an error the order has its id
// all the same, where that is a text.
func parseOrder(line []byte) (order, error) {
	if len(line) > maxLine {
		return order{}, invalid(fmt.Sprintf("the line is longer than %d bytes", maxLine))
	}
	if !utf8.Valid(line) {
		return order{}, invalid("not UTF-8")
	}
	members, err := membersOf(line)
	if err != nil {
		return order{}, err
	}
	var found order
	places := map[string]*string{
		"id": &found.Id, "to": &found.To, "amount": &found.Amount, "memo": &found.Memo,
		"raise": &found.Raise, "cancel": &found.Cancel,
	}
	found.Id, _ = textOf(members["id"])
	required := []string{"id", "to", "amount"}
	if members["raise"] != nil || members["cancel"] != nil {
		if required = nil; len(members) > 1 {
			return found, invalid("raise and cancel stand alone")
		}
	}
	for name := range members {
		if places[name] == nil {
			return found, invalid(fmt.Sprintf("unknown member %.40q", name))
		}
	}
	for _, name := range required {
		if members[name] == nil {
			return found, invalid("no " + name)
		}
	}
	for _, name := range []string{"id", "to", "amount", "memo", "raise", "cancel"} {
		value, isThere := members[name]
		text, isText := textOf(value)
		if isThere && (!isText || (text == "" && name != "memo")) {
			return found, invalid(name + " is not a text")
		}
		*places[name] = text
	}
	return found, nil
}

var wholeNumber = regexp.MustCompile("^[1-9][0-9]{0,19}$")

func checkTerms(to, amount, memo string) error {
	if !isPublicKey(to) {
		return invalid("to is not a public key: a letter is wrong, missing or too many")
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
}

func newService(address, network, kind string) *service {
	if kind == "" {
		kind = kinds[network]
	}
	// Behind a redirect a broadcast would become a GET.
	stop := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	client := http.Client{Timeout: 30 * time.Second, CheckRedirect: stop}
	return &service{url: strings.TrimRight(address, "/"), network: network, kind: kind, client: client}
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
	answer, err := s.client.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, nil, err
	}
	var said struct{ Message string }
	switch status := answer.StatusCode; {
	case status != 200 && status != 201 && status != 400 && status != 404:
		return 0, nil, fmt.Errorf("%d", status)
	case status != 200:
		// The gateway has these words for a path that it does not know.
		if json.Unmarshal(text, &said) != nil || said.Message == "Not Found" {
			return 0, nil, fmt.Errorf("%d: something else answers", status)
		}
		return status, answer.Header, nil
	}
	return 200, answer.Header, json.Unmarshal(text, into)
}

// False for what does not exist.
func (s *service) get(path string, into any) (bool, error) {
	status, _, err := s.ask(path, nil, into)
	if err == nil && status == 400 {
		err = fmt.Errorf("%s: the service takes no such question", path)
	}
	return status == 200, err
}

// Compares your network with the service's, once a minute. Never take it from the service.
func (s *service) checkNetwork() error {
	if time.Since(s.checkedAt) < time.Minute {
		return nil
	}
	var found struct {
		NetworkName, SignatureKind string
		K                          int
	}
	if ok, err := s.get("/network", &found); err != nil || !ok || found.NetworkName == "" || found.K == 0 {
		return fmt.Errorf("the service does not name its network: %v", err)
	}
	if found.NetworkName != s.network {
		return fmt.Errorf("%w: the service is on %s, not on %s", errNetwork, found.NetworkName, s.network)
	}
	// A service over an older node does not say what to sign for.
	if kind := found.SignatureKind; kind != "" && s.kind != "" && kind != s.kind {
		return fmt.Errorf("%w: the service takes payments signed for %s, not for %s", errNetwork, kind, s.kind)
	}
	s.checkedAt, s.k = time.Now(), found.K
	return nil
}

// Follow the chain

type command struct {
	Hash, From, To string
	Nonce          uint32
	Amount         *big.Int
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
func (s *service) deepAt(height, confirmations int) (*block, bool, error) {
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
			return nil, false, fmt.Errorf("no upstream has block %d any more: connect an indexer", height)
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

func (s *service) nextStep(at cursor, confirmations int) (step, error) {
	// Where to look. Nothing is counted from it.
	var tip struct{ BlockchainLength int }
	if ok, err := s.get("/summary", &tip); err != nil || !ok || tip.BlockchainLength == 0 {
		return step{}, fmt.Errorf("no summary: %v", err)
	}
	highest, isFirst := tip.BlockchainLength-confirmations, len(at.Hashes) == 0
	height := at.Height + 1
	if isFirst {
		height = highest
	}
	if height > 0 && height <= highest {
		found, _, err := s.deepAt(height, confirmations)
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
		there, _, err := s.deepAt(at.Height, confirmations)
		if err != nil {
			return step{}, err
		}
		isLost = there != nil && there.StateHash != at.Hashes[0]
	} else {
		isForked, err := s.isForkedAway(at)
		if err != nil {
			return step{}, err
		}
		isLost = isForked
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
	if ok, err := s.get("/blocks/"+lost.orphaned, &found); err != nil || !ok || found.Block == nil {
		return step{}, fmt.Errorf("nobody knows the parent of %s: give an older cursor: %v", lost.orphaned, err)
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
		if keys[key] && amount != nil && amount.Sign() > 0 {
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
	SentAt        time.Time
	End           string
	// Of the block that holds it; books of an earlier version lack them.
	Height int    `json:",omitempty"`
	Time   string `json:",omitempty"`
}

type entry struct {
	Height   int       `json:",omitempty"`
	Added    string    `json:",omitempty"`
	Deposits []deposit `json:",omitempty"`
	Orphaned string    `json:",omitempty"`
	Parent   string    `json:",omitempty"`
	Time     string    `json:",omitempty"`
	Orders   []order   `json:",omitempty"`
	Mistakes []mistake `json:",omitempty"`
	// Lines of orders.jsonl that were taken; an earlier version had none but good ones, and counted these.
	Taken   int      `json:",omitempty"`
	Bid     *bid     `json:",omitempty"`
	Dropped []string `json:",omitempty"`
}

type books struct {
	file *os.File
	// Of its whole lines.
	length int64
	cursor cursor
	// Of the block taken last.
	time     string
	deposits map[string]deposit
	orders   []order
	mistakes []mistake
	// Lines of orders.jsonl that were taken.
	taken int
	// By hash, and by order their hashes, how many are wanted of it, its content, and how it ended without a payment.
	bids   map[string]bid
	hashes map[string][]string
	wanted map[string]int
	known  map[string]order
	ended  map[string]string
}

func openBooks(folder string) (*books, error) {
	file, err := os.OpenFile(filepath.Join(folder, "books.jsonl"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	b := &books{
		file: file, deposits: map[string]deposit{}, bids: map[string]bid{}, hashes: map[string][]string{},
		wanted: map[string]int{}, known: map[string]order{}, ended: map[string]string{},
	}
	text, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	// A crash may have cut the last line.
	whole := text[:bytes.LastIndexByte(text, '\n')+1]
	for _, line := range bytes.Split(whole, []byte("\n")) {
		var one entry
		if len(line) == 0 {
			continue
		}
		if err := json.Unmarshal(line, &one); err != nil {
			return nil, err
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
	if one.Added != "" {
		hashes := append([]string{one.Added}, b.cursor.Hashes...)
		b.cursor, b.time = cursor{one.Height, hashes[:min(len(hashes), 1+maxBelow)]}, one.Time
	}
	for _, each := range one.Deposits {
		if _, isKnown := b.deposits[each.Id]; !isKnown {
			b.deposits[each.Id] = each
		}
	}
	if one.Orphaned != "" {
		under := append([]string{one.Parent}, b.cursor.Hashes[min(2, len(b.cursor.Hashes)):]...)
		b.cursor = cursor{one.Height, under}
		for id, each := range b.deposits {
			if each.StateHash == one.Orphaned {
				delete(b.deposits, id)
			}
		}
	}
	for _, each := range one.Orders {
		b.taken++
		switch {
		case each.Raise != "":
			b.wanted[each.Raise]++
		case each.Cancel != "":
			b.ended[each.Cancel] = "cancelled"
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
	if one.Taken > 0 {
		b.taken = one.Taken
	}
	if one.Bid != nil {
		if _, isKnown := b.bids[one.Bid.Hash]; !isKnown {
			b.hashes[one.Bid.OrderId] = append(b.hashes[one.Bid.OrderId], one.Bid.Hash)
		}
		b.bids[one.Bid.Hash] = *one.Bid
	}
	for _, hash := range one.Dropped {
		name := b.bids[hash].OrderId
		delete(b.bids, hash)
		b.hashes[name] = slices.DeleteFunc(b.hashes[name], func(each string) bool { return each == hash })
	}
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

func (b *books) shown() any {
	deposits, withdrawals := map[string]*big.Int{}, map[string]any{}
	for _, each := range b.deposits {
		if deposits[each.Key] == nil {
			deposits[each.Key] = new(big.Int)
		}
		deposits[each.Key].Add(deposits[each.Key], each.Amount)
	}
	sums := map[string]string{}
	for key, sum := range deposits {
		sums[key] = sum.String()
	}
	for _, each := range b.orders {
		hashes, ends := b.hashes[each.Id], map[string]bid{}
		for _, hash := range hashes {
			ends[b.bids[hash].End] = b.bids[hash]
		}
		state, fee := "open", int64(0)
		if end := b.ended[each.Id]; end != "" {
			state = end
		}
		for _, end := range []string{"paid", "failed", "", "refused", "replaced"} {
			if one, isThere := ends[end]; isThere {
				if end != "" {
					state = end
				}
				if end == "paid" || end == "failed" {
					fee = one.Fee
				}
				break
			}
		}
		withdrawals[each.Id] = map[string]any{
			"state": state, "amount": each.Amount, "fee": fmt.Sprint(fee), "bids": len(hashes),
		}
	}
	mistakes := append([]mistake{}, b.mistakes...)
	return map[string]any{
		"height": b.cursor.Height, "deposits": sums, "withdrawals": withdrawals, "invalid": mistakes,
	}
}

// What came and went in the blocks of a day, UTC, in nanomina: time, height, kind, id, key, amount, fee, hash.
func (b *books) report(day string) [][]string {
	type row struct {
		height int
		values []string
	}
	var rows []row
	add := func(height int, time string, values ...string) {
		if strings.HasPrefix(time, day+"T") {
			rows = append(rows, row{height, append([]string{time, fmt.Sprint(height)}, values...)})
		}
	}
	for _, each := range b.deposits {
		add(each.Height, each.Time, "deposit", each.Id, each.Key, each.Amount.String(), "0", each.Hash)
	}
	for _, one := range b.bids {
		ordered := b.known[one.OrderId]
		switch one.End {
		case "paid":
			add(one.Height, one.Time, "withdrawal", one.OrderId, ordered.To, ordered.Amount, fmt.Sprint(one.Fee), one.Hash)
		// A payment that failed on the chain costs its fee alone.
		case "failed":
			add(one.Height, one.Time, "failed", one.OrderId, ordered.To, "0", fmt.Sprint(one.Fee), one.Hash)
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

// Why a report of the day may not be whole yet.
func (b *books) gaps(day string) []string {
	var found []string
	if b.time < day+"T24" {
		found = append(found, fmt.Sprintf("the day is not over: the books end at %q", b.time))
	}
	open, undated := 0, 0
	for _, one := range b.bids {
		switch {
		case one.End == "" && !one.SentAt.IsZero():
			open++
		case (one.End == "paid" || one.End == "failed") && one.Time == "":
			undated++
		}
	}
	for _, each := range b.deposits {
		if each.Time == "" {
			undated++
		}
	}
	if open > 0 {
		found = append(found, fmt.Sprintf("%d payments are not settled: their blocks may be of this day", open))
	}
	if undated > 0 {
		found = append(found, fmt.Sprintf("%d entries of an earlier version have no time: they are in no report", undated))
	}
	return found
}

// The exchange

type exchange struct {
	service              *service
	books                *books
	folder, sender       string
	sign                 []string
	signTime             time.Duration
	confirmations        int
	maxFee               int64
	nextNonce, usedNonce uint32
	// Not locked at the tip.
	liquid *big.Int
	// By order: when to ask the signer again, and the pause after the next failure.
	pauses map[string]pause
	said   map[string]bool
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

// Trouble in one step leaves the others alone.
func attempt(step func() error) {
	if err := step(); err != nil {
		say("again later: %v", err)
	}
}

func (e *exchange) round() error {
	if err := e.service.checkNetwork(); err != nil {
		return err
	}
	attempt(e.credit)
	attempt(e.takeOrders)
	if err := e.readAccount(); err != nil {
		return err
	}
	// What is signed already never waits for a signer.
	attempt(e.settle)
	attempt(e.send)
	attempt(e.signOrders)
	return nil
}

func (e *exchange) readAccount() error {
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
	if _, err := e.service.get("/accounts/"+e.sender, &found); err != nil {
		return err
	}
	if found.Account == nil {
		return errors.New("the wallet has no account: fund it")
	}
	liquid, err := nanomina(found.Account.Balance.Total)
	if err != nil {
		return err
	}
	if text := found.Account.Balance.LockedBalance; text != nil {
		locked, err := nanomina(*text)
		if err != nil {
			return err
		}
		liquid.Sub(liquid, locked)
	}
	e.usedNonce, e.nextNonce, e.liquid = found.Account.Nonce, found.Account.NextNonce, liquid
	return nil
}

func (e *exchange) credit() error {
	text, err := os.ReadFile(filepath.Join(e.folder, "keys.txt"))
	if err != nil {
		return err
	}
	keys := map[string]bool{}
	for _, key := range strings.Fields(string(text)) {
		keys[key] = true
	}
	for {
		next, err := e.service.nextStep(e.books.cursor, e.confirmations)
		switch {
		case err != nil:
			return err
		case next.added != nil:
			deposits, err := depositsIn(next.added, keys)
			if err != nil {
				return err
			}
			added := entry{Height: next.height, Added: next.added.StateHash, Time: next.added.DateTime, Deposits: deposits}
			if err := e.books.write(added); err != nil {
				return err
			}
		case next.orphaned != "":
			if err := e.books.write(entry{Height: next.height, Orphaned: next.orphaned, Parent: next.parent}); err != nil {
				return err
			}
		default:
			return nil
		}
	}
}

func (e *exchange) takeOrders() error {
	text, err := os.ReadFile(filepath.Join(e.folder, "orders.jsonl"))
	if err != nil {
		return err
	}
	// A line without its end is still being written.
	lines := bytes.Split(text, []byte("\n"))
	lines = lines[:len(lines)-1]
	if len(lines) < e.books.taken {
		e.sayOnce("orders.jsonl", "orders.jsonl has %d lines, and %d were taken: only append to it", len(lines), e.books.taken)
	}
	if len(lines) <= e.books.taken {
		return nil
	}
	taken := entry{Taken: len(lines)}
	known, ended := maps.Clone(e.books.known), maps.Clone(e.books.ended)
	for number := e.books.taken + 1; number <= len(lines); number++ {
		line := bytes.Trim(lines[number-1], " \t\r")
		if len(line) == 0 {
			continue
		}
		one, err := parseOrder(line)
		if err == nil {
			err = e.books.check(one, known, ended)
		}
		if err != nil {
			say("%s: invalid: %v", strings.TrimSuffix(fmt.Sprintf("orders.jsonl, line %d, %s", number, one.Id), ", "), err)
			taken.Mistakes = append(taken.Mistakes, mistake{number, one.Id, err.Error()})
			continue
		}
		taken.Orders = append(taken.Orders, one)
		if one.Id != "" {
			known[one.Id] = one
		} else if one.Cancel != "" {
			ended[one.Cancel] = "cancelled"
		}
	}
	return e.books.write(taken)
}

// An order beside those that are known, and how they ended without a payment.
func (b *books) check(one order, known map[string]order, ended map[string]string) error {
	name := one.Id + one.Raise + one.Cancel
	same, isKnown := known[name]
	switch {
	case one.Id != "":
		if err := checkTerms(one.To, one.Amount, one.Memo); err != nil {
			return err
		}
		// The same line may come twice.
		if isKnown && same != one {
			return invalid("another order has this id")
		}
		// An earlier version kept a raise of an order that was not there, and took none with its id.
		if !isKnown && b.wanted[name] > 0 {
			return invalid("a raise stands before it")
		}
	case !isKnown:
		return invalid("there is no order " + name)
	case one.Cancel != "" && len(b.hashes[name]) > 0:
		return invalid(name + " is signed and may be paid: it cannot be cancelled")
	case one.Raise != "" && ended[name] != "":
		return invalid(name + " is " + ended[name])
	}
	return nil
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

// Signs what was ordered, and keeps it before it is sent. A round gives its signers some seconds, since others wait.
func (e *exchange) signOrders() error {
	var due []order
	for _, each := range e.books.orders {
		own := e.books.bidsOf(each.Id)
		hasEnd := slices.ContainsFunc(own, func(one bid) bool { return one.End != "" })
		isOpen := e.books.ended[each.Id] == "" && !hasEnd && len(own) < e.books.wanted[each.Id]
		if isOpen && time.Now().After(e.pauses[each.Id].until) {
			due = append(due, each)
		}
	}
	if len(due) == 0 {
		return nil
	}
	// Those whose signer has failed come last, so that they never hold up the others.
	hasFailed := func(each order) bool { _, isThere := e.pauses[each.Id]; return isThere }
	sort.SliceStable(due, func(one, other int) bool { return !hasFailed(due[one]) && hasFailed(due[other]) })
	var found struct {
		Suggested struct {
			Normal, Fast int64 `json:",string"`
		}
	}
	if ok, err := e.service.get("/fees", &found); err != nil || !ok || found.Suggested.Normal <= 0 {
		return fmt.Errorf("the service suggests no fee now: %v", err)
	}
	spendable, used := e.spendable()
	until, made, isFirst := time.Now().Add(e.signTime), 0, true
	for _, each := range due {
		if made == maxSignedARound || !time.Now().Before(until) {
			return nil
		}
		nonce, fee := e.nextNonce, min(found.Suggested.Normal, e.maxFee)
		needed := new(big.Int)
		if own := e.books.bidsOf(each.Id); len(own) > 0 {
			nonce, fee = own[0].Nonce, max(found.Suggested.Fast, own[0].Fee+own[0].Fee/10+1)
			if fee > e.maxFee {
				continue
			}
			needed.SetInt64(fee - own[0].Fee)
		} else {
			// An earlier version took orders without a check.
			if err := checkTerms(each.To, each.Amount, each.Memo); err != nil {
				say("%s: invalid: %v", each.Id, err)
				if err := e.books.write(entry{Mistakes: []mistake{{0, each.Id, err.Error()}}}); err != nil {
					return err
				}
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
			return nil
		case errors.As(err, &failure):
			e.pause(each.Id, string(failure))
		default:
			return err
		}
		isFirst = false
	}
	return nil
}

// Lets an order wait after its signer has failed.
func (e *exchange) pause(name, why string) {
	wait := max(e.pauses[name].next, firstPause)
	e.pauses[name] = pause{time.Now().Add(wait), min(2*wait, longestPause)}
	say("%s: not signed: %s; again in %v", name, why, wait)
}

func (e *exchange) signOne(ordered order, nonce uint32, fee int64, patience time.Duration) error {
	memo, err := memoOnChain(ordered.Memo)
	if err != nil {
		return err
	}
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
	return e.books.write(entry{Bid: &made})
}

// The signer's hash and signed payment.
func (e *exchange) askSigner(terms map[string]string, memo string, patience time.Duration) (string, []byte, error) {
	asked, err := json.Marshal(terms)
	if err != nil {
		return "", nil, err
	}
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
	Block          struct {
		BlockHeight int
		DateTime    string
	}
}

func (e *exchange) fateOf(one bid) (fate, error) {
	query := url.Values{}
	for name, value := range one.Terms {
		query.Set(name, value)
	}
	var found struct{ Transaction fate }
	_, err := e.service.get("/transactions/"+one.Hash+"?"+query.Encode(), &found)
	return found.Transaction, err
}

// Keeps the end of what no reorganisation can reach any more. Until then a bid is sent again where it is lost.
func (e *exchange) settle() error {
	for _, one := range e.books.bidsWhere(func(one bid) bool { return one.End == "" && one.Nonce < e.usedNonce }) {
		// One that the service cannot tell now leaves the others alone.
		attempt(func() error { return e.settleOne(one) })
	}
	return nil
}

func (e *exchange) settleOne(one bid) error {
	found, err := e.fateOf(one)
	if err != nil {
		return err
	}
	if !found.Final && found.Confirmations < e.service.k {
		return nil
	}
	switch {
	case found.State == "included" && found.FailureReason != "":
		one.End = "failed"
	case found.State == "included":
		one.End = "paid"
	// Only a service that has compared all terms can tell a payment from another one with its nonce.
	case found.State == "replaced" && found.Terms.Memo == one.Terms["memo"]:
		one.End = "replaced"
	default:
		return nil
	}
	one.Height, one.Time = found.Block.BlockHeight, found.Block.DateTime
	return e.books.write(entry{Bid: &one})
}

// Ends a bid that no node has. Bids above its nonce wait for that nonce, so those never sent are signed anew.
func (e *exchange) refuse(one bid, isSignersFault bool) error {
	var dropped []string
	for hash, other := range e.books.bids {
		if (other.Nonce > one.Nonce && other.SentAt.IsZero()) || (hash == one.Hash && isSignersFault) {
			dropped = append(dropped, hash)
		}
	}
	one.End = "refused"
	return e.books.write(entry{Bid: &one, Dropped: dropped})
}

// Sends what no node has, lowest nonce first, and of a nonce the highest bid. Stops at the first that is not taken.
func (e *exchange) send() error {
	seen, wokeOne := map[uint32]bool{}, false
	for _, one := range e.books.bidsWhere(func(one bid) bool { return one.End == "" && one.Nonce >= e.usedNonce }) {
		if seen[one.Nonce] {
			continue
		}
		seen[one.Nonce] = true
		isStale := one.IsTaken && time.Since(one.SentAt) > stale && !wokeOne
		wokeOne = wokeOne || isStale
		isMissing := one.Nonce >= e.nextNonce
		if !isMissing && one.IsTaken && !isStale {
			continue
		}
		isTaken, err := e.sendOne(one)
		if err != nil {
			return err
		}
		if !isTaken && isMissing {
			return nil
		}
	}
	return nil
}

// True where a node has it. An earlier sending may have arrived, so only the refusal of a first one is an end.
func (e *exchange) sendOne(one bid) (bool, error) {
	isFirst := !one.MayBeSent
	one.MayBeSent, one.SentAt = true, time.Now()
	if err := e.books.write(entry{Bid: &one}); err != nil {
		return false, err
	}
	_, headers, err := e.service.ask("/broadcast/transaction", one.Body, nil)
	if err != nil {
		return false, err
	}
	outcome, code := headers.Get("x-broadcast-outcome"), headers.Get("x-broadcast-code")
	if outcome == "accepted" || outcome == "already-known" {
		delete(e.pauses, one.OrderId)
		one.IsTaken = true
		return true, e.books.write(entry{Bid: &one})
	}
	say("%s, nonce %d: %s %s", one.OrderId, one.Nonce, outcome, code)
	if outcome != "refused" {
		return false, nil
	}
	one.MayBeSent = !isFirst
	if err := e.books.write(entry{Bid: &one}); err != nil {
		return false, err
	}
	isRefused := forever[code] || (isFirst && headers.Get("x-broadcast-retriable") == "false")
	if found, err := e.fateOf(one); err != nil || !isRefused || found.Sending != "possible" {
		return false, err
	}
	isSignersFault := isFirst && forever[code]
	if err := e.refuse(one, isSignersFault); err != nil || !isSignersFault {
		return false, err
	}
	e.pause(one.OrderId, "the service refuses what the signer made: "+code)
	return false, nil
}

func run() error {
	address, network := flag.String("url", "", "of the service"), flag.String("network", "", "yours")
	folder, sender := flag.String("folder", ".", "of your files"), flag.String("from", "", "the wallet that pays")
	sign := flag.String("sign", "", "the command that signs a payment")
	signSeconds := flag.Float64("sign-seconds", 30, "the time that a round gives its signers")
	kind := flag.String("signature-kind", "", "what that command signs for, on a network that is none of Mina's own")
	day := flag.String("day", "", "of a report: YYYY-MM-DD, UTC")
	confirmations := flag.Int("confirmations", 15, "blocks on top of a deposit before it is credited")
	maxFee := flag.Int64("max-fee", 100_000_000, "nanomina: the most that you pay for a payment itself")
	poll := flag.Float64("poll", 5, "seconds between two rounds")
	flag.Parse()
	if flag.Arg(0) == "memo" {
		text, isMemo := memoText(flag.Arg(1))
		if !isMemo {
			return errors.New("not a memo")
		}
		fmt.Println(text)
		return nil
	}
	kept, err := openBooks(*folder)
	if err != nil {
		return err
	}
	if *confirmations < 0 {
		return fmt.Errorf("confirmations cannot be %d", *confirmations)
	}
	switch flag.Arg(0) {
	case "books":
		return json.NewEncoder(os.Stdout).Encode(kept.shown())
	case "report":
		if _, err := time.Parse(time.DateOnly, *day); err != nil {
			return err
		}
		for _, gap := range kept.gaps(*day) {
			say("%s", gap)
		}
		return csv.NewWriter(os.Stdout).WriteAll(kept.report(*day))
	}
	e := exchange{
		service: newService(*address, *network, *kind), books: kept, folder: *folder, sender: *sender,
		sign: strings.Fields(*sign), signTime: time.Duration(*signSeconds * float64(time.Second)),
		confirmations: *confirmations, maxFee: *maxFee, pauses: map[string]pause{}, said: map[string]bool{},
	}
	if len(e.sign) == 0 {
		return errors.New("name a command that signs: -sign")
	}
	for {
		if err := e.round(); errors.Is(err, errNetwork) {
			return err
		} else if err != nil {
			say("again later: %v", err)
		}
		time.Sleep(time.Duration(*poll * float64(time.Second)))
	}
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
