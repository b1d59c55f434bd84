import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { call, line } from '@loader/test-harness'
import { fromCi } from '@loader/test-tier'
import { expect, test } from 'vitest'
import { stage } from './stage/stage.ts'

const limit = { timeout: 30_000 }

/** Processes of this machine that have these words on their command line. */
function withWords(words: string): readonly string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(words)
    } catch {
      return false
    }
  })
}

test.runIf(fromCi)(
  'a hook that nobody waits for ends with its process, however that ends, and is not known then',
  async () => {
    await using one = await stage(
      line('I write.', call('write', { file_path: 'a.txt', content: 'a\n' })),
      { text: 'The first half. And', chunks: 'word', fault: { type: 'stall', after: 3 } },
      { ...line('Done.'), repeat: 'any' },
    )
    const command = 'exec tail -f "$CLAUDE_PROJECT_DIR/a.txt"'
    const hooks = { PostToolUse: [{ matcher: 'Write', hooks: [{ command, async: true, reach: 'open' }] }] }
    one.write('../config/settings.json', JSON.stringify({ hooks }))
    const words = `-f\0${join(one.project, 'a.txt')}`
    const running = one.start(['-p', 'Write a.txt', '--permission-mode', 'danger-full-access'])
    await expect.poll(() => withWords(words).length, limit).toBeGreaterThan(0)
    // The model has begun its next answer: nobody waits for the hook.
    const types = async () => {
      const [row] = await one.sessions()
      return row === undefined ? [] : (await one.session(row.id)).history.map(({ type }) => type)
    }
    await expect.poll(types, limit).toContain('answer.progressed')
    running.process.kill('SIGKILL')
    await running.ended
    await expect.poll(() => withWords(words), limit).toEqual([])

    const next = await one.run(['-c', '-p', 'And now?', '--output-format', 'json'])
    expect(JSON.parse(next.stdout)).toMatchObject({ result: expect.stringContaining('Done.') })
    const { stdout } = await one.runHere(['timeline'])
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('how it ended is not known')
  },
)
