"""Drives the client that openapi-generator makes for Python. Arguments: address of the service, file of requests."""
import json
import sys

from explorer import AccountsApi, ApiClient, BlockchainApi, BlocksApi, BroadcastApi, Configuration
from explorer import DelegationBody, TransactionBody, TransactionsApi
from explorer.exceptions import NotFoundException

address, file = sys.argv[1:]
requests = json.load(open(file))
client = ApiClient(Configuration(host=address))
block = BlocksApi(client).get_blocks(limit=1).blocks[0]
same = BlocksApi(client).get_block(block.state_hash).block
print("currency", block.protocol_state.consensus_state.total_currency)
print("hash", same.state_hash)
print("account", AccountsApi(client).get_account(requests["publicKey"]).account.public_key)
print("height", BlockchainApi(client).get_summary().blockchain_length)
print("at", BlocksApi(client).get_block_at_height(block.block_height).block.state_hash)
fate = TransactionsApi(client).get_transaction(requests["included"]).transaction
print("fate", fate.state, fate.command.amount)
try:
    TransactionsApi(client).get_transaction(requests["missing"])
except NotFoundException as error:
    print("missing", error.status)
for request in requests["broadcasts"]:
    body = json.dumps(request["body"])
    try:
        if request["kind"] == "payment":
            sent = BroadcastApi(client).broadcast_transaction(TransactionBody.from_json(body))
        else:
            sent = BroadcastApi(client).broadcast_delegation(DelegationBody.from_json(body))
        print("sent", request["kind"], request["form"], sent.message)
    except Exception as error:
        print("failed", request["kind"], request["form"], repr(error))
