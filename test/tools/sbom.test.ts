import { execSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'

const root = join(import.meta.dirname, '../..')

test('the bill of materials names every dependency of what ships, and no package that only builds or tests', () => {
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 10_000_000 } as const
  const { components } = JSON.parse(execSync('npm run --silent sbom', options))
  const named = new Set(components.map(({ name }: { readonly name: string }) => name))
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(Object.keys(dependencies).filter((name) => !named.has(name))).toEqual([])
  expect(Object.keys(devDependencies).filter((name) => named.has(name))).toEqual([])
})
