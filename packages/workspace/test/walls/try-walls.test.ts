import { chmodSync, readFileSync } from 'node:fs'
import { temporaryWorkspace } from '@loader/test-harness'
import { expect, test } from 'vitest'
import { tryBubblewrap } from '../../src/walls/try-walls.ts'

test('what does not work is tried again, and what has worked once is not', async () => {
  await using place = await temporaryWorkspace()
  const program = place.path('bwrap')
  const standingIn = async (ending: string) => {
    await place.write('bwrap', `#!/bin/sh\necho tried >> ${place.path('log')}\n${ending}\n`)
    chmodSync(program, 0o755)
  }
  await standingIn('echo "bwrap: not here" >&2; exit 1')
  expect([await tryBubblewrap(program), await tryBubblewrap(program)]).toEqual(['not here', 'not here'])
  await standingIn('exit 0')
  expect([await tryBubblewrap(program), await tryBubblewrap(program)]).toEqual([true, true])
  expect(readFileSync(place.path('log'), 'utf8')).toBe('tried\n'.repeat(3))
})
