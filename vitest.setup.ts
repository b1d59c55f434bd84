import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

// Each file of tests has a state folder of its own.
const state = mkdtempSync(join(tmpdir(), 'loader-state-'))
process.env['LOADER_STATE'] = state
afterAll(() => rmSync(state, { recursive: true, force: true }))
