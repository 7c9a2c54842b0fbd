// Checks that an exchange's program decodes memos correctly, and rejects everything else.
import { memoFromText } from '../../../shared/mapping/command.ts'
import type { ExchangeProgram } from './program.ts'

const texts = ['', 'rent', 'für Käse 中', 'x'.repeat(32)]
const memo = memoFromText('rent')
const publicKey = 'B62qpge4uMq4Vv5Rvc8Gw9qSquUYd6xoW1pz7HQkMSHm6h1o7pvLPAN'
const noMemos = ['', 'rent', publicKey, `${memo.slice(0, -1)}x`, `${memo}x`, memo.replace('E', '0')]

/** @returns the texts that the program decodes wrongly, and the inputs that it should have rejected */
export function misreadMemos(program: ExchangeProgram): readonly string[] {
  const misread = texts.filter((text) => program.memoOf(memoFromText(text)) !== text)
  return [...misread, ...noMemos.filter((text) => program.memoOf(text) !== undefined)]
}
