# Drives the client that openapi-generator makes for Ruby. Arguments: address of the service, file of requests.
require 'explorer'
require 'json'
require 'uri'

address, file = ARGV
requests = JSON.parse(File.read(file))
Explorer.configure do |service|
  service.scheme = URI(address).scheme
  service.host = URI(address).then { |uri| "#{uri.host}:#{uri.port}" }
  service.server_index = nil
end
blocks = Explorer::BlocksApi.new
transactions = Explorer::TransactionsApi.new
broadcast = Explorer::BroadcastApi.new
block = blocks.get_blocks(limit: 1).blocks[0]
puts "currency #{block.protocol_state.consensus_state.total_currency}"
puts "hash #{blocks.get_block(block.state_hash).block.state_hash}"
puts "account #{Explorer::AccountsApi.new.get_account(requests['publicKey']).account.public_key}"
puts "height #{Explorer::BlockchainApi.new.get_summary.blockchain_length}"
puts "at #{blocks.get_block_at_height(block.block_height).block.state_hash}"
fate = transactions.get_transaction(requests['included']).transaction
puts "fate #{fate.state} #{fate.command.amount}"
begin
  transactions.get_transaction(requests['missing'])
rescue Explorer::ApiError => error
  puts "missing #{error.code}"
end
requests['broadcasts'].each do |request|
  kind, form, body = request.values_at('kind', 'form', 'body')
  body = JSON.parse(body.to_json, symbolize_names: true)
  sent =
    if kind == 'payment'
      broadcast.broadcast_transaction(Explorer::TransactionBody.build_from_hash(body))
    else
      broadcast.broadcast_delegation(Explorer::DelegationBody.build_from_hash(body))
    end
  puts "sent #{kind} #{form} #{sent.message}"
rescue StandardError => error
  puts "failed #{kind} #{form} #{error.message.tr("\n", ' ')}"
end
