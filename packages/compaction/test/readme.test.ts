import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')

test('the program in the README runs', async () => {
  const [, program = ''] = /```js\n([\s\S]*?)```/.exec(readme) ?? []
  const { printed, run } = await runnable(program)
  await run()
  expect(printed).toHaveLength(2)
  expect(Number(printed[0])).toBeGreaterThan(1000)
  expect(printed[1]).toMatch(/^\[COMPACTED CONTEXT\]\n[\s\S]*\n- Never push to main\.\n/)
})

test('the README stays within 40 lines', () => {
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(40)
})

/** The program as a function, with its imports as variables and what it prints kept. */
async function runnable(program: string) {
  const printed: string[] = []
  const modules = {
    '@loader/compaction': await import('../src/index.ts'),
    '@loader/session-core': await import('@loader/session-core'),
  }
  const body = program.replace(/^import (\{.*\}) from '(.*)'$/gm, "const $1 = modules['$2']")
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor
  // oxlint-disable-next-line no-implied-eval: the program is our own
  const run = AsyncFunction('modules', 'console', body) as (...values: unknown[]) => Promise<void>
  return { printed, run: () => run(modules, { log: (value: unknown) => printed.push(String(value)) }) }
}
