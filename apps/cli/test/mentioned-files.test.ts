import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { line, temporaryWorkspace } from '@loader/test-harness'
import { ShowOutput } from '@loader/readings'
import { describe, expect, test } from 'vitest'
import { mentionedFiles } from '../src/run/mentioned-files.ts'
import { type Stage, stage } from './e2e/stage/stage.ts'

test.each([
  ['explain @src/a.ts', ['src/a.ts']],
  ['Is @src/a.ts, or (@b.ts) right?', ['src/a.ts', 'b.ts']],
  ['@"with spaces.md" and @b.ts.', ['with spaces.md', 'b.ts']],
  ['@b.ts @b.ts @./b.ts', ['b.ts']],
  ['ask me@b.ts', []],
  ['npm i @scope/name, @param, @ and @src', []],
  ['@absent.ts @../outside.txt', ['{outside}']],
])('in %j these files are named: %j', async (words, expected) => {
  const files = { 'in/src/a.ts': 'a', 'in/b.ts': 'b', 'in/with spaces.md': 'c', 'outside.txt': 'o' }
  await using workspace = await temporaryWorkspace({ files })
  const root = workspace.path('in')
  const found = mentionedFiles(words, { folder: root, root })
  expect(found).toEqual(expected.map((path) => path.replace('{outside}', workspace.path('outside.txt'))))
})

test('paths begin in the folder where the command was started, and are told from the root', async () => {
  await using workspace = await temporaryWorkspace({ files: { 'src/a.ts': 'a' } })
  expect(mentionedFiles('@a.ts', { folder: workspace.path('src'), root: workspace.root })).toEqual(['src/a.ts'])
})

test('what can be no file is text of the task: too long a name, a link in a circle, a flood of marks', async () => {
  await using workspace = await temporaryWorkspace({ files: { 'b.ts': 'b' } })
  symlinkSync('circle', workspace.path('circle'))
  const words = `@${'x'.repeat(300)} @circle @circle/b.ts @b.ts, @${'!'.repeat(100_000)}`
  expect(mentionedFiles(words, { folder: workspace.root, root: workspace.root })).toEqual(['b.ts'])
})

/** What the model was told with the last words of the user, in the last request. */
function told(at: Stage): string {
  const { messages = [] } = (at.server.requests.at(-1)?.body ?? {}) as {
    messages?: { role: string; content: string }[]
  }
  return messages.flatMap(({ role, content }) => (role === 'user' ? [content] : [])).join('\n---\n')
}

describe('a task that names a file with an @', () => {
  const answers = Array.from({ length: 2 }, () => line('It is so.'))
  const ask = (at: Stage, task: string, ...more: readonly string[]) => at.runHere(['-p', task, ...more])

  test('is sent with the file as it is then, and so it stays when the session goes on', async () => {
    await using at = await stage(...answers)
    at.write('src/a.ts', 'export const a = 1\nexport const b = 2\n')
    expect(await ask(at, 'Explain @src/a.ts, please.')).toMatchObject({ code: 0 })
    const text = 'The file src/a.ts, as it is now:\n   1\texport const a = 1\n   2\texport const b = 2'
    expect(told(at)).toContain('Explain @src/a.ts, please.')
    expect(told(at)).toContain(text)
    at.write('src/a.ts', 'gone\n')
    expect(await ask(at, 'And now?', '--continue')).toMatchObject({ code: 0 })
    expect(told(at)).toContain(text)
    const shown = ShowOutput.parse(JSON.parse((await at.runHere(['show', '--json'])).stdout))
    expect(shown.entries[0]).toMatchObject({ text: 'Explain @src/a.ts, please.', quoted: [{ file: 'src/a.ts', text }] })
    expect((await at.runHere(['show'])).stdout).toContain('  [src/a.ts]')
    expect((await at.runHere(['show', '--full'])).stdout).toContain('export const b = 2')
  })

  test('gets as much of it as the tool read shows, kept beside the events', async () => {
    await using at = await stage(...answers)
    at.write('long.txt', Array.from({ length: 3000 }, (_, index) => `line ${index + 1} ${'x'.repeat(200)}\n`).join(''))
    await ask(at, 'Explain @long.txt')
    expect(told(at)).toContain(' 500\tline 500')
    expect(told(at)).not.toContain('line 501')
    expect(told(at)).toContain('2500 lines more. Go on with offset 501.')
    const [row] = await at.sessions()
    const { history } = await at.session(row?.id ?? '')
    expect(JSON.stringify(history.find(({ type }) => type === 'input.queued')).length).toBeLessThan(10_000)
  })

  test.each([
    ['that a rule denies', '@secret.txt', /The file secret.txt is not sent: .*Read/],
    ['that is none of text', '@data.bin', /The file data.bin is not sent: data.bin is left alone/],
  ])('is told why a file %s is not sent', async (_what, task, why) => {
    await using at = await stage(...answers)
    at.write('secret.txt', 'treasure\n')
    at.write('data.bin', 'treasure\0\u0001')
    mkdirSync(at.config, { recursive: true })
    writeFileSync(`${at.config}/permission-rules.json`, JSON.stringify({ deny: ['Read(secret.txt)'] }))
    await ask(at, `Look at ${task}`, '--permission-mode', 'read-only')
    expect(told(at)).toMatch(why)
    expect(told(at)).not.toContain('treasure')
  })

  test('gets an image for a model that sees images', async () => {
    await using at = await stage(...answers)
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    writeFileSync(at.path('shot.png'), Buffer.from(pixel, 'base64'))
    for (const sees of [false, true]) await ask(at, 'What is on @shot.png?', '--config', `images=${sees}`)
    const images = at.server.requests.flatMap(({ body }) => (JSON.stringify(body).includes('"images":[') ? [true] : []))
    expect(images).toHaveLength(1)
    expect(told(at)).toContain('The file shot.png, as it is now:')
  })

  test('is the words of the user alone, not what comes through standard input', async () => {
    await using at = await stage(...answers)
    at.write('secret.txt', 'treasure\n')
    await at.runBuilt(['-p', 'Look at this:'], { input: 'An issue that says @secret.txt' })
    expect(told(at)).toContain('@secret.txt')
    expect(told(at)).not.toContain('treasure')
  })
})
