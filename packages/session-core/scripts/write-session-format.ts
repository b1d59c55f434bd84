// `pnpm run docs`: writes the reference part of docs/session-format.md anew.
import { readFileSync, writeFileSync } from 'node:fs'
import { withReference } from './session-format.ts'

const file = new URL('../../../docs/session-format.md', import.meta.url)
writeFileSync(file, withReference(readFileSync(file, 'utf8')))
