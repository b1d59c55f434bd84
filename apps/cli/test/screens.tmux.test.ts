import { call, line } from '@loader/test-harness'
import { fromCi } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { hasTmux, TmuxTalk } from './interactive/stage/tmux-talk.ts'

const rest = /\n─+\n>\n─+\n(?:execute|verify|ready|plan) \| [^\n]+$/

/** A screen without what differs from run to run. */
function steady(screen: string): string {
  return screen
    .replaceAll(/\/tmp\/loader-workspace-\w+/g, '/tmp/loader-workspace')
    .replaceAll(/ses_\w+/g, 'ses_1')
    .replaceAll(/\d+(?:\.\d+)? (?:ms|s|min)\b/g, '1 s')
    .replaceAll(/window \d+%/g, 'window 1%')
    .replaceAll(/\(1\/\d+\)/g, '(1/20)')
    .replaceAll(/[⠋⠙⠹⠸⠼⠴⠦⠧]/g, '⠋')
    .trimEnd()
    .concat('\n')
}

const todos = [
  { content: 'Read sum.js', status: 'completed' },
  { content: 'Mend sum.js', status: 'in_progress', activeForm: 'Mending sum.js' },
  { content: 'Tell what changed', status: 'pending' },
]
const answer = `Now \`sum\` **adds**; 日本語 and 👩‍💻 and مرحبا are shown too.

| what | why |
|---|---|
| 日本語 | it is wide |
| a long cell that does not fit where there is little room, so that it goes on | narrow |

1. First
   - inner
2. Second

\`\`\`js
export const sum = (a, b) => a + b // adds
\`\`\`
`

describe.skipIf(!hasTmux || !fromCi)(`screens${hasTmux ? '' : ' (skipped: tmux is not installed)'}`, () => {
  test.each([60, 80, 120])('of a conversation in %i columns', async (columns) => {
    const lines = [
      line('I plan.', call('todo_write', { todos })),
      line('I mend it.', call('edit', { file_path: 'sum.js', old_string: 'a - b', new_string: 'a + b' })),
      line('So far.', call('todo_write', { todos: todos.map((todo) => ({ ...todo, status: 'completed' })) })),
      line(answer),
    ]
    const files = { 'sum.js': 'export const sum = (a, b) => a - b\n', '.git/HEAD': 'ref: refs/heads/main\n' }
    await using talk = await TmuxTalk.begin({ columns, rows: 60, lines, files })
    talk.start('--permission-mode', 'prompt', '--check', 'grep -q "a + b" sum.js')
    await talk.see(rest)
    talk.type('/')
    await talk.see(/→ \/help/)
    await expect(steady(talk.screen())).toMatchFileSnapshot(`screens/menu-${columns}.txt`)
    talk.press('Escape')
    await talk.see(/\n> \/\n─+\n[^\n]+$/)
    talk.press('C-u')
    talk.say('Mend sum.js, please: 日本語 👩‍💻 مرحبا')
    const asked = await talk.see(/── y\/s\/a\/n ─[^]*waiting for you[^\n]*$/)
    await expect(steady(asked)).toMatchFileSnapshot(`screens/asked-${columns}.txt`)
    talk.say('y')
    const done = await talk.see(new RegExp(`■ done, verified[^]*${rest.source}`))
    await expect(steady(done)).toMatchFileSnapshot(`screens/done-${columns}.txt`)
    expect(talk.faults()).toEqual([])
  })
})
