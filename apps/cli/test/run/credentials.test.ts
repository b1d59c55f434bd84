import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { credentialsOf } from '../../src/run/credentials.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'credentials-'))
  file = join(folder, 'credentials.json')
})
afterEach(() => rmSync(folder, { recursive: true }))

const settings = {
  providers: { mine: { api: 'openai' as const, apiKeyVariable: 'MINE' }, other: { api: 'openai' as const } },
}

test('the credentials of the command are all keys of its file and those that its settings name', async () => {
  writeFileSync(file, '{ "anthropic": "one", "mine": "two", "more": { "key": 3 } }')
  expect(await credentialsOf(settings, { environment: { MINE: 'three', OTHER: 'x' } }, { config: folder })).toEqual([
    'three',
    'one',
    'two',
  ])
})

test.each(['', 'not json', '[]', '"text"', 'null'])('a file that holds no keys is no obstacle: %s', async (text) => {
  writeFileSync(file, text)
  expect(await credentialsOf({}, { environment: {} }, { config: folder })).toEqual([])
})

test('nor is one that is not there', async () => {
  expect(await credentialsOf({}, { environment: {} }, { config: folder })).toEqual([])
})
