// Block 359609 of mainnet as a daemon reports it.
import { realPayment } from './real-failed-payments.ts'

/** Of 2024: two payments and three zkApp commands. */
export const zkappBlock = {
  creator: 'B62qq3TQ8AP7MFYPVtMx5tZGF3kWLJukfwG1A1RGvaBW1jfTPTkDBW6',
  creatorAccount: { publicKey: 'B62qq3TQ8AP7MFYPVtMx5tZGF3kWLJukfwG1A1RGvaBW1jfTPTkDBW6' },
  protocolState: {
    blockchainState: {
      date: '1717546680000',
      snarkedLedgerHash: 'jwNw4qb6tnNhpQNxiMLem9WumxZTwmbSx3fYXW4FP3hZRkoQJSE',
      stagedLedgerHash: 'jxacJsugyV5tLTeU8HJ7pi8pgZM7E17Lx6bCYYWsATPTWjDMSh2',
      utcDate: '1717546680000',
    },
    consensusState: {
      blockHeight: '359609',
      blockchainLength: '359609',
      coinbaseReceiever: 'B62qiYtY58Vx6iRzPz94DsPjJ5kM7zkF6VeVpWw6C2HaWRYtzzKVB82',
      epoch: '0',
      epochCount: '0',
      hasAncestorInSameCheckpointWindow: true,
      lastVrfOutput: '48G7WMzv9B7BTAixDJkvngChMSrRe5DbGrZLEL3SY9fdfADk8zGM',
      minWindowDensity: '77',
      nextEpochData: {
        epochLength: '6',
        ledger: { hash: 'jwgzfxD5rEnSP3k4UiZu2569FfhJ1SRUvabfTz21e4btwBHg3jq', totalCurrency: '1165736008840039233' },
        lockCheckpoint: '3NLdgCbegvkfGm29x9NryzESJCoCC7DknrcB2TAmzyvcZjtsvJ76',
        seed: '2vbGuwtgMptgU8D4v17oMgBer5MrQRoSvvLjdkW16iktHdSojMFK',
        startCheckpoint: '3NK2tkzqqK5spR2sZ7tujjqPksL45M3UUrcA4WhCkeiPtnugyE2x',
      },
      slot: '6',
      slotSinceGenesis: '564486',
      stakingEpochData: {
        epochLength: '1',
        ledger: { hash: 'jxsAidvKvEQJMC7Z2wkLrFGzCqUxpFMRhAj4K5o49eiFLhKSyXL', totalCurrency: '1160334549840039233' },
        lockCheckpoint: '3NK2tkzqqK5spR2sZ7tujjqPksL45M3UUrcA4WhCkeiPtnugyE2x',
        seed: '2vahsgRV5nDPmtgr2Xo2Uq2dkngfSgvg7d1TKqQbY3wUS2ZDxCC3',
        startCheckpoint: '3NK2tkzqqK5spR2sZ7tujjqPksL45M3UUrcA4WhCkeiPtnugyE2x',
      },
      totalCurrency: '1166062074840039233',
    },
    previousStateHash: '3NLdgCbegvkfGm29x9NryzESJCoCC7DknrcB2TAmzyvcZjtsvJ76',
  },
  snarkJobs: [],
  stateHash: '3NL8ym45gfcDR18fyn7WMJVwgweb4C4HYWUnwNEQuyb5TsF8Hemn',
  stateHashField: '24733260135668935155705312304783933289324402375198497029678114601331352109969',
  transactions: {
    coinbase: '720000000000',
    coinbaseReceiverAccount: { publicKey: 'B62qiYtY58Vx6iRzPz94DsPjJ5kM7zkF6VeVpWw6C2HaWRYtzzKVB82' },
    feeTransfer: [{ fee: '401100000', recipient: 'B62qiYtY58Vx6iRzPz94DsPjJ5kM7zkF6VeVpWw6C2HaWRYtzzKVB82' }],
    userCommands: [
      realPayment({
        amount: '46120000000',
        failureReason: null,
        fee: '1100000',
        from: 'B62qifMfsFYqLJ6Cf1KbwPCxsNwFA4qqcMeqWVvAZi37W6oRDnHRyYz',
        hash: '5JvHexKQJDNYwBj8G2atDYqnyCJNeH9XXaZRjLfga1Y8fT57ti49',
        id: '/eDIEAAGMJEiShhtjKLvO2wEPCPi3Nabo77WLAhtUcUdDFpWMQH+DQUA//8iAQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAtP/WPg7iXsHus7UD3CmAJTqhIq8IIiKqpdwvSTCbnKwD8AFr3vAoAAAAGMJEiShhtjKLvO2wEPCPi3Nabo77WLAhtUcUdDFpWMQEGsTDtXbmONrp5gw/y+sEGfmtq1afZJk6BhKptZpcPJjXzd60GgzMsLeFYGTEd7/I2bG/w55SHGTtnFjAO7gsg',
        memo: 'E4YM2vTHhWEg66xpj52JErHUBU4pZ1yageL4TVDDpTTSsv8mK6YaH',
        nonce: 1293,
        to: 'B62qjyHUvUCr1ab1AHzgsouEVniL5wC67Z87ebS34fbN2PMzS8d7BE1',
      }),
      realPayment({
        amount: '2000000000',
        failureReason: null,
        fee: '100000000',
        from: 'B62qn4SxXSBZuCUCKH3ZqgP32eab9bKNrEXkjoczEnerihQrSNnxoc5',
        hash: '5JuPbZUPzas5AVPQq2VUjAMNbta3EEzuhFd1dsWc6wC7DfV82urU',
        id: '/QDh9QVrlLP11YQHayozCDf8v+syaOy7IUTrTqigljPLxbC6PgFMAP//IgEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAa5Sz9dWEB2sqMwg3/L/rMmjsuyFE606ooJYzy8Wwuj4B/QCUNXdrlLP11YQHayozCDf8v+syaOy7IUTrTqigljPLxbC6PgHV+1hI441W9JePD9gww5tw9Y5KoblA4TyOv323/NX6EjyDPI146loLEI71NF10Hi5AaFhaim398BtN4KN3kZAU',
        memo: 'E4YM2vTHhWEg66xpj52JErHUBU4pZ1yageL4TVDDpTTSsv8mK6YaH',
        nonce: 76,
        to: 'B62qn4SxXSBZuCUCKH3ZqgP32eab9bKNrEXkjoczEnerihQrSNnxoc5',
      }),
    ],
    zkappCommands: [
      { hash: '5JuA1uUvrXhGE8ue93MpBqrq3eM9VwmsLLADRg64zj35eWWPBnDH' },
      { hash: '5JtvEs11suFcibcz5oSsZrPrtTjxYzFXQ7x1dSc2WKLDnv5fVd8T' },
      { hash: '5JumadnVhmf7w7h8Jy3bQ2yLkv4eYDAMCwq1eWpjj5d4hAssv88g' },
    ],
  },
  winnerAccount: { publicKey: 'B62qjveDx7KSDrfXBqZJgm4gANisMTQvHnDjswiqe9w38SYTkwM94pu' },
}
