"""Drives the client that openapi-python-client makes. Arguments: address of the service, file of requests."""
import json
import sys

from chain_explorer_rest_service_client import Client
from chain_explorer_rest_service_client.api.accounts import get_account
from chain_explorer_rest_service_client.api.blockchain import get_summary
from chain_explorer_rest_service_client.api.blocks import get_block, get_block_at_height, get_blocks
from chain_explorer_rest_service_client.api.broadcast import broadcast_delegation, broadcast_transaction
from chain_explorer_rest_service_client.api.transactions import get_transaction
from chain_explorer_rest_service_client.models import DelegationBody, TransactionBody

address, file = sys.argv[1:]
requests = json.load(open(file))
client = Client(base_url=address)
block = get_blocks.sync(client=client, limit=1).blocks[0]
same = get_block.sync(block.state_hash, client=client).block
print("currency", block.protocol_state.consensus_state.total_currency)
print("hash", same.state_hash)
print("account", get_account.sync(requests["publicKey"], client=client).account.public_key)
print("height", get_summary.sync(client=client).blockchain_length)
print("at", get_block_at_height.sync(block.block_height, client=client).block.state_hash)
fate = get_transaction.sync(requests["included"], client=client).transaction
print("fate", fate.state, fate.command.amount)
print("missing", int(get_transaction.sync_detailed(requests["missing"], client=client).status_code))
models = {"payment": (broadcast_transaction, TransactionBody), "delegation": (broadcast_delegation, DelegationBody)}
for request in requests["broadcasts"]:
    body = request["body"]
    endpoint, model = models[request["kind"]]
    try:
        sent = endpoint.sync(client=client, body=model.from_dict(body))
        word = "sent" if "broadcast" in sent.message else "failed"
        print(word, request["kind"], request["form"], sent.message, getattr(sent, "error", ""))
    except Exception as error:
        print("failed", request["kind"], request["form"], repr(error))
