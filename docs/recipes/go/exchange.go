// Follows the chain, credits deposits, pays withdrawals and settles them: an exchange's day, to copy and to change.
//
// Go 1.21 or later, with nothing but its standard library. The folder holds keys.txt, your deposit addresses, one a line;
// orders.jsonl, to which you append {"id", "to", "amount", "memo"} for each withdrawal (nanomina as text), or {"raise": id} for
// a higher fee; and books.jsonl, the program's own. Both files of yours are read in every round. The program may be killed at
// any time.
//
//	go build exchange.go
//	./exchange -url URL -network mainnet -folder FOLDER -from B62… -sign COMMAND run
//	./exchange -folder FOLDER books
//	./exchange memo E4Y…
//
// COMMAND gets the payment as JSON on its standard input, and prints {"hash", "signed"}: recipes/sign.ts is one.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
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
)

// What the commands of a network are signed for. That of any other network its owners know: -signature-kind.
var kinds = map[string]string{"mainnet": "mainnet", "devnet": "testnet", "testnet": "testnet"}

// Refusals of the bytes themselves: no node can ever have taken them.
var forever = map[string]bool{"invalid-signature": true, "memo-too-long": true, "invalid-request": true}

// Trouble that does not pass: another chain knows nothing of your payments, and a deposit there is worth nothing.
var errNetwork = errors.New("another network")

// Memos

func checksum(payload []byte) []byte {
	first := sha256.Sum256(payload)
	second := sha256.Sum256(first[:])
	return second[:4]
}

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
	number := new(big.Int)
	for _, letter := range memo {
		number.Mul(number, big.NewInt(58))
		number.Add(number, big.NewInt(int64(max(0, strings.IndexRune(alphabet, letter)))))
	}
	if number.BitLen() > 39*8 {
		return "", false
	}
	payload := number.FillBytes(make([]byte, 39))
	length := int(payload[2])
	if length > 32 || !utf8.Valid(payload[3:3+length]) {
		return "", false
	}
	text := string(payload[3 : 3+length])
	same, err := memoOnChain(text)
	return text, err == nil && same == memo
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
	return &service{url: strings.TrimRight(address, "/"), network: network, kind: kind, client: client, k: 290}
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
	if ok, err := s.get("/network", &found); err != nil || !ok || found.NetworkName == "" {
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
	// Only another block in its place, under enough others, shows a loss. A lower tip may be that of a node that lags.
	compared := min(at.Height, highest)
	place, isLost := at.Height-compared, false
	if place < len(at.Hashes) && compared > 0 {
		there, _, err := s.deepAt(compared, confirmations)
		if err != nil {
			return step{}, err
		}
		isLost = there != nil && there.StateHash != at.Hashes[place]
	}
	if !isLost && place > 0 {
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
			all = append(all, deposit{id, key, paid.Hash, amount, found.StateHash})
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

type order struct {
	Id, To, Amount, Memo string
	Raise                string `json:",omitempty"`
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
}

type entry struct {
	Height   int       `json:",omitempty"`
	Added    string    `json:",omitempty"`
	Deposits []deposit `json:",omitempty"`
	Orphaned string    `json:",omitempty"`
	Parent   string    `json:",omitempty"`
	Orders   []order   `json:",omitempty"`
	Bid      *bid      `json:",omitempty"`
}

type books struct {
	file     *os.File
	cursor   cursor
	deposits map[string]deposit
	orders   []order
	// Lines of orders.jsonl that were taken.
	taken int
	// By hash, and how many are wanted of each order.
	bids   map[string]bid
	wanted map[string]int
}

func openBooks(folder string) (*books, error) {
	file, err := os.OpenFile(filepath.Join(folder, "books.jsonl"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	b := &books{file: file, deposits: map[string]deposit{}, bids: map[string]bid{}, wanted: map[string]int{}}
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
	if _, err := file.Seek(int64(len(whole)), io.SeekStart); err != nil {
		return nil, err
	}
	return b, nil
}

func (b *books) write(one entry) error {
	line, err := json.Marshal(one)
	if err == nil {
		_, err = b.file.Write(append(line, '\n'))
	}
	if err == nil {
		err = b.file.Sync()
	}
	if err == nil {
		b.apply(one)
	}
	return err
}

func (b *books) apply(one entry) {
	if one.Added != "" {
		hashes := append([]string{one.Added}, b.cursor.Hashes...)
		b.cursor = cursor{one.Height, hashes[:min(len(hashes), 291)]}
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
		if each.Raise != "" {
			b.wanted[each.Raise]++
		} else if b.wanted[each.Id] == 0 {
			b.orders = append(b.orders, each)
			b.wanted[each.Id] = 1
		}
	}
	if one.Bid != nil {
		b.bids[one.Bid.Hash] = *one.Bid
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
	sort.Slice(found, func(one, other int) bool {
		if found[one].Nonce != found[other].Nonce {
			return found[one].Nonce < found[other].Nonce
		}
		return found[one].Fee > found[other].Fee
	})
	return found
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
		bids := b.bidsWhere(func(one bid) bool { return one.OrderId == each.Id })
		ends := map[string]bid{}
		for _, one := range bids {
			ends[one.End] = one
		}
		state, fee := "open", int64(0)
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
			"state": state, "amount": each.Amount, "fee": fmt.Sprint(fee), "bids": len(bids),
		}
	}
	return map[string]any{"height": b.cursor.Height, "deposits": sums, "withdrawals": withdrawals}
}

// The exchange

type exchange struct {
	service              *service
	books                *books
	folder, sender       string
	sign                 []string
	confirmations        int
	maxFee               int64
	nextNonce, usedNonce uint32
}

func (e *exchange) round() error {
	var found struct {
		Account *struct{ Nonce, NextNonce uint32 }
	}
	if err := e.service.checkNetwork(); err != nil {
		return err
	}
	if err := e.credit(); err != nil {
		return err
	}
	if err := e.takeOrders(); err != nil {
		return err
	}
	if _, err := e.service.get("/accounts/"+e.sender, &found); err != nil {
		return err
	}
	if found.Account == nil {
		return errors.New("the wallet has no account: fund it")
	}
	e.usedNonce, e.nextNonce = found.Account.Nonce, found.Account.NextNonce
	if err := e.signOrders(); err != nil {
		return err
	}
	if err := e.settle(); err != nil {
		return err
	}
	return e.send()
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
			if err := e.books.write(entry{Height: next.height, Added: next.added.StateHash, Deposits: deposits}); err != nil {
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
	var orders []order
	for _, line := range lines[min(e.books.taken, len(lines)):] {
		var one order
		if err := json.Unmarshal(line, &one); err != nil {
			return err
		}
		orders = append(orders, one)
	}
	if len(orders) == 0 {
		return nil
	}
	return e.books.write(entry{Orders: orders})
}

// Signs what was ordered, and keeps it before it is sent. A few in a round, since others wait.
func (e *exchange) signOrders() error {
	made := 0
	for _, each := range e.books.orders {
		own := e.books.bidsWhere(func(one bid) bool { return one.OrderId == each.Id })
		hasEnd := false
		for _, one := range own {
			hasEnd = hasEnd || one.End != ""
		}
		if hasEnd || len(own) >= e.books.wanted[each.Id] || made == 10 {
			continue
		}
		var found struct {
			Suggested struct {
				Normal, Fast int64 `json:",string"`
			}
		}
		if ok, err := e.service.get("/fees", &found); err != nil || !ok || found.Suggested.Normal <= 0 {
			return fmt.Errorf("the service suggests no fee now: %v", err)
		}
		nonce, fee := e.nextNonce, found.Suggested.Normal
		if len(own) > 0 {
			nonce, fee = own[0].Nonce, max(found.Suggested.Fast, own[0].Fee+own[0].Fee/10+1)
			if fee > e.maxFee {
				continue
			}
		} else {
			// A node that has just taken a command may not count it yet. A refused one leaves its nonce to the next.
			for len(e.books.bidsWhere(func(one bid) bool { return one.Nonce == nonce && one.End != "refused" })) > 0 {
				nonce++
			}
		}
		fee = min(fee, e.maxFee)
		if err := e.signOne(each, nonce, fee); err != nil {
			return err
		}
		made++
	}
	return nil
}

func (e *exchange) signOne(ordered order, nonce uint32, fee int64) error {
	memo, err := memoOnChain(ordered.Memo)
	if err != nil {
		return err
	}
	terms := map[string]string{
		"from": e.sender, "to": ordered.To, "amount": ordered.Amount, "fee": fmt.Sprint(fee), "nonce": fmt.Sprint(nonce),
		"memo": ordered.Memo, "validUntil": neverExpires,
	}
	asked, err := json.Marshal(terms)
	if err != nil {
		return err
	}
	signer := exec.Command(e.sign[0], e.sign[1:]...)
	signer.Stdin, signer.Stderr = bytes.NewReader(asked), os.Stderr
	said, err := signer.Output()
	if err != nil {
		return err
	}
	var signed struct {
		Hash   string
		Signed json.RawMessage
	}
	if err := json.Unmarshal(said, &signed); err != nil {
		return err
	}
	delete(terms, "validUntil")
	terms["valid_until"], terms["memo"] = neverExpires, memo
	made := bid{Hash: signed.Hash, OrderId: ordered.Id, Nonce: nonce, Fee: fee, Body: signed.Signed, Terms: terms}
	return e.books.write(entry{Bid: &made})
}

// Settle

type fate struct {
	State, Sending string
	Confirmations  int
	Final          bool
	FailureReason  string
	Terms          struct{ Memo string }
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

func (e *exchange) end(one bid, end string) error {
	one.End = end
	return e.books.write(entry{Bid: &one})
}

// Keeps the end of what no reorganisation can reach any more. Until then a bid is sent again where it is lost.
func (e *exchange) settle() error {
	for _, one := range e.books.bidsWhere(func(one bid) bool { return one.End == "" && one.Nonce < e.usedNonce }) {
		found, err := e.fateOf(one)
		if err != nil {
			return err
		}
		if !found.Final && found.Confirmations < e.service.k {
			continue
		}
		end := ""
		switch {
		case found.State == "included" && found.FailureReason != "":
			end = "failed"
		case found.State == "included":
			end = "paid"
		// Only a service that has compared all terms can tell a payment from another one with its nonce.
		case found.State == "replaced" && found.Terms.Memo == one.Terms["memo"]:
			end = "replaced"
		}
		if end == "" {
			continue
		}
		if err := e.end(one, end); err != nil {
			return err
		}
	}
	return nil
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
		one.IsTaken = true
		return true, e.books.write(entry{Bid: &one})
	}
	fmt.Fprintf(os.Stderr, "%s, nonce %d: %s %s\n", one.OrderId, one.Nonce, outcome, code)
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
	return false, e.end(one, "refused")
}

func run() error {
	address, network := flag.String("url", "", "of the service"), flag.String("network", "", "yours")
	folder, sender := flag.String("folder", ".", "of your files"), flag.String("from", "", "the wallet that pays")
	sign := flag.String("sign", "", "a command that signs")
	kind := flag.String("signature-kind", "", "what that command signs for, on a network that is none of Mina's own")
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
	if flag.Arg(0) == "books" {
		return json.NewEncoder(os.Stdout).Encode(kept.shown())
	}
	e := exchange{
		service: newService(*address, *network, *kind), books: kept, folder: *folder, sender: *sender,
		sign: strings.Fields(*sign), confirmations: *confirmations, maxFee: *maxFee,
	}
	for {
		if err := e.round(); errors.Is(err, errNetwork) {
			return err
		} else if err != nil {
			fmt.Fprintln(os.Stderr, "again later:", err)
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
