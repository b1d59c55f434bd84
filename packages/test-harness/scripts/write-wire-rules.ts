// `pnpm run docs`: writes the list of rules in docs/wire-server.md anew.
import { readFileSync, writeFileSync } from 'node:fs'
import { withRules } from './wire-rules.ts'

const file = new URL('../../../docs/wire-server.md', import.meta.url)
writeFileSync(file, withRules(readFileSync(file, 'utf8')))
