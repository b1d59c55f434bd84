import { readFileSync } from 'node:fs'
import { readSession } from '@loader/session-core'
import { call, line } from '@loader/test-harness'
import { fromCi } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { PlainTalk } from './stage/plain-talk.ts'

const sum = { 'sum.js': 'export const sum = (a, b) => a - b\n' }
const edit = call('edit', { file_path: 'sum.js', old_string: 'a - b', new_string: 'a + b' })

async function onlySession(talk: PlainTalk) {
  const [row] = (await talk.store.list()).rows
  return readSession(talk.store, row?.id ?? '')
}

test('a task is done, shown as it goes, and can be gone on with later', async () => {
  await using talk = await PlainTalk.begin({ lines: [line('I mend it.', edit), line('It **adds** now.')], files: sum })
  await talk.hear('/help\n> ')
  talk.say('Mend sum.js')
  const told = await talk.hear('\n> ')
  expect(told).toContain(
    'I mend it.\n\n* edit sum.js\n    1 -export const sum = (a, b) => a - b\n    1 +export const sum = (a, b) => a + b\n',
  )
  expect(told).toContain('It adds now.\n')
  talk.say('/quit')
  await talk.hear('Go on later with: loader -r ses_')
  expect(await talk.ended).toBe(0)
  expect(readFileSync(talk.workspace.path('sum.js'), 'utf8')).toContain('a + b')
})

test.runIf(fromCi)('the task of the command line comes first, in its mode and with its checks', async () => {
  const lines = [line('I mend it.', edit), line('Done.')]
  const words = ['--mode', 'execute', '--check', 'grep -q "a + b" sum.js', 'Mend', 'sum.js']
  await using talk = await PlainTalk.begin({ lines, words, files: sum })
  const told = await talk.hear('= done, verified')
  expect(told).toContain('> Mend sum.js\n')
  expect(told).toContain('* check: grep -q "a + b" sum.js\n  ok exit 0\n')
})

test('a file that is named with an @ goes along, also with a message for the running turn', async () => {
  const wait = call('bash', { command: 'until [ -f go ]; do sleep 0.05; done' })
  const lines = [line('I wait.', wait), line('Both add.')]
  const words = ['--permission-mode', 'danger-full-access']
  await using talk = await PlainTalk.begin({ lines, words, files: { ...sum, 'other.js': 'export const other = 1\n' } })
  await talk.hear('> ')
  talk.say('Explain @sum.js')
  await talk.hear('  The file sum.js, as it is now\n')
  await talk.hear('* bash until')
  talk.say('and @other.js')
  await talk.hear('  The file other.js, as it is now\n')
  await talk.workspace.write('go', '')
  await talk.hear('Both add.')
  const said = JSON.stringify(talk.server.requests.at(-1)?.request?.messages)
  expect(said).toContain('   1\\texport const sum')
  expect(said).toContain('   1\\texport const other')
})

describe('a permission', () => {
  const push = call('bash', { command: 'git push --force', reach: 'network' })

  test('is refused with a reason, and the model is told that', async () => {
    await using talk = await PlainTalk.begin({ lines: [line('I push.', push), line('Then not.')] })
    await talk.hear('> ')
    talk.say('Publish it')
    const asked = await talk.hear('y/s/a/n> ')
    expect(asked).toContain('? Run a command? (bash)\n    git push --force\n')
    expect(asked).toContain('Asked because: ')
    talk.say('what does it do?')
    await talk.hear('Type y, s, a or n.')
    talk.say('n only after the review')
    await talk.hear('denied Not allowed: only after the review')
    await talk.hear('Then not.')
    expect(JSON.stringify(talk.server.requests[1]?.request?.messages)).toContain('only after the review')
  })

  test.runIf(fromCi)(
    'for always is kept among the rules of the project, and counts as soon as that is trusted',
    async () => {
      const list = call('bash', { command: 'git fetch && ls sum.js' })
      const lines = [line('I look.', list), line('There.')]
      await using talk = await PlainTalk.begin({ lines, words: ['--permission-mode', 'prompt'], files: sum })
      await talk.hear('> ')
      talk.say('Look')
      await talk.hear('y/s/a/n> ')
      talk.say('a')
      const extents = (await talk.hear('c/k/y/n> ')).replaceAll(/\n */g, ' ')
      expect(extents).toContain('this very call: Bash(git fetch && ls sum.js)@work')
      expect(extents).toContain('every command that begins with "git fetch": Bash(git fetch:*)@work')
      talk.say('a')
      await talk.hear('Type c, k, y or n.')
      talk.say('k')
      const told = await talk.hear('* bash')
      expect(told).toContain('allowed, always')
      expect(told.replaceAll(/\n */g, ' ')).toContain('once this project is trusted: /permissions trust')
      const rules: unknown = JSON.parse(readFileSync(talk.workspace.path('.loader/permission-rules.json'), 'utf8'))
      expect(rules).toEqual({ allow: ['Bash(git fetch:*)@work'] })
      await talk.hear('There.')
      await talk.hear('\n> ')
      talk.say('/permissions trust')
      await talk.hear('\n> ')
      talk.say('/quit')
      await talk.ended

      await using later = await PlainTalk.begin({
        lines,
        words: ['--permission-mode', 'prompt'],
        workspace: talk.workspace,
      })
      await later.hear('> ')
      later.say('Look again')
      expect(await later.hear('There.')).not.toContain('Run a command?')
    },
  )
})

test('a question of the model is answered by the number of an option', async () => {
  const question = call('ask_user', { question: 'Which colour?', options: ['red', 'green'] })
  await using talk = await PlainTalk.begin({ lines: [line('I ask.', question), line('Green it is.')] })
  await talk.hear('> ')
  talk.say('Paint it')
  await talk.hear('    1. red\n    2. green\n1-2 or words> ')
  talk.say('2')
  await talk.hear('Green it is.')
  expect(talk.server.requests[1]?.request?.messages.at(-1)?.results).toMatchObject([{ text: 'green' }])
})

test('what is said while the model works is queued, and said to it before its next step', async () => {
  const wait = call('bash', { command: 'until [ -f go ]; do sleep 0.05; done' })
  await using talk = await PlainTalk.begin({ lines: [line('I wait.', wait), line('Heard.')] })
  await talk.hear('> ')
  talk.say('Wait for it')
  await talk.hear('* bash until')
  talk.say('And be kind')
  await talk.hear('- queued: And be kind')
  talk.say('/resume')
  await talk.hear('/resume has to wait for the end of the turn.')
  talk.say('/timeline')
  await talk.hear('DECISIONS')
  await talk.workspace.write('go', '')
  await talk.hear('> And be kind\n')
  await talk.hear('Heard.')
  expect(JSON.stringify(talk.server.requests[1]?.request?.messages)).toContain('And be kind')
})

test('what is said while the last answer comes is answered as well', async () => {
  const slow = { chunks: 'word', fault: { type: 'drip', delayMs: 40 } } as const
  await using talk = await PlainTalk.begin({ lines: [{ ...line('One, and two, and three.'), ...slow }, line('Four.')] })
  await talk.hear('> ')
  talk.say('Count')
  await talk.server.untilAsked(1)
  talk.say('And on')
  await talk.hear('- queued: And on')
  await talk.hear('> And on\n')
  await talk.hear('Four.')
  expect(talk.server.requests).toHaveLength(2)
})

test('hanging up while the model works stops the turn, and loses nothing', async () => {
  const lines = [{ ...line('Half an answer'), chunks: 'word' as const, fault: { type: 'stall' as const, after: 2 } }]
  await using talk = await PlainTalk.begin({ lines })
  await talk.hear('> ')
  talk.say('Tell me')
  await talk.server.untilAsked(1)
  talk.hangUp()
  await talk.hear('= ended: interrupted')
  expect(await talk.ended).toBe(0)
  const { state } = await onlySession(talk)
  expect(state.turn).toBeNull()
  expect(state.lastTurn?.reason).toBe('interrupted')
})

describe('commands', () => {
  test('tell where the session stands, and change it', async () => {
    await using talk = await PlainTalk.begin({
      lines: [line('I mend it.', edit), line('It adds now.'), line('Fine.')],
      files: sum,
    })
    const told = async (typed: string) => {
      talk.say(typed)
      return talk.hear('\n> ')
    }
    await talk.hear('> ')
    expect(await told('/timeline')).toContain('Nothing has happened in this session yet.')
    expect(await told('/help')).toContain('/permissions')
    await told('Mend sum.js')
    expect(await told('/why')).toContain('Mend sum.js')
    expect(await told('/rename The sum')).toContain('This session is called: The sum')
    expect(await told('/mode sideways')).toContain('For the next task, give one of: clarify, plan')
    expect(await told('/permissions git push')).toContain('decided by')
    expect(await told('/model')).toContain('The model is ollama/scripted.')
    expect(await told('/model nobody/x')).toContain('There is no provider "nobody"')
    expect(await told('/model ollama/other')).toContain('Going on with ollama/other.')
    expect(await told('/thinking')).toContain('Thinking is auto.')
    expect(await told('/thinking deeply')).toContain('Change it with one of: off,')
    expect(await told('/thinking off')).toContain('Thinking is off, from the next task on.')
    expect(await told('/export talk.md')).toContain('Written to talk.md')
    expect(readFileSync(talk.workspace.path('talk.md'), 'utf8')).toContain('It adds now.')
    expect(await told('/nonsense')).toContain('There is no command /nonsense.')
    await told('And now?')
    expect(talk.server.requests.at(-1)?.request).toMatchObject({ model: 'other', thinking: 'off' })
    const { state } = await onlySession(talk)
    expect(state).toMatchObject({ title: 'The sum', policy: { thinking: 'off' }, usage: { turns: 2 } })
  })

  test('what was set for the next task holds when the model is another one', async () => {
    await using talk = await PlainTalk.begin({ lines: [line('My plan: add.')], files: sum })
    await talk.hear('> ')
    for (const [typed, answer] of [
      ['/mode plan', 'The next task begins in mode plan.'],
      ['/model nobody/x', 'There is no provider "nobody"'],
      ['/model ollama/other', 'Going on with ollama/other.'],
    ] as const) {
      talk.say(typed)
      expect(await talk.hear('\n> ')).toContain(answer)
    }
    talk.say('Mend sum.js')
    expect(await talk.hear('y/n> ')).toContain('plan was asked for')
  })

  test('of one’s own go before a built-in task, wait for the end of a turn, and are told where they are not used', async () => {
    const files = {
      '.loader/commands/review.md': 'Look at the tests of $1 alone.',
      '.loader/commands/git/push.md': 'Publish it.',
      '.loader/commands/help.md': 'Help me.',
    }
    const lines = [line('I wait.', call('bash', { command: 'until [ -f go ]; do sleep 0.05; done' })), line('Fine.')]
    await using talk = await PlainTalk.begin({ lines, files })
    await talk.hear('> ')
    talk.say('/help')
    expect((await talk.hear('\n> ')).replaceAll(/\s+/g, ' ')).toContain(
      '/help Help me. (of this project) (not used here: Loader has its own /help)',
    )
    talk.say('/review parser')
    await talk.server.untilAsked(1)
    expect(JSON.stringify(talk.server.requests[0]?.request?.messages)).toContain('Look at the tests of parser alone.')
    for (const name of ['/git:push', '/review']) {
      talk.say(`${name} now`)
      await talk.hear(`${name} has to wait for the end of the turn.`)
    }
    await talk.workspace.write('go', '')
    await talk.hear('Fine.')
    expect(JSON.stringify(talk.server.requests[1]?.request?.messages)).not.toContain('git:push')
  })

  test('are left with the conversation when the terminal is hung up while they ask', async () => {
    await using talk = await PlainTalk.begin({ lines: [line('Hello.')] })
    await talk.hear('> ')
    talk.say('Hello!')
    await talk.hear('\n> ')
    talk.say('/undo')
    await talk.hear('y does it; anything else leaves it.\n> ')
    talk.hangUp()
    await talk.hear('Go on later with: loader -r ses_')
    expect(await talk.ended).toBe(0)
    expect((await onlySession(talk)).state.usage.turns).toBe(1)
  })

  test.runIf(fromCi)('take the last turn back with its files, if that is wanted', async () => {
    await using talk = await PlainTalk.begin({ lines: [line('I mend it.', edit), line('It adds now.')], files: sum })
    const file = () => readFileSync(talk.workspace.path('sum.js'), 'utf8')
    await talk.hear('> ')
    talk.say('Mend sum.js')
    await talk.hear('\n> ')
    for (const [answer, result] of [
      ['n', 'Nothing was changed.'],
      ['y', 'Not said: Mend sum.js'],
    ] as const) {
      talk.say('/undo')
      expect(await talk.hear('y does it; anything else leaves it.\n> ')).toContain('This takes back: Mend sum.js')
      expect(file()).toContain('a + b')
      talk.say(answer)
      await talk.hear(result)
    }
    expect(file()).toBe(sum['sum.js'])
  })

  test('go on in a copy, in another session, or in a fresh one', async () => {
    await using talk = await PlainTalk.begin({ lines: [line('One.'), line('Two.'), line('Three.')] })
    await talk.hear('> ')
    for (const [typed, heard] of [
      ['Say one', 'One.'],
      ['/rename First', 'First'],
      ['/fork', 'Session ses_'],
      ['Say two', 'Two.'],
      ['/rename Second', 'Second'],
      ['/clear', 'A fresh session.'],
      ['/resume', 'Second'],
      ['/resume first', ': First'],
      ['Say three', 'Three.'],
      ['/resume nowhere', 'nowhere'],
    ] as const) {
      talk.say(typed)
      await talk.hear(heard)
      if (typed === '/resume') {
        await talk.hear('A number, or Enter for none> ')
        talk.say('')
      }
      await talk.hear('> ')
    }
    const rows = (await talk.store.list()).rows.map(({ title, turns }) => ({ title, turns }))
    expect(rows).toHaveLength(2)
    expect(rows).toEqual(
      expect.arrayContaining([
        { title: 'First', turns: 2 },
        { title: 'Second', turns: 1 },
      ]),
    )
    const [asked] = talk.server.requests.slice(-1)
    expect(JSON.stringify(asked?.request?.messages)).not.toContain('Say two')
  })
})

describe('a session that is named on the command line', () => {
  const words = ['--permission-mode', 'read-only', '-n', 'Fix the parser', 'Hello!']

  async function earlier(): Promise<PlainTalk> {
    const talk = await PlainTalk.begin({ lines: [line('Hello, Ann.')], words })
    await talk.hear('Hello, Ann.')
    await talk.hear('\n> ')
    talk.say('/quit')
    await talk.ended
    return talk
  }

  test('goes on with its model and permission mode', async () => {
    await using before = await earlier()
    const { workspace } = before
    await using talk = await PlainTalk.begin({ lines: [line('Once more.')], words: ['-c'], workspace, model: null })
    expect(await talk.hear('/help\n')).toMatch(/ollama\/scripted\n.* read-only \|/)
    await talk.hear('\n> ')
    talk.say('Hello again!')
    await talk.hear('Once more.')
    expect((await onlySession(talk)).state.policy).toMatchObject({
      model: { model: 'ollama/scripted' },
      permission: { mode: 'read-only' },
    })
  })

  test('by words that are like its title is asked for, and goes on when its number is given', async () => {
    await using before = await earlier()
    const { workspace } = before
    const again = { lines: [line('Once more.')], words: ['-r', 'fix parsr', 'Go on'], workspace }
    await using talk = await PlainTalk.begin(again)
    expect(await talk.hear('Enter for none: ')).toMatch(/the id or title "fix parsr"\.\n  1\. Fix the parser \(/)
    talk.say('1')
    await talk.hear('> Go on\n')
    await talk.hear('Once more.')
    expect((await onlySession(talk)).state.usage.turns).toBe(2)
  })

  test('by words that are like its title is left alone when none is chosen', async () => {
    await using before = await earlier()
    const again = { lines: [], words: ['-r', 'fix parsr', 'Go on'], workspace: before.workspace }
    await using talk = await PlainTalk.begin(again)
    await talk.hear('Enter for none: ')
    talk.say('')
    await talk.hear('Like it are:\n')
    expect(await talk.ended).toBe(2)
    expect((await onlySession(talk)).state.usage.turns).toBe(1)
  })
})
