import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { setTimeout as passed } from 'node:timers/promises'
import { call, line } from '@loader/test-harness'
import { fromCi } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { hasTmux, TmuxTalk } from './interactive/stage/tmux-talk.ts'

const rest = /\n─+\n>\n─+\n(?:execute|verify|ready|plan) \| [^\n]+$/
const input = (text: string) => new RegExp(String.raw`\n─+\n> ${text}\n─+\n[^\n]+$`)

describe.skipIf(!hasTmux || !fromCi)(
  `keys in a real terminal${hasTmux ? '' : ' (skipped: tmux is not installed)'}`,
  () => {
    test('/ opens a menu with what the commands do, and Enter takes one', async () => {
      await using talk = await TmuxTalk.begin({ columns: 80, lines: [] })
      talk.start()
      await talk.see(rest)
      talk.type('/')
      const menu = await talk.see(/→ \/help +what can be typed\n {4}\/mode/)
      expect(menu).toContain('/compact')
      talk.type('tim')
      await talk.see(/→ \/timeline +what the runtime decided, and why\n/)
      talk.press('Escape')
      await talk.see(input('/tim'))
      talk.press('C-u')
      talk.type('/rena')
      await talk.see(/→ \/rename/)
      talk.press('Tab')
      talk.say('My own title')
      await talk.see(/This session is called: My own title/)
    })

    test('Esc and Ctrl-C are a no where a yes is waited for', async () => {
      await using talk = await TmuxTalk.begin({ columns: 80, lines: [line('Hello.')] })
      talk.start()
      await talk.see(rest)
      talk.say('Hello!')
      await talk.see(/■ answered[^]*\n─+\n>\n─+\n/)
      const refused = String.raw`anything else leaves it\.\nNothing was changed\.[^]*`
      for (const [key, before] of [
        ['Escape', ''],
        ['C-c', refused],
      ] as const) {
        talk.say('/undo')
        await talk.see(new RegExp(String.raw`${before}anything else leaves it\.\n─+\n>\n─+\n[^\n]+$`))
        talk.press(key)
        await talk.see(new RegExp(`${before}${refused}${rest.source}`))
        expect(talk.faults()).toEqual([])
      }
    })

    test('@ completes files by any of their letters; those that git ignores come last', async () => {
      const files = {
        'src/parser/tokens.ts': '',
        'src/parser/tree.ts': '',
        'tokens.log': '',
        '.gitignore': '*.log\n',
        'README.md': '',
      }
      await using talk = await TmuxTalk.begin({ columns: 80, lines: [line('Read.')], files })
      talk.say('git init -q; clear')
      talk.start()
      await talk.see(rest)
      talk.type('Look at @tokn')
      const menu = await talk.see(/→ src\/parser\/tokens\.ts\n {4}tokens\.log\n/)
      expect(menu).not.toContain('tree.ts\n')
      talk.press('Enter')
      await talk.see(input('Look at @src/parser/tokens.ts'))
      talk.type('and @parser')
      await talk.see(/→ src\/parser\/\n/)
      talk.press('Tab')
      await talk.see(input('Look at @src/parser/tokens.ts and @src/parser/'))
      talk.press('Enter')
      await talk.see(/Read\.\n/)
      expect(JSON.stringify(talk.server.requests[0]?.request?.messages)).toContain(
        '@src/parser/tokens.ts and @src/parser/',
      )
    })

    test('!command runs as the user, in the terminal; !!command puts what it prints into the input', async () => {
      await using talk = await TmuxTalk.begin({ columns: 80, lines: [line('I see.')] })
      talk.start()
      await talk.see(rest)
      talk.say('! test -t 1 && printf "at a terminal, $((6 * 7))"; exit 3')
      await talk.see(/\nat a terminal, 42\nexit 3\n─+\n>\n/)
      expect(talk.server.requests).toHaveLength(0)
      talk.say('!!printf "one\\ntwo\\n"')
      await talk.see(/\none\ntwo\n─+\n> \$ printf "one\\ntwo\\n"\n {2}one\n {2}two\n/)
      talk.say('What is this?')
      await talk.see('I see.')
      expect(JSON.stringify(talk.server.requests[0]?.request?.messages)).toContain(String.raw`one\ntwo\nWhat is this?`)
    })

    test('a long paste shrinks in the input and is sent whole; undo and the kill ring bring back what was cut', async () => {
      await using talk = await TmuxTalk.begin({ columns: 80, lines: [line('Long.')] })
      talk.start()
      await talk.see(rest)
      talk.type('See: ')
      talk.paste(Array.from({ length: 200 }, (_, index) => `pasted ${index + 1}`).join('\n'))
      await talk.see(input(String.raw`See: \[paste #1 \+200 lines\]`))
      talk.press('Enter')
      await talk.see('Long.')
      expect(JSON.stringify(talk.server.requests[0]?.request?.messages)).toContain(String.raw`pasted 1\npasted 2\n`)
      expect(JSON.stringify(talk.server.requests[0]?.request?.messages)).toContain(String.raw`pasted 200`)
      talk.type('one two three')
      talk.press('C-w', 'C-w')
      await talk.see(input('one'))
      talk.press('C-a', 'C-y')
      await talk.see(input('two threeone'))
      talk.press('C-_')
      await talk.see(input('one'))
    })

    test('what was said is found again in another session, and a draft survives Ctrl-C', async () => {
      await using talk = await TmuxTalk.begin({ columns: 80, lines: [line('First.'), line('Second.')] })
      talk.start()
      await talk.see(rest)
      talk.say('Count the apples')
      await talk.see('First.')
      talk.say('Count the pears')
      await talk.see('Second.')
      talk.type('never sent')
      talk.press('C-c')
      await talk.see(/\n>\n─+\nUp brings it back\./)
      talk.press('Up')
      await talk.see(input('never sent'))
      talk.press('C-u', 'C-d')
      await talk.see(/\$$/)
      talk.start()
      await talk.see(rest)
      talk.press('C-r')
      await talk.see(
        /─ What was said before ─+\n>\n→ never sent\n {2}Count the pears\n {2}Count the apples\n─+\nType to search/,
      )
      talk.type('appl')
      await talk.see(/> appl\n→ Count the apples\n─/)
      talk.press('Enter')
      expect(await talk.see(input('Count the apples'))).not.toContain('What was said before')
    })

    test('Ctrl-G opens the draft in the editor of the user', async () => {
      await using talk = await TmuxTalk.begin({ columns: 80, lines: [] })
      const editor = talk.workspace.path('editor.sh')
      writeFileSync(editor, '#!/bin/sh\ntr a-z A-Z < "$1" > "$1.new" && mv "$1.new" "$1"\necho edited at a terminal\n')
      chmodSync(editor, 0o755)
      talk.say(`export EDITOR=${editor}; clear`)
      talk.start()
      await talk.see(rest)
      talk.type('shout this')
      talk.press('C-g')
      expect(await talk.see(input('SHOUT THIS'))).toContain('edited at a terminal')
    })

    test('lines are begun by every key that terminals send for it, cut, brought back, walked through', async () => {
      await using talk = await TmuxTalk.begin({ columns: 80, lines: [line('Lines.')] })
      talk.start()
      await talk.see(rest)
      // Shift-Enter of the Kitty protocol, and of xterm when it tells of other keys; Alt-Enter; Ctrl-J; a backslash.
      const breaks = ['\x1b[13;2u', '\x1b[27;2;13~', '\x1b\r', '\n']
      for (const [index, keys] of breaks.entries()) {
        talk.type(`line ${index}`)
        talk.send(keys)
      }
      talk.type('line 4\\')
      talk.press('Enter')
      talk.type('line 5')
      await talk.see(/> line 0\n {2}line 1\n {2}line 2\n {2}line 3\n {2}line 4\n {2}line 5\n─/)
      talk.press('C-a', 'C-k')
      await talk.see(/ {2}line 4\n\n─/)
      talk.press('Up')
      talk.press('C-e', 'C-u')
      await talk.see(/ {2}line 3\n\n\n─/)
      talk.press('C-y')
      await talk.see(/ {2}line 4\n\n─/)
      talk.press('M-y')
      await talk.see(/ {2}line 5\n\n─/)
      talk.press('Enter')
      await talk.see('Lines.')
      const messages = JSON.stringify(talk.server.requests[0]?.request?.messages)
      expect(messages).toContain(String.raw`line 0\nline 1\nline 2\nline 3\nline 5`)
    })

    test('Ctrl-L moves what is seen out of sight, and Ctrl-Z goes to the background and back', async () => {
      await using talk = await TmuxTalk.begin({ columns: 80, rows: 24, lines: [line('Seen.'), line('Again.')] })
      talk.start()
      await talk.see(rest)
      talk.say('Say it')
      await talk.see(new RegExp(`Seen\\.[^]*${rest.source}`))
      talk.type('a draft')
      talk.press('C-l')
      await talk.see((screen) => !screen.includes('Seen.') && input('a draft').test(`\n${screen}`), 'visible')
      expect(talk.screen()).toContain('Seen.')
      talk.press('C-z')
      await talk.see(/Stopped[^]*\n\$$/)
      talk.say('echo in""between; fg')
      await talk.see(new RegExp(`inbetween\\n[^]*${input('a draft').source}`))
      talk.press('C-u')
      talk.say('And again')
      await talk.see(new RegExp(`Again\\.[^]*${rest.source}`))
    })

    test('Down comes forward again, and a key of the settings does only what it is set to', async () => {
      await using talk = await TmuxTalk.begin({ columns: 100, lines: [line('One.'), line('Two.')] })
      mkdirSync(talk.workspace.path('config'), { recursive: true })
      const keys = { 'loader.history': 'ctrl+t', 'loader.thinking': 'alt+t' }
      writeFileSync(talk.workspace.path('config/settings.json'), JSON.stringify({ keys }))
      talk.start()
      await talk.see(rest)
      for (const [task, answer] of [
        ['First', 'One.'],
        ['Second', 'Two.'],
      ]) {
        talk.say(task ?? '')
        await talk.see(new RegExp(`${answer}[^]*${rest.source}`))
      }
      talk.press('Up', 'Up')
      await talk.see(input('First'))
      talk.press('Down')
      await talk.see(input('Second'))
      talk.press('Down')
      await talk.see(rest)
      talk.press('C-t')
      await talk.see('─ What was said before ─')
      talk.press('Escape')
      await talk.see(/ \| thinking auto \| [^\n]+$/)
      talk.press('M-t')
      expect(await talk.see(/ \| thinking off \| [^\n]+$/)).not.toContain('What was said before')
    })

    test('Shift-Tab takes the modes in turn for the next task', async () => {
      await using talk = await TmuxTalk.begin({ columns: 100, lines: [] })
      talk.start()
      await talk.see(rest)
      talk.press('BTab', 'BTab')
      await talk.see(/\n[^\n]*next: plan \|[^\n]*$/)
      talk.press('BTab', 'BTab', 'BTab', 'BTab')
      expect(await talk.see((screen) => !screen.includes('next:'))).toMatch(rest)
    })
  },
)

describe.skipIf(!hasTmux || !fromCi)(
  `choosing in a real terminal${hasTmux ? '' : ' (skipped: tmux is not installed)'}`,
  () => {
    test('/resume lists sessions, searches in what was said, and goes on with the chosen one', async () => {
      const lines = [line('The capital is Tegucigalpa.'), line('Something else.'), line('Still here.')]
      await using talk = await TmuxTalk.begin({ columns: 100, lines })
      talk.start()
      await talk.see(rest)
      talk.say('What is the capital of Honduras?')
      await talk.see('Tegucigalpa.')
      talk.say('/clear')
      await talk.see('A fresh session.')
      talk.say('Write a poem')
      await talk.see('Something else.')
      talk.say('/clear')
      await talk.see(/A fresh session[^]*A fresh session/)
      talk.say('/resume')
      await talk.see(/─ Sessions of this project ─+\n>\n→ Write a poem +[^\n]*1 turn[^\n]*\n {2}What is the capital/)
      talk.type('gucigal')
      await talk.see(/> gucigal\n→ What is the capital of Honduras\?[^\n]*\n─/)
      talk.press('Enter')
      await talk.see(/> What is the capital of Honduras\?/)
      talk.say('And now?')
      await talk.see('Still here.')
      expect(JSON.stringify(talk.server.requests[2]?.request?.messages)).toContain('Tegucigalpa')
    })

    test('Esc Esc shows the turns with what going back would change, and goes back to before the chosen one', async () => {
      const write = (text: string) => call('write', { file_path: 'notes.txt', content: text })
      const lines = [
        line('I write.', write('one\n')),
        line('Written.'),
        line('I write.', write('two\n')),
        line('Again.'),
      ]
      await using talk = await TmuxTalk.begin({ columns: 100, lines })
      talk.start('--permission-mode', 'workspace-write')
      await talk.see(rest)
      talk.say('Write one')
      await talk.see(new RegExp(`■ finished[^]*${rest.source}`))
      talk.say('Write two')
      await talk.see(new RegExp(`■ finished[^]*■ finished[^]*${rest.source}`))
      talk.press('Escape')
      await passed(60)
      talk.press('Escape')
      await talk.see(
        /─ Go back to before ─+\n>\n→ Write two +1 file would change\n {2}Write one +1 file would change\n/,
      )
      talk.press('Down', 'Enter')
      await talk.see('y does it; anything else leaves it.')
      talk.say('y')
      await talk.see(input('Write one'))
      expect(talk.screen()).toContain('notes.txt')
    })

    test('/model says so if there is no other', async () => {
      await using talk = await TmuxTalk.begin({ columns: 100, lines: [] })
      talk.start()
      await talk.see(rest)
      talk.say('/model')
      const screen = await talk.see('No other model was found.')
      expect(screen).toContain('The model is ollama/scripted.')
    })
  },
)
