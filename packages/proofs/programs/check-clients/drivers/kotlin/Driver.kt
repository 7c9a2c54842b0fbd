// Drives the client that openapi-generator makes for Kotlin. Arguments: address of the service, file of requests.
import com.google.gson.JsonObject
import com.google.gson.JsonParser
import explorer.apis.AccountsApi
import explorer.apis.BlockchainApi
import explorer.apis.BlocksApi
import explorer.apis.BroadcastApi
import explorer.apis.TransactionsApi
import explorer.infrastructure.ClientException
import java.io.File

fun main(arguments: Array<String>) {
    val (address, file) = arguments
    val requests = JsonParser.parseString(File(file).readText()).asJsonObject
    val blocks = BlocksApi(address)
    val block = blocks.getBlocks(1).blocks.first()
    println("currency ${block.protocolState.consensusState.totalCurrency}")
    println("hash ${blocks.getBlock(block.stateHash).block.stateHash}")
    println("account ${AccountsApi(address).getAccount(requests["publicKey"].asString).account.publicKey}")
    println("height ${BlockchainApi(address).getSummary().blockchainLength}")
    println("at ${blocks.getBlockAtHeight(block.blockHeight).block.stateHash}")
    val transactions = TransactionsApi(address)
    val fate = transactions.getTransaction(requests["included"].asString).transaction
    println("fate ${fate.state} ${fate.command?.amount}")
    try {
        transactions.getTransaction(requests["missing"].asString)
    } catch (error: ClientException) {
        println("missing ${error.statusCode}")
    }
    for (item in requests["broadcasts"].asJsonArray) {
        val request = item.asJsonObject
        val what = "${request["kind"].asString} ${request["form"].asString}"
        try {
            println("sent $what ${send(BroadcastApi(address), request)}")
        } catch (error: Exception) {
            println("failed $what $error")
        }
    }
    System.exit(0)
}

private fun send(api: BroadcastApi, request: JsonObject): String {
    val body = request["body"].toString()
    return if (request["kind"].asString == "payment") api.broadcastTransaction(read(body)).message
    else api.broadcastDelegation(read(body)).message
}
