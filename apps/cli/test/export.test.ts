import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, readlinkSync, statSync, symlinkSync } from 'node:fs'
import { promisify } from 'node:util'
import { ExportOutput, readSession, Session } from '@loader/session-core'
import { storeIn } from './written/store-in.ts'
import { builtPage } from '@loader/test-browser'
import { fixedEnvironment, temporaryWorkspace } from '@loader/test-harness'
import { beforeAll, describe, expect, test } from 'vitest'
import { ImportOutput } from '../src/schemas/import.ts'
import { damage } from './written/damage.ts'
import { loader } from './written/fake-console.ts'
import { workedSession } from './written/worked-session.ts'
import { exchange, openSession, startedCall, writtenSession } from './written/written-session.ts'

beforeAll(() => {
  builtPage()
})

const key = 'sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789'

describe('an export as JSON', () => {
  test('imported elsewhere is the same session: every event, long texts included', async () => {
    await using workspace = await temporaryWorkspace()
    await using other = await temporaryWorkspace()
    const session = await openSession(workspace.root, 'Long')
    const text = await session.storeText(`begin ${'long '.repeat(30_000)} end`)
    const events = [
      ...startedCall(1, 'read', { path: 'a' }),
      { type: 'tool.finished', callId: 'call_1', outcome: 'ok', text } as const,
    ]
    await session.append([
      ...events,
      { type: 'turn.finished', turnId: 'turn_1', reason: 'turn_complete' },
      ...exchange(2, 'Hi', 'Hello'),
    ])
    await session.close()
    await loader(['export', '--output', 'out.json'], { folder: workspace.root })
    const { out, err } = await loader(['import', workspace.path('out.json'), '--json'], { folder: other.root })
    expect(ImportOutput.parse(JSON.parse(out))).toMatchObject({ id: session.id, title: 'Long', turns: 2 })
    expect(err).toContain('marks in place of secrets')
    const there = storeIn(other.root)
    const here = storeIn(workspace.root)
    const copy = await readSession(there, session.id)
    expect(copy.history).toEqual((await readSession(here, session.id)).history)
    if (typeof text === 'string') throw new Error('A text of this length goes to the blobs.')
    expect(await there.readBlob(session.id, text.blob)).toBe(await here.readBlob(session.id, text.blob))
    expect(await there.verify(session.id)).toMatchObject({ intact: true, findings: [] })
  })

  test('goes into the file that a link leads to, and the link stays', async () => {
    await using workspace = await temporaryWorkspace({ files: { 'there.json': 'old' } })
    await writtenSession(workspace.root, exchange(1, 'Hi', 'Hello'))
    symlinkSync(workspace.path('there.json'), workspace.path('link.json'))
    expect(await loader(['export', '-o', 'link.json'], { folder: workspace.root })).toMatchObject({ code: 0 })
    expect(readlinkSync(workspace.path('link.json'))).toBe(workspace.path('there.json'))
    expect(ExportOutput.parse(JSON.parse(await workspace.read('there.json'))).events).not.toEqual([])
  })

  test('goes into a pipe, which is not replaced by a file', async () => {
    await using workspace = await temporaryWorkspace()
    await writtenSession(workspace.root, exchange(1, 'Hi', 'Hello'))
    execFileSync('bash', ['-c', 'mkfifo "$0"', workspace.path('pipe')])
    const reading = promisify(execFile)('cat', [workspace.path('pipe')])
    expect(await loader(['export', '-o', 'pipe'], { folder: workspace.root })).toMatchObject({ code: 0 })
    expect(ExportOutput.parse(JSON.parse((await reading).stdout)).events).not.toEqual([])
    expect(statSync(workspace.path('pipe')).isFIFO()).toBe(true)
  })

  test('that cannot be written leaves nothing behind', async () => {
    await using workspace = await temporaryWorkspace({ files: { 'folder/in.txt': '' } })
    await writtenSession(workspace.root, exchange(1, 'Hi', 'Hello'))
    const { code, err } = await loader(['export', '-o', 'folder'], { folder: workspace.root })
    expect(code).toBe(1)
    expect(err).toContain('It is a folder: name a file.')
    expect(readdirSync(workspace.root).toSorted()).toEqual(['folder'])
  })

  test.each<[string, (events: object[]) => object[]]>([
    ['of an order', (events) => events.toReversed()],
    ['of an event that is missing', ([first = {}, , ...rest]) => [first, ...rest]],
    ['of an event that is none', ([first = {}, ...rest]) => [first, {}, ...rest]],
    ['of all events', () => []],
  ])('is refused as an import after a change %s, and leaves nothing behind', async (_name, change) => {
    await using workspace = await temporaryWorkspace()
    await using other = await temporaryWorkspace()
    await writtenSession(workspace.root, exchange(1, 'Hi', 'Hello'))
    const { out } = await loader(['export'], { folder: workspace.root })
    const document = ExportOutput.parse(JSON.parse(out))
    await other.write('changed.json', JSON.stringify({ ...document, events: change([...document.events]) }))
    const { code, err } = await loader(['import', 'changed.json'], { folder: other.root })
    expect(code).toBe(1)
    expect(err).toContain('changed.json was changed, and nothing of it was imported: ')
    expect(readdirSync(other.root)).toEqual(['changed.json'])
  })

  test('is refused as an import once it is cut off, and read with a byte order mark before it', async () => {
    await using workspace = await temporaryWorkspace()
    await writtenSession(workspace.root, exchange(1, 'Hi', 'Hello'))
    const { out } = await loader(['export'], { folder: workspace.root })
    await workspace.write('cut.json', out.slice(0, -10))
    const cut = await loader(['import', '--from', 'loader', 'cut.json'], { folder: workspace.root })
    expect(cut).toMatchObject({ code: 1, out: '' })
    expect(cut.err).toMatch(/cut\.json is not an export of a session: it is not JSON\. .* Export it again\.\n$/)
    await workspace.write('marked.json', `\ufeff${out}`)
    expect(await loader(['import', 'marked.json'], { folder: workspace.root })).toMatchObject({ code: 0 })
  })

  test('imported can be continued, however often the session was claimed before', async () => {
    await using workspace = await temporaryWorkspace()
    await using other = await temporaryWorkspace()
    const id = await writtenSession(workspace.root, exchange(1, 'Hi', 'Hello'))
    for (const title of ['One', 'Two', 'Three']) await loader(['rename', title, id], { folder: workspace.root })
    await loader(['export', '-o', 'out.json'], { folder: workspace.root })
    await loader(['import', workspace.path('out.json')], { folder: other.root })
    await using session = await Session.load(storeIn(other.root), id, {
      environment: fixedEnvironment(),
    })
    expect(session.epoch).toBe(5)
    expect(session.state.title).toBe('Three')
  })

  test('imported where the session is already becomes a copy, which says where it comes from', async () => {
    await using workspace = await temporaryWorkspace()
    const id = await writtenSession(workspace.root, exchange(1, 'Hi', 'Hello'))
    await loader(['export', '-o', 'out.json'], { folder: workspace.root })
    const { out } = await loader(['import', 'out.json', '--json'], { folder: workspace.root })
    const copy = ImportOutput.parse(JSON.parse(out))
    expect(copy.id).not.toBe(id)
    const { state } = await readSession(storeIn(workspace.root), copy.id)
    expect(state.forkedFrom).toEqual({ id, seq: 7 })
  })

  test('that was written by a newer version, or altered, is refused', async () => {
    await using workspace = await temporaryWorkspace()
    await writtenSession(workspace.root, exchange(1, 'Hi', 'Hello'))
    const { out } = await loader(['export'], { folder: workspace.root })
    await workspace.write('newer.json', out.replace('"version": 1', '"version": 2'))
    await workspace.write('gap.json', out.replace(/^.*"turn\.started".*\n/m, ''))
    expect((await loader(['import', 'newer.json'], { folder: workspace.root })).err).toContain('Update Loader')
    expect((await loader(['import', 'gap.json'], { folder: workspace.root })).code).toBe(1)
    expect(JSON.parse((await loader(['sessions', '--json'], { folder: workspace.root })).out).sessions).toHaveLength(1)
  })
})

describe('secrets', () => {
  test.each(['json', 'md', 'html'])(
    'are replaced in %s, equal ones by equal marks, and kept on request',
    async (format) => {
      await using workspace = await temporaryWorkspace()
      await writtenSession(
        workspace.root,
        exchange(1, `The key is ${key}.`, `I use ${key} now, and AKIAIOSFODNN7EXAMPLE.`),
        `About ${key}`,
      )
      const { out, err } = await loader(['export', '--format', format], { folder: workspace.root })
      expect(out).not.toContain(key)
      expect(err).toContain('2 secrets replaced')
      const marks = [...new Set(out.match(/\\?\[secret:anthropic:\w+\\?\]/g)?.map((mark) => mark.replaceAll('\\', '')))]
      expect(marks).toHaveLength(1)
      const again = await loader(['export', '--format', format], { folder: workspace.root })
      expect(again.out.replaceAll('\\', '')).not.toContain(marks[0])
      const kept = await loader(['export', '--format', format, '--keep-secrets'], { folder: workspace.root })
      expect(kept.out).toContain(key)
      expect(kept.err).toContain('Secrets were not replaced')
    },
  )

  test('in long texts, and at the place where their beginning ends, are replaced', async () => {
    await using workspace = await temporaryWorkspace()
    await using session = await openSession(workspace.root)
    const text = await session.storeText(`${'x'.repeat(170)} ${key} ${'y'.repeat(100_000)}`)
    await session.append([
      ...startedCall(1, 'read', { path: 'a' }),
      { type: 'tool.finished', callId: 'call_1', outcome: 'ok', text },
    ])
    await session.save()
    const { out } = await loader(['export'], { folder: workspace.root })
    expect(out).not.toContain('sk-ant-')
    expect(ExportOutput.parse(JSON.parse(out)).secrets).toBe('replaced')
  })

  test.each(['text', 'reasoning'])(
    'that arrived in pieces of %s are replaced, and the answer is still whole',
    async (field) => {
      await using workspace = await temporaryWorkspace()
      const [queued, started, asked, answered] = exchange(1, 'Key?', `It is ${key}.`)
      const pieces = [key.slice(0, 10), key.slice(10)].map(
        (text) => ({ type: 'answer.progressed', requestId: 'req_1', [field]: text }) as const,
      )
      await writtenSession(
        workspace.root,
        [queued, started, asked, ...pieces, answered].filter((event) => event !== undefined),
      )
      const { out } = await loader(['export'], { folder: workspace.root })
      expect(out).not.toContain(key.slice(0, 10))
      expect(out).not.toContain(key.slice(10))
      await workspace.write('out.json', out)
      expect(await loader(['import', 'out.json'], { folder: workspace.root })).toMatchObject({ code: 0 })
    },
  )
})

describe('an export as Markdown', () => {
  test('has the conversation with its calls and changes', async () => {
    await using workspace = await temporaryWorkspace()
    await workedSession(workspace)
    const { out } = await loader(['export', '--format', 'md'], { folder: workspace.root })
    expect(out).toContain('# Create hello.txt in the workspace root.')
    expect(out).toContain(
      '**write hello.txt** (ok)\n\n```diff\n--- /dev/null\n+++ hello.txt\n@@ -0,0 +1,1 @@\n+hello\n```',
    )
    expect(out).toMatch(/\*The turn ended after .*: turn_complete, verified, 2 requests\./)
  })

  test('has texts in fences that they cannot close', async () => {
    await using workspace = await temporaryWorkspace()
    const result = 'before\n````\n# Not a heading\n```\nafter'
    await writtenSession(workspace.root, [
      ...startedCall(1, 'bash', { command: 'cat' }),
      { type: 'tool.finished', callId: 'call_1', outcome: 'ok', text: result },
    ])
    const { out } = await loader(['export', '--format', 'md'], { folder: workspace.root })
    expect(out).toContain(`\`\`\`\`\`\n${result}\n\`\`\`\`\``)
  })
})

describe('an export as a page', () => {
  test('is one file that runs and loads nothing but itself, with the session inside as data', async () => {
    await using workspace = await temporaryWorkspace()
    const hostile = '</script><script>alert(1)</script><!-- <img src=x onerror=alert(1)> \u2028 \u202e'
    const id = await writtenSession(
      workspace.root,
      [
        ...exchange(1, hostile, hostile),
        ...startedCall(2, `tool${hostile}`, { command: hostile }),
        { type: 'tool.finished', callId: 'call_2', outcome: 'ok', text: hostile },
      ],
      hostile,
    )
    const { out } = await loader(['export', '--format', 'html'], { folder: workspace.root })
    const [data, script, ...otherScripts] = [...out.matchAll(/<script([^>]*)>([^]*?)<\/script>/g)]
    expect(otherScripts).toEqual([])
    const { document, row } = JSON.parse(data?.[2] ?? '') as { document: { events: unknown }; row: { id: string } }
    const { history } = await readSession(storeIn(workspace.root), id)
    expect(ExportOutput.safeParse(document).success).toBe(true)
    expect(document.events).toEqual(history)
    expect(row.id).toBe(id)
    expect(data?.[2]).not.toMatch(/[<>&\u2028\u202e]/)
    const [, style] = /<style>([^]*?)<\/style>/.exec(out) ?? []
    const [, policy = ''] = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(out) ?? []
    expect(policy.split('; ').filter((rule) => !rule.includes('trusted-types'))).toEqual([
      "default-src 'none'",
      `script-src '${hashOf(script?.[2] ?? '')}'`,
      `style-src '${hashOf(style ?? '')}'`,
      'img-src data: blob:',
      "base-uri 'none'",
      "form-action 'none'",
    ])
    expect(out.indexOf('Content-Security-Policy')).toBeLessThan(out.indexOf('<script'))
    expect(out).not.toMatch(/<(?:link|iframe|object|form)\b/)
  })

  test('has what was changed in files by turn, where trees are kept', async () => {
    await using workspace = await temporaryWorkspace()
    await workedSession(workspace)
    await loader(['export', '--format', 'html', '--output', 'page.html'], { folder: workspace.root })
    const page = readFileSync(workspace.path('page.html'), 'utf8')
    expect(page.startsWith('<!doctype html>')).toBe(true)
    const [, data = ''] = /id="loader-data">([^<]*)</.exec(page) ?? []
    const { diffs } = JSON.parse(data) as { diffs: Readonly<Record<string, { readonly patch: string }>> }
    expect(Object.keys(diffs)).toContain('all')
  })
})

/** As a browser takes it. */
function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

test('an export into a file is whole, private, and told on standard error', async () => {
  await using workspace = await temporaryWorkspace()
  await writtenSession(workspace.root, exchange(1, 'Hi', 'Hello'))
  const { out, err } = await loader(['export', '--format', 'md', '-o', 'session.md'], { folder: workspace.root })
  expect(out).toBe('')
  expect(err).toBe('loader: Written to session.md\n')
  expect(statSync(workspace.path('session.md')).mode & 0o777).toBe(0o600)
  const failed = await loader(['export', '-o', 'none/session.json'], { folder: workspace.root })
  expect(failed).toMatchObject({ code: 1, out: '' })
  expect(failed.err).toContain('cannot be written to')
})

test('a damaged session is not exported as if it were whole', async () => {
  await using workspace = await temporaryWorkspace()
  const id = await writtenSession(workspace.root, exchange(1, 'Hi', 'Hello'))
  damage(workspace.root, id)
  const { code, out, err } = await loader(['export', id], { folder: workspace.root })
  expect(code).toBe(0)
  expect(err).toContain('cannot be read')
  expect(out).toContain('"type":"event.lost"')
})
