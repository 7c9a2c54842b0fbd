// Block 3 of mainnet as a daemon reports it.
import { token } from './node-wire.ts'

interface Payment {
  readonly amount: string
  readonly failureReason: string | null
  readonly fee: string
  readonly from: string
  readonly hash: string
  readonly id: string
  readonly memo: string
  readonly nonce: number
  readonly to: string
}

/** Today's daemon reports one id for MINA, also for commands from before the Berkeley fork. */
export function realPayment(reported: Payment) {
  const [sender, receiver] = [reported.from, reported.to].map((publicKey) => ({ publicKey, token }))
  return {
    ...reported,
    ...{ kind: 'PAYMENT', isDelegation: false, token, feeToken: token },
    ...{ feePayer: sender, fromAccount: sender, source: sender, receiver, toAccount: receiver },
  }
}

/** Of 2021: each of its four payments is too small to create its receiver. */
export const failedPaymentsBlock = {
  creator: 'B62qrecVjpoZ4Re3a5arN6gXZ6orhmj1enUtA887XdG5mtZfdUbBUh4',
  creatorAccount: { publicKey: 'B62qrecVjpoZ4Re3a5arN6gXZ6orhmj1enUtA887XdG5mtZfdUbBUh4' },
  protocolState: {
    blockchainState: {
      date: '1615939560000',
      snarkedLedgerHash: 'jx7buQVWFLsXTtzRgSxbYcT8EYLS8KCZbLrfDcJxMtyy4thw2Ee',
      stagedLedgerHash: 'jx98RBFA7dS1wf5rS6pFt1HX4SUPVTUjSj2ji6Ab87hCY7a8XRh',
      utcDate: '1615939560000',
    },
    consensusState: {
      blockHeight: '3',
      blockchainLength: '3',
      coinbaseReceiever: 'B62qqSUUCnoC8Vehw5xwhrnaNxhk6Xe3FcBhngoxyXCbJBfvVhiqia1',
      epoch: '0',
      epochCount: '0',
      hasAncestorInSameCheckpointWindow: true,
      lastVrfOutput: 'EiRrpYw7BHS5z43jhPR93DbYNWhs3meN2wPmjuMvYF9wg7wMojP2v',
      minWindowDensity: '77',
      nextEpochData: {
        epochLength: '4',
        ledger: { hash: 'jx7buQVWFLsXTtzRgSxbYcT8EYLS8KCZbLrfDcJxMtyy4thw2Ee', totalCurrency: '805385692840039233' },
        lockCheckpoint: '3NLyWnjZqUECniE1q719CoLmes6WDQAod4vrTeLfN7XXJbHv6EHH',
        seed: '2vbsVxBcEcCteELXMaSprEnMikJ1Y7LwUjENiBN2FygP8nyMhvX6',
        startCheckpoint: '3NK2tkzqqK5spR2sZ7tujjqPksL45M3UUrcA4WhCkeiPtnugyE2x',
      },
      slot: '2',
      slotSinceGenesis: '2',
      stakingEpochData: {
        epochLength: '1',
        ledger: { hash: 'jx7buQVWFLsXTtzRgSxbYcT8EYLS8KCZbLrfDcJxMtyy4thw2Ee', totalCurrency: '805385692840039233' },
        lockCheckpoint: '3NK2tkzqqK5spR2sZ7tujjqPksL45M3UUrcA4WhCkeiPtnugyE2x',
        seed: '2va9BGv9JrLTtrzZttiEMDYw1Zj6a6EHzXjmP9evHDTG3oEquURA',
        startCheckpoint: '3NK2tkzqqK5spR2sZ7tujjqPksL45M3UUrcA4WhCkeiPtnugyE2x',
      },
      totalCurrency: '805385692840039233',
    },
    previousStateHash: '3NLyWnjZqUECniE1q719CoLmes6WDQAod4vrTeLfN7XXJbHv6EHH',
  },
  snarkJobs: [],
  stateHash: '3NKd5So3VNqGZtRZiWsti4yaEe1fX79yz5TbfG6jBZqgMnCQQp3R',
  stateHashField: '7886433521051234287337856092374874106695928538140910529263287292515822640717',
  transactions: {
    coinbase: '720000000000',
    coinbaseReceiverAccount: { publicKey: 'B62qqSUUCnoC8Vehw5xwhrnaNxhk6Xe3FcBhngoxyXCbJBfvVhiqia1' },
    feeTransfer: [{ fee: '120000000', recipient: 'B62qqSUUCnoC8Vehw5xwhrnaNxhk6Xe3FcBhngoxyXCbJBfvVhiqia1' }],
    userCommands: [
      realPayment({
        amount: '10000',
        failureReason: 'Amount_insufficient_to_create_account',
        fee: '50000000',
        from: 'B62qre3erTHfzQckNuibViWQGyyKwZseztqrjPZBv6SQF384Rg6ESAy',
        hash: 'CkpZ1u12zrTuEttp7QktfEy7wosHrPV6r3DJkq4sA9f1yKgEqmj5k',
        id: '4Rs6xMHVyo1HmXm4pTNCa3vrPvRZ6XGF7cT5jhKGunHHkYCMYj6ss31gcHdftFqL6qtHAKFedM2Hv9stz8uw5SpVh15p9Dd2huEQerdBu3M68EiUXZEQxJ9fvCMPruCqbw99Vhyqm2rVRoQrCggBNxRexzUtYyptnCHW4oLtVNZQxwxsq9MXmheYybPFVQEyCU4Xbv6dCrGKauBMLzpjan7wq96JQinrhnKmhbwFAPTCAyMMTnMixfGDGADRBxH4HGccDrGqMMEzQTfsconccePPrHg6cg2e9xBuSScsiC2djq8zuC57khFkUep1aXZtatktZP4nA4CYoxNoobmTPgjcUoiumhxV6LJontmrwzVFoR7prSQMnHHFisiJFGAUs9f6p8ue',
        memo: 'E4YM2vTHhWEg66xpj52JErHUBU4pZ1yageL4TVDDpTTSsv8mK6YaH',
        nonce: 3,
        to: 'B62qjYanmV7y9njVeH5UHkz3GYBm7xKir1rAnoY4KsEYUGLMiU45FSM',
      }),
      realPayment({
        amount: '1000',
        failureReason: 'Amount_insufficient_to_create_account',
        fee: '10000000',
        from: 'B62qre3erTHfzQckNuibViWQGyyKwZseztqrjPZBv6SQF384Rg6ESAy',
        hash: 'CkpYeG32dVJUjs6iq3oroXWitXar1eBtV3GVFyH5agw7HPp9bG4yQ',
        id: '4Rs6xMHVyo1HmXm4m5azosTMSvbEJDkDAs6tYoCc6wTPz8YHJPNFMoCi117YcTdHd46hMaCQs6BuFAPYBG77XGV5i5RhgE6icELofVXVx5guuqzR8DtV3JD5fmJKL3fWMGHmT5vUYGAmhmGVD6xGC9DUhjoB4HBGVNSxbYuQC6u8VTNiRXEPhcoUQr6gpL7yXfiPeeoVLTaTvgYSfcwAJruHYMpjXMd16pW83kSGqtGom3EFMRQ46WePFfKd3GRPNsTkxQgFkPLQqmTb7ETdSTNyv5xzRoJzv1cBdGnZyXngf6drwCMTZdor6Wo7Rnb2ZpEDiFvrDkUdTadiodP1g5esNniV9LCNYTgw6NP7T7Lkn5KavwKiUjEGdCy2tAeTrmwtmkqA',
        memo: 'E4YM2vTHhWEg66xpj52JErHUBU4pZ1yageL4TVDDpTTSsv8mK6YaH',
        nonce: 2,
        to: 'B62qjYanmV7y9njVeH5UHkz3GYBm7xKir1rAnoY4KsEYUGLMiU45FSM',
      }),
      realPayment({
        amount: '10000',
        failureReason: 'Amount_insufficient_to_create_account',
        fee: '50000000',
        from: 'B62qre3erTHfzQckNuibViWQGyyKwZseztqrjPZBv6SQF384Rg6ESAy',
        hash: 'CkpZB4WE3wDRJ4CqCXqS4dqF8hoRQDVK8banePKUgTR6kvhTfyjRp',
        id: '4Rs6xMHVyo1HmXm4pTNCa3vrPvRZ6XGF7cT5jhKGunHHkYCMYj6ss31gcHdftFqL6qtHAKFedM2Hv6roo9vPWZCBKHi3HtZPMLPCv5eq6ha6thoEBTfDbr7npNcV2myAx9rDvCY3Zo6afKXBqdruY2qhLXJVEB4ZKUazBAyh1WG17fxHRjc91nc3WsDQFsMerZGusqHM35SrWpfYAKFw4gu3jR5R9mZFK2jtw7CDwqvYognciFMMhVTwPM4t37ReUo787VbsFfu8ntuEJvBJEKSrZEmH7y8SQc9Z5h2eCdjiY8vjg1HCQpVi9R8nM3WmfLWTsY1uejESBymi5JP2t2b9R9zdwvuo3GpUpdwCGc6jhzj8hQiTAitzU47sPAku3SFGsJ15',
        memo: 'E4YM2vTHhWEg66xpj52JErHUBU4pZ1yageL4TVDDpTTSsv8mK6YaH',
        nonce: 1,
        to: 'B62qjYanmV7y9njVeH5UHkz3GYBm7xKir1rAnoY4KsEYUGLMiU45FSM',
      }),
      realPayment({
        amount: '1000',
        failureReason: 'Amount_insufficient_to_create_account',
        fee: '10000000',
        from: 'B62qre3erTHfzQckNuibViWQGyyKwZseztqrjPZBv6SQF384Rg6ESAy',
        hash: 'CkpZirFuoLVVab6x2ry4j8Ld5gMmQdak7VHW6f5C7VJYE34WAEWqa',
        id: '4Rs6xMHVyo1HmXm4m5azosTMSvbEJDkDAs6tYoCc6wTPz8YHJPNFMoCi117YcTdHd46hMaCQs6BuF7NSzH7ZxNrmLN3vpu35FfVbviZ99juvgK5An8KHgrBCZwZQVvRqhUzqsaUgM2QrwHNpr48zMDdX5GcmjUQw2ekShvYCiEbieBN827Uzwhkxx7vqaoEfBkvmvZzDAgkzrc2dUwNMnmgPSdorGQPPi4vFHFhFdLkAPkfWbtPgqLr7NrB5tRZyaPxGr41HehzZECgwoLrK48SSd34Aw6QoAfZqGXCLTyVi7PtRwAPphdyusAR1L7kSVxTNz6hhMqtXAZtRL57oKGcTvHUiHKEkkwviB3AHBAmw2SsSUXLn9PhBptwBTQHvjsMMZNzn',
        memo: 'E4YM2vTHhWEg66xpj52JErHUBU4pZ1yageL4TVDDpTTSsv8mK6YaH',
        nonce: 0,
        to: 'B62qjYanmV7y9njVeH5UHkz3GYBm7xKir1rAnoY4KsEYUGLMiU45FSM',
      }),
    ],
    zkappCommands: [],
  },
  winnerAccount: { publicKey: 'B62qmtcbMEVVKN2guoyVEqmiPZtbvNhz4VUvUYvxesya3WHPkLiBvdK' },
}
