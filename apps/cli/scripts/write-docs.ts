// Writes the parts of docs/cli.md anew that are made of the command itself.
import { readFileSync, writeFileSync } from 'node:fs'
import { withReference } from './cli-reference.ts'

const file = new URL('../../../docs/cli.md', import.meta.url)
writeFileSync(file, withReference(readFileSync(file, 'utf8')))
