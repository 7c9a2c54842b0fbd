<?php
// Drives the client that openapi-generator makes for PHP. Arguments: folder of the client, address of the service, file of
// requests. Guzzle stands on PHP's include path, where Debian's php-guzzlehttp-guzzle puts it.
require 'GuzzleHttp/autoload.php';

[, $folder, $address, $file] = $argv;
spl_autoload_register(function (string $class) use ($folder): void {
    $path = $folder . '/lib/' . str_replace('\\', '/', preg_replace('/^Explorer\\\\/', '', $class)) . '.php';
    if (is_file($path)) require $path;
});

use Explorer\Api\{AccountsApi, BlockchainApi, BlocksApi, BroadcastApi, TransactionsApi};
use Explorer\Model\{DelegationBody, TransactionBody};

$service = (new Explorer\Configuration())->setHost($address);
$requests = json_decode(file_get_contents($file));
$blocks = new BlocksApi(null, $service);
$transactions = new TransactionsApi(null, $service);
$block = $blocks->getBlocks(1)->getBlocks()[0];
$say = fn(...$words) => print(implode(' ', $words) . "\n");
$say('currency', $block->getProtocolState()->getConsensusState()->getTotalCurrency());
$say('hash', $blocks->getBlock($block->getStateHash())->getBlock()->getStateHash());
$say('account', (new AccountsApi(null, $service))->getAccount($requests->publicKey)->getAccount()->getPublicKey());
$say('height', (new BlockchainApi(null, $service))->getSummary()->getBlockchainLength());
$say('at', $blocks->getBlockAtHeight($block->getBlockHeight())->getBlock()->getStateHash());
$fate = $transactions->getTransaction($requests->included)->getTransaction();
$say('fate', $fate->getState(), $fate->getCommand()->getAmount());
try {
    $transactions->getTransaction($requests->missing);
} catch (Explorer\ApiException $error) {
    $say('missing', $error->getCode());
}
$broadcast = new BroadcastApi(null, $service);
foreach ($requests->broadcasts as $request) {
    $read = fn(string $class) => Explorer\ObjectSerializer::deserialize($request->body, $class);
    try {
        $sent = $request->kind === 'payment'
            ? $broadcast->broadcastTransaction($read(TransactionBody::class))
            : $broadcast->broadcastDelegation($read(DelegationBody::class));
        $say('sent', $request->kind, $request->form, $sent->getMessage());
    } catch (Throwable $error) {
        $say('failed', $request->kind, $request->form, str_replace("\n", ' ', $error->getMessage()));
    }
}
