import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { withReference } from '../scripts/cli-reference.ts'
import { withProviders } from '../scripts/provider-reference.ts'
import { exitCodes } from '../src/console/exit-codes.ts'

const document = readFileSync(new URL('../../../docs/cli.md', import.meta.url), 'utf8')

test('docs/cli.md has options, commands, exit codes and settings as the command has them', () => {
  expect(document).toBe(withReference(document))
})

test('docs/models.md has the providers as they are known', () => {
  const page = readFileSync(new URL('../../../docs/models.md', import.meta.url), 'utf8')
  expect(page).toBe(withProviders(page))
})

test('docs/cli.md has a row for each exit code, and no code is there twice', () => {
  const rows = [...document.matchAll(/^\| (\d+) +\| (.*?) *\|$/gm)].map(([, code, meaning]) => [Number(code), meaning])
  expect(rows).toEqual(Object.values(exitCodes).map(([number, meaning]) => [number, meaning]))
  expect(new Set(rows.map(([code]) => code)).size).toBe(rows.length)
})

test('every variable that the command reads itself is in docs/cli.md', () => {
  for (const name of [
    'LOADER_MODEL',
    'LOADER_STORE',
    'LOADER_WEB_TOKEN',
    'LOADER_CONFIG_DIR',
    'XDG_CONFIG_HOME',
    'XDG_CACHE_HOME',
    'NO_COLOR',
    'FORCE_COLOR',
    'CI',
  ]) {
    expect(document).toContain(`\`${name}\``)
  }
})
