import { readFileSync } from 'node:fs'
import { readSession, type SessionState, textOf } from '@loader/session-core'
import { call, line } from '@loader/test-harness'
import type { WireLine } from '@loader/test-harness/wire'
import { fromCi, needing, sample } from '@loader/test-tier'
import { wallsAround } from '@loader/workspace'
import { describe, expect, test } from 'vitest'
import { hasTmux, TmuxTalk } from './interactive/stage/tmux-talk.ts'

const hasWalls = fromCi && (await wallsAround({ root: import.meta.dirname }).state()).state === 'held'
const sum = { 'sum.js': 'export const sum = (a, b) => a - b\n' }
const edit = call('edit', { file_path: 'sum.js', old_string: 'a - b', new_string: 'a + b' })
const endless = { chunks: 'word', fault: { type: 'drip', delayMs: 15 } } as const
const words = 'And more words. '.repeat(200)

/** The input, empty, and the status below it. */
const rest = /\n─+\n>\n─+\n(?:execute|verify|ready|plan) \| [^\n]+$/

async function latestState(talk: TmuxTalk): Promise<SessionState> {
  const [row] = (await talk.store.list()).rows
  return (await readSession(talk.store, row?.id ?? '')).state
}

describe.skipIf(!hasTmux)(`in a real terminal${hasTmux ? '' : ' (skipped: tmux is not installed)'}`, () => {
  test.each(sample([80, 60], { quick: 1 }))('a task that needs a permission is done in %i columns', async (columns) => {
    const answer = 'Now `sum` **adds**:\n\n| what | why |\n|---|---|\n| 日本語 | it is wide |\n\n\u001b[2J\u0007done.'
    const lines = [
      { ...line('I mend it.', edit), ...endless },
      { ...line(answer), ...endless },
    ]
    await using talk = await TmuxTalk.begin({ columns, lines, files: sum })
    talk.start('--permission-mode', 'prompt', '--check', 'grep -q "a + b" sum.js')
    await talk.see(rest)
    talk.say('Mend sum.js')
    const asked = await talk.see('── y/s/a/n ─')
    expect(asked).toContain('? Edit a file? (edit)\n    --- sum.js\n    +++ sum.js\n    @@ -1,1 +1,1 @@\n    -export')
    expect(asked).toMatch(/Asked because: the mode prompt asks/)
    expect(asked).toMatch(/waiting for you/)
    // Words that were meant for something else allow nothing, and are not lost.
    talk.say('say more')
    await talk.see(/── y\/s\/a\/n ─+\n> say more\n─+\nType y, s, a or n\./)
    talk.press('C-u')
    talk.say('y')
    const done = await talk.see(/■ done, verified[^]*\n─+\n>\n─+\n.*$/)
    expect(done).toContain(
      '· allowed, this once\n● edit sum.js\n  ✓ Edited sum.js at line 1; matched exactly.\n\nNow sum adds:\n',
    )
    expect(done).toContain('what    why\n------  ----------\n日本語  it is wide\n')
    expect(done).toContain('\\x1b[2J\\x07done.')
    expect(done).toContain('● check: grep -q "a + b" sum.js\n  ✓ exit 0\n')
    expect(talk.faults()).toEqual([])
    talk.press('C-d')
    await talk.see(/Go on later with: loader -r ses_\w+\n\$$/)
    // The terminal is as it was: what is typed is shown, and sent as lines.
    talk.say('stty -a | grep -o -w -e icanon -e echo')
    await talk.see(/\nicanon\necho\n\$$/)
  })

  test.skipIf(!hasWalls || !fromCi).each(sample([80, 60], { quick: 1 }))(
    needing(
      !hasWalls && 'there are no walls here',
      'what needs the network is asked once for its kind, and a rule that denies holds at once, in %i columns',
    ),
    async (columns) => {
      const fetching = (remote: string) =>
        call('bash', { command: `git fetch ${remote}`, reach: 'network', why: 'to see what others did' })
      const lines = [
        line('I fetch.', fetching('one')),
        line('And again.', fetching('two')),
        line('There.'),
        line('Once more.', fetching('three')),
        line('Then not.'),
      ]
      await using talk = await TmuxTalk.begin({ columns, lines })
      talk.start('--walls', 'required')
      await talk.see(rest)
      talk.say('Fetch')
      const asked = (await talk.see('── y/s/a/n ─')).replaceAll(/\n */g, ' ')
      expect(asked).toContain('? Run a command? (bash) git fetch one (in ., for at most 120 s, with the network)')
      expect(asked).toContain(
        'the mode workspace-write asks: the command reaches the network, with what listens on this machine',
      )
      expect(asked).toContain('The model says: to see what others did')
      talk.say('s')
      const extents = (await talk.see('── c/k/y/n ─')).replaceAll(/\n */g, ' ')
      expect(extents).toContain('every command that begins with "git fetch": Bash(git fetch:*)@network')
      talk.say('k')
      const done = await talk.see(/There\.[^]*\n─+\n>\n─+\n.*$/)
      expect(done.match(/Asked because/g)).toHaveLength(1)
      expect(done).toContain('● bash git fetch two')
      talk.say('/permissions add deny "Bash(git fetch:*)"')
      await talk.see(/added[^]*\n─+\n>\n─+\n.*$/i)
      talk.say('Fetch again')
      const denied = (await talk.see(/Then not\.[^]*\n─+\n>\n─+\n.*$/)).replaceAll(/\n */g, ' ')
      expect(denied).toMatch(/⊘ Not allowed: denied by the rule Bash\(git fetch:\*\)/)
    },
  )

  test.runIf(fromCi)('Ctrl-C stops the turn wherever it is, keeps what came, and gives the input back', async () => {
    const lines: WireLine[] = [
      { ...line(words), ...endless },
      line('I run it.', call('bash', { command: 'echo begun; sleep 60' })),
      line('I mend it.', edit),
      line('Mended.'),
      line('I publish.', call('bash', { command: 'git push --force', reach: 'network' })),
      line('Good bye.'),
    ]
    await using talk = await TmuxTalk.begin({
      columns: 80,
      lines,
      files: { ...sum, 'package.json': '{ "scripts": { "test": "sleep 60" } }' },
    })
    talk.start()
    await talk.see(rest)
    const stop = async (task: string, seen: string | RegExp) => {
      talk.say(task)
      await talk.see(seen)
      talk.press('C-c')
      const screen = await talk.see(new RegExp(`> ${task}\\n[^]*■ [^\\n]*interrupted[^]*${rest.source}`))
      expect(talk.faults()).toEqual([])
      return screen.slice(screen.lastIndexOf(`> ${task}`))
    }
    const whileAnswering = await stop('Tell me', /And more words[^]*\| answering \|/)
    expect(whileAnswering).toContain('! cut off (cancelled); what came is kept')
    expect(textOf((await latestState(talk)).messages.at(-1)?.content ?? [])).toMatch(/^And more words/)

    const whileRunning = await stop('Run it', /● bash echo begun; sleep 60\n {4}begun\n─+\n>\n─+\n[^\n]*running bash/)
    expect(whileRunning).toMatch(/! interrupted: /)

    const whileChecking = await stop('Mend it', /● check: npm run test\n─+\n>\n─+\n[^\n]*checking npm run test/)
    expect(whileChecking).toContain('Mended.')
    expect(whileChecking).toContain('! interrupted')

    const whileAsked = await stop('Publish it', '── y/s/a/n ─')
    expect(whileAsked).toContain('! interrupted: Not run: the turn was stopped before it.')

    talk.say('Bye')
    await talk.see(/Good bye\.\n[^]*■ answered/)
    expect((await latestState(talk)).turn).toBeNull()
  })

  test.runIf(fromCi)(
    'what is typed while the model works is queued and said to it, or comes back when the turn is stopped',
    async () => {
      const lines = [
        line('I wait.', call('bash', { command: 'until [ -f go ]; do sleep 0.05; done' })),
        { ...line(words), ...endless },
      ]
      await using talk = await TmuxTalk.begin({ columns: 60, lines })
      talk.start()
      await talk.see(rest)
      talk.say('Wait for it')
      await talk.see('running bash')
      talk.say('And be kind')
      await talk.see(/· queued: And be kind\n[^]*1 queued/)
      await talk.workspace.write('go', '')
      await talk.see(/\n> And be kind\n[^]*And more words/)
      talk.type('Shorter, please')
      await talk.see(/> Shorter, please\n/)
      talk.press('Enter')
      await talk.see('queued: Shorter, please')
      talk.press('Escape')
      await talk.see(/■ ended: interrupted[^]*\n> Shorter, please\n─+\n[^\n]+$/)
      expect(talk.faults()).toEqual([])
      expect(JSON.stringify(talk.server.requests[1]?.request?.messages)).toContain('And be kind')
      expect((await latestState(talk)).queue).toEqual([])
    },
  )

  test.runIf(fromCi)('after a kill the turn is there, and Enter goes on with it', async () => {
    const lines = [{ ...line(`Before. ${words}`), ...endless }, line('After the crash.')]
    await using talk = await TmuxTalk.begin({ columns: 60, lines })
    talk.start()
    await talk.see(rest)
    talk.say('Tell me')
    await talk.see('Before. And more')
    talk.kill()
    await talk.see('Killed')
    talk.start('-c')
    const resumed = await talk.see(/A turn was cut off\. Enter goes on with it;[^]*\n─+\n>\n/)
    expect(resumed).toContain('> Tell me')
    talk.press('Enter')
    await talk.see(/! cut off \(crashed\); what came is kept\n[^]*After the crash\.\n\n■ answered/)
    expect(talk.faults()).toEqual([])
  })

  test.runIf(fromCi)(
    'the input takes several lines, pastes and wide letters, and survives a smaller window',
    async () => {
      const lines = [{ ...line(words), ...endless }]
      await using talk = await TmuxTalk.begin({ columns: 80, lines })
      talk.start()
      await talk.see(rest)
      talk.type('one\\')
      talk.press('Enter')
      talk.type('日本語')
      talk.press('M-Enter')
      talk.paste('pasted\nlines \u001b[31mred\u202e')
      talk.press('Home')
      talk.type('> ')
      await talk.see(/> one\n {2}日本語\n {2}pasted\n {2}> lines \[31mred\n─+\n/)
      talk.press('Enter')
      await talk.server.untilAsked(1)
      const messages = JSON.stringify(talk.server.requests[0]?.request?.messages)
      expect(messages).toContain(String.raw`one\n日本語\npasted\n> lines [31mred`)
      await talk.see(/And more words[^]*answering/)
      talk.press('Escape')
      await talk.see(/■ ended: interrupted[^]*\n─+\n>\n─+\n[^\n]+$/)
      talk.press('Up')
      await talk.see(/> one\n {2}日本語\n {2}pasted\n {2}> lines \[31mred\n─+\nexecute [^\n]+$/)
    },
  )

  test.runIf(fromCi).each([
    [80, 50],
    [60, 40],
    [50, 80],
  ])('what is being written moves along when %i columns become %i', async (columns, others) => {
    await using talk = await TmuxTalk.begin({ columns, rows: 24, lines: [] })
    talk.start()
    await talk.see(rest)
    talk.say('/help')
    await talk.see(/came\s+is\s+kept/)
    const text = 'a long task, with 日本語 in it, that goes over the end of the line wherever that is; '.repeat(2)
    talk.type(text)
    // What is drawn for the moment is there once, and nothing is left of how it was before.
    const bare = (part: string) => part.replaceAll(/\s+/g, '')
    const isWritten = () => {
      const screen = talk.screen('visible')
      return bare(screen.slice(screen.lastIndexOf('\n> ') + 3, screen.lastIndexOf('\n──'))) === bare(text)
    }
    await talk.see(isWritten)
    talk.resize(others, 24)
    await talk.see(isWritten)
    expect(talk.screen('visible').match(/^ready/gm)).toHaveLength(1)
  })

  test.runIf(fromCi)('a terminal that cannot be drawn on gets lines, and Ctrl-C works there too', async () => {
    const lines = [line('I mend it.', edit), { ...line(words), ...endless }]
    await using talk = await TmuxTalk.begin({ columns: 60, lines, files: sum })
    talk.type('export TERM=dumb')
    talk.press('Enter')
    talk.start('--permission-mode', 'prompt')
    await talk.see(/\/help\n>$/)
    talk.say('Mend sum.js')
    await talk.see('y/s/a/n>')
    talk.say('y')
    await talk.see('ok Edited sum.js')
    await talk.server.untilAsked(2)
    talk.press('C-c')
    await talk.see(/= ended: interrupted[^]*\n>$/)
    expect(readFileSync(talk.workspace.path('sum.js'), 'utf8')).toContain('a + b')
    talk.press('C-d')
    await talk.see(/Go on later with: loader -r ses_\w+\n\$$/)
  })
})
