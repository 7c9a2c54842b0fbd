//! Drives the client that openapi-generator makes for Rust. Arguments: address of the service, file of requests.
use explorer::apis::configuration::Configuration;
use explorer::apis::{accounts_api, blockchain_api, blocks_api, broadcast_api, transactions_api, Error};
use serde_json::{from_str, from_value, Value};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let service = Configuration { base_path: arguments[1].clone(), ..Default::default() };
    let requests: Value = from_str(&std::fs::read_to_string(&arguments[2]).unwrap()).unwrap();
    let blocks = blocks_api::get_blocks(&service, Some(1), None).await.unwrap().blocks;
    let block = &blocks[0];
    let same = blocks_api::get_block(&service, &block.state_hash, None).await.unwrap().block;
    let account = accounts_api::get_account(&service, requests["publicKey"].as_str().unwrap(), None).await.unwrap().account;
    println!("currency {}", block.protocol_state.consensus_state.total_currency);
    println!("hash {}", same.state_hash);
    println!("account {}", account.public_key);
    println!("height {}", blockchain_api::get_summary(&service, None).await.unwrap().blockchain_length);
    let at = blocks_api::get_block_at_height(&service, block.block_height, None).await.unwrap().block;
    println!("at {}", at.state_hash);
    let fate_of = |name: &str| transactions_api::get_transaction(&service, requests[name].as_str().unwrap(), None, None, None, None, None, None, None, None);
    let fate = fate_of("included").await.unwrap().transaction;
    println!("fate {:?} {}", fate.state, fate.command.unwrap().amount.unwrap());
    if let Err(Error::ResponseError(missing)) = fate_of("missing").await {
        println!("missing {}", missing.status.as_u16());
    }
    for request in requests["broadcasts"].as_array().unwrap() {
        let (kind, form) = (request["kind"].as_str().unwrap(), request["form"].as_str().unwrap());
        let body = request["body"].clone();
        let sent = if kind == "payment" {
            let body = from_value(body).unwrap();
            broadcast_api::broadcast_transaction(&service, body).await.map(|sent| sent.message).map_err(|e| format!("{e:?}"))
        } else {
            let body = from_value(body).unwrap();
            broadcast_api::broadcast_delegation(&service, body).await.map(|sent| sent.message).map_err(|e| format!("{e:?}"))
        };
        match sent {
            Ok(message) => println!("sent {kind} {form} {message}"),
            Err(error) => println!("failed {kind} {form} {error}"),
        }
    }
}
