import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { readSession, type SessionStore } from '@loader/session-core'
import { PostgresSessionStore } from '@loader/session-postgres'
import { call, line } from '@loader/test-harness'
import { sharedServer } from '@loader/test-postgres'
import { fromCi } from '@loader/test-tier'
import { expect, test } from 'vitest'
import { builtLoader } from './e2e/stage/built-loader.ts'
import { visitorOf, type Visitor } from './e2e/stage/web-of.ts'
import { hasTmux, TmuxTalk } from './interactive/stage/tmux-talk.ts'
import { stateFolderOf } from './written/store-in.ts'

const limit = { timeout: 30_000 }
const rest = /\n─+\n>\n─+\n(?:execute|verify|ready|plan) \| [^\n]+$/

/** A server of the page beside a terminal, as the same user has it. */
async function webBeside(talk: TmuxTalk, store: readonly string[]): Promise<Visitor & AsyncDisposable> {
  const { root } = talk.workspace
  const { PATH = '' } = process.env
  const environment = { PATH, LOADER_STATE: stateFolderOf(root), LOADER_CONFIG_DIR: talk.workspace.path('config') }
  const child = spawn(process.execPath, [builtLoader(), 'web', '--port', '0', ...store], {
    cwd: root,
    env: environment,
  })
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  const visitor = await visitorOf(said.toString().split('\n')[0] ?? '')
  return {
    ...visitor,
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'close')
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Where the sessions are: the words of the command that say so, and a reader of them. */
interface Kept extends AsyncDisposable {
  readonly words: readonly string[]
  readonly store: SessionStore
}

const places: Readonly<Record<string, (talk: TmuxTalk) => Promise<Kept>>> = {
  files: async ({ store }) => ({ words: [], store, [Symbol.asyncDispose]: async () => {} }),
  'a database': async () => {
    const { address } = await sharedServer()
    const tenant = randomUUID()
    const store = new PostgresSessionStore(address, { tenant })
    const words = ['--store', `${address}?tenant=${tenant}`]
    return { words, store, [Symbol.asyncDispose]: () => store.close() }
  },
}

test.skipIf(!hasTmux || !fromCi).each(Object.entries(places))(
  `what is asked at a terminal is answered in a browser, the terminal says so, and a task for it is begun there: in %s${hasTmux ? '' : ' (skipped: tmux is not installed)'}`,
  { timeout: 180_000 },
  async (_name, keptFor) => {
    const lines = [
      line('I create it.', call('write', { path: 'a.txt', content: 'a\n' })),
      line('Created.'),
      { ...line('And that.'), repeat: 'any' as const },
    ]
    await using talk = await TmuxTalk.begin({ columns: 80, lines })
    await using kept = await keptFor(talk)
    talk.start('--permission-mode', 'prompt', '--mode', 'execute', ...kept.words)
    await talk.see(rest)
    talk.say('Create a.txt')
    await talk.see('── y/s/a/n ─')
    await using web = await webBeside(talk, kept.words)
    const [row] = (await kept.store.list()).rows
    const id = row?.id ?? ''
    const { question, holder } = await web.standing(id)
    expect(holder).toMatchObject({ where: 'elsewhere', takes: true })
    if (question === null) throw new Error('Nothing is asked.')
    const { questionId, shown, askedAt } = question
    await expect.poll(() => Date.now() - Date.parse(askedAt), limit).toBeGreaterThan(400)
    const answer = { kind: 'permit', permit: 'allow', scope: 'once' } as const
    const given = { session: id, questionId, shown, answer }
    // Two windows at once: one of them is first.
    const both = await Promise.all([web.act('answer', given), web.act('answer', given)])
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
    const screen = await talk.see(/in the browser: allowed, this once[^]*Created\.[^]*■/)
    expect(screen).not.toMatch(/── y\/s\/a\/n ─[^]*■/)
    expect(readFileSync(talk.workspace.path('a.txt'), 'utf8')).toBe('a\n')
    expect((await web.act('answer', { ...given, answer: { ...answer, permit: 'deny' } })).error).toMatchObject({
      code: 'answered_elsewhere',
      by: 'browser',
    })
    await talk.see(rest)
    expect(await web.act('send', { session: id, text: 'And that, please' })).toMatchObject({ state: 'recorded' })
    await talk.see(/> And that, please[^]*And that\.[^]*■/)
    const { history } = await readSession(kept.store, id)
    expect(history.filter(({ type }) => type === 'turn.started')).toHaveLength(2)
    expect(history.filter(({ type }) => type === 'question.answered')).toHaveLength(1)
    await expect.poll(async () => (await web.standing(id)).phase, limit).toBe('resting')
    talk.press('C-d')
    await talk.see(/Go on later with: loader (?:--store '\S+\?tenant=\S+' )?-r ses_\w+\n\$$/)
  },
)
