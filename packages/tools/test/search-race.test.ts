import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { times } from '@loader/test-tier'
import { expect, test } from 'vitest'
import { globTool, grepTool } from '../src/index.ts'
import { examine, toolContext } from './perform.ts'
import { secret, stage } from './stage.ts'

const rounds = times({ quick: 10, ci: 80, long: 6000 })

/** Another process that swaps a folder for a link, until it is killed. */
async function startSwapping(path: string, target: string): Promise<AsyncDisposable> {
  const program = fileURLToPath(new URL('children/swapper.ts', import.meta.url))
  const child = spawn(process.execPath, [program, path, target], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return {
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'close')
      child.kill('SIGKILL')
      await ended
    },
  }
}

test('while a folder is swapped for a link, nothing behind the link is found', async () => {
  await using place = await stage()
  const root = await realpath(place.root)
  await mkdir(join(root, 'a/d'), { recursive: true })
  await using _swapper = await startSwapping(join(root, 'a'), place.outside)
  const context = await toolContext()
  const counts = { inside: 0, 'not there': 0, elsewhere: 0 }
  const calls = [
    { tool: grepTool({ root }), input: { pattern: 'inside|nobody' } },
    { tool: grepTool({ root, ripgrep: null }), input: { pattern: 'inside|nobody', path: 'a' } },
  ]
  // On a busy machine the link may be there, or not be there, for long.
  for (let round = 0; round < rounds || counts.inside === 0 || counts.elsewhere === 0; round += 1) {
    for (const { tool, input } of calls) {
      const examined = await examine(tool, input, context)
      const text = examined.valid ? (await tool.run(examined, context)).text : ''
      expect(text).not.toContain(secret.trim())
      counts[!examined.valid ? 'elsewhere' : text.includes('a/f') ? 'inside' : 'not there'] += 1
    }
    // Behind the link lies a d/f; in the workspace there is none.
    const glob = await examine(globTool({ root }), { pattern: 'a/**/f' }, context)
    const found = glob.valid ? (await globTool({ root }).run(glob, context)).text : ''
    expect(found).not.toContain('a/d/f')
  }
  console.log(`searches in a folder that is swapped for a link: ${JSON.stringify(counts)}`)
  expect(counts.inside).toBeGreaterThan(0)
  expect(counts.elsewhere).toBeGreaterThan(0)
})
