import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SessionsOutput, StatusOutput } from '@loader/readings'
import { Session } from '@loader/session-core'
import { fixedEnvironment, temporaryWorkspace } from '@loader/test-harness'
import { describe, expect, test } from 'vitest'
import { VerifyOutput } from '../src/schemas/verify.ts'
import { damage } from './written/damage.ts'
import { loader } from './written/fake-console.ts'
import { storeIn } from './written/store-in.ts'
import { exchange, writtenSession } from './written/written-session.ts'

const readings = [
  ['show'],
  ['why'],
  ['usage'],
  ['timeline'],
  ['evidence'],
  ['ledger'],
  ['export'],
  ['export', '--format', 'md'],
]

describe('of a session with a damaged record', () => {
  test.each(readings)('%s %s shows what is intact, and says what is known of the gap', async (...words) => {
    await using workspace = await temporaryWorkspace()
    const id = await damaged(workspace.root)
    const { code, out, err } = await loader([...words, id], { folder: workspace.root })
    expect(code).toBe(0)
    expect(err).toMatch(
      /Event 11 cannot be read: \d+ damaged bytes, after model\.asked \(event 10, .*\) and before turn\.finished/,
    )
    expect(err).toContain(`loader verify ${id}`)
    if (words[0] !== 'show' && words[0] !== 'export') return
    expect(out).toContain('Hello')
    expect(out).toContain('Still here')
    expect(out).not.toContain('Lost words')
  })

  test('show has the gap in its place, and --at before it works as ever', async () => {
    await using workspace = await temporaryWorkspace()
    const id = await damaged(workspace.root)
    const { out } = await loader(['show', id, '--json'], { folder: workspace.root })
    const { entries, session } = JSON.parse(out)
    expect(session.gaps).toMatchObject([{ first: 11, last: 11 }])
    expect(entries.filter(({ kind }: { kind: string }) => kind === 'gap')).toMatchObject([
      { seq: 11, last: 11, bytes: expect.any(Number), before: { seq: 10 }, after: { seq: 12 } },
    ])
    const before = await loader(['show', id, '--at', '7'], { folder: workspace.root })
    expect(before).toMatchObject({ code: 0, out: expect.stringContaining('Hello') })
    expect(before.out).not.toContain('cannot be read')
  })

  test('the list and the status of one that went on over its gap say that it has one', async () => {
    await using workspace = await temporaryWorkspace()
    const id = await damaged(workspace.root)
    const store = storeIn(workspace.root)
    rmSync(join(store.directory, `${id}.json`))
    const session = await Session.load(store, id, { environment: fixedEnvironment() })
    await session.close()
    const listed = await loader(['sessions', '--json'], { folder: workspace.root })
    expect(SessionsOutput.parse(JSON.parse(listed.out)).sessions).toMatchObject([
      { id, gaps: [{ first: 11, last: 11 }] },
    ])
    const { out } = await loader(['sessions'], { folder: workspace.root })
    expect(out).toContain('has gaps')
    const status = await loader(['status', '--json'], { folder: workspace.root })
    expect(StatusOutput.parse(JSON.parse(status.out)).session).toMatchObject({ id, gaps: [{ first: 11, last: 11 }] })
  })

  test('verify says which bytes, with exit code 6; of a sound one 0; of one that is not there 1', async () => {
    await using workspace = await temporaryWorkspace()
    const sound = await writtenSession(workspace.root, exchange(1, 'Hi', 'Hello'))
    const id = await damaged(workspace.root)
    const { code, out } = await loader(['verify', '--json'], { folder: workspace.root })
    expect(code).toBe(6)
    const output = VerifyOutput.parse(JSON.parse(out))
    expect(output.damaged).toBe(1)
    expect(output.sessions.find((session) => session.id === sound)).toMatchObject({ intact: true, findings: [] })
    expect(output.sessions.find((session) => session.id === id)).toMatchObject({
      intact: false,
      events: { last: 17, missing: [{ first: 11, last: 11 }] },
      findings: expect.arrayContaining([
        expect.objectContaining({ what: 'damaged_record', offset: expect.any(Number) }),
      ]),
    })
    expect((await loader(['verify', sound], { folder: workspace.root })).code).toBe(0)
    expect((await loader(['verify', 'nothing'], { folder: workspace.root })).code).not.toBe(0)
    expect((await loader(['verify', id], { folder: workspace.root })).out).toContain('loader doctor --repair')
  })

  test('an emptied journal without a snapshot is said to be one, by every command', async () => {
    await using workspace = await temporaryWorkspace()
    const id = await writtenSession(workspace.root, exchange(1, 'Hi', 'Hello'))
    damage(workspace.root, id)
    const { directory } = storeIn(workspace.root)
    for (const name of [`${id}.json`, `${id}.journal.jsonl`]) writeFileSync(join(directory, name), '')
    const verified = await loader(['verify', id], { folder: workspace.root })
    expect(verified.code).toBe(6)
    expect(verified.out.replace(/\s+/g, ' ')).toContain('It was cut off here, and no event is left.')
    expect(verified.out).not.toContain('--repair')
    const shown = await loader(['show', id], { folder: workspace.root })
    expect(shown.code).toBe(6)
    expect(shown.err).toContain('was emptied or cut off, no event is left in it')
  })
})

/** Three exchanges, of which the second answer cannot be read. */
async function damaged(root: string): Promise<string> {
  const id = await writtenSession(root, [
    ...exchange(1, 'Hi', 'Hello'),
    ...exchange(2, 'Go on', 'Lost words'),
    ...exchange(3, 'And now?', 'Still here'),
  ])
  const path = join(storeIn(root).directory, `${id}.journal.jsonl`)
  writeFileSync(path, readFileSync(path, 'latin1').replace('Lost words', 'L?st words'), 'latin1')
  return id
}
