// Writes the parts of docs anew that are made of the command itself.
import { readFileSync, writeFileSync } from 'node:fs'
import { withReference } from './cli-reference.ts'
import { withProviders } from './provider-reference.ts'

for (const [name, made] of [
  ['cli.md', withReference],
  ['models.md', withProviders],
] as const) {
  const file = new URL(`../../../docs/${name}`, import.meta.url)
  writeFileSync(file, made(readFileSync(file, 'utf8')))
}
