import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { call, line } from '@loader/test-harness'
import { fromCi } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { hasTmux, TmuxTalk } from './interactive/stage/tmux-talk.ts'
import { png } from './written/picture.ts'

const rest = /\n─+\n>\n─+\n(?:execute|verify|ready|plan) \| [^\n]+$/
const input = (text: string) => new RegExp(String.raw`\n─+\n> ${text}\n─+\n[^\n]+$`)

describe.skipIf(!hasTmux || !fromCi)(`a daily user${hasTmux ? '' : ' (skipped: tmux is not installed)'}`, () => {
  test('begins with nothing configured and comes back the next day: two choices, no file edited, no id typed', async () => {
    const write = call('write', { file_path: 'hello.txt', content: 'hello\n' })
    const lines = [
      line('Now.', write),
      line('hello.txt is written.'),
      { ...line('Still here.'), repeat: 'any' } as const,
    ]
    await using talk = await TmuxTalk.begin({ columns: 80, lines })
    const typed: string[] = []
    const choices: string[] = []
    const say = (text: string) => {
      typed.push(text)
      talk.say(text)
    }
    talk.startBare()
    await talk.see(/─ Which model\? It is kept for the next time ─+\n>\n→ ollama\/scripted +Ollama\n─/)
    choices.push('the model')
    talk.press('Enter')
    await talk.see(rest)
    say('Create hello.txt, please')
    await talk.see(new RegExp(`hello\\.txt is written\\.\\n[^]*■ finished[^]*${rest.source}`))
    expect(readFileSync(talk.workspace.path('hello.txt'), 'utf8')).toBe('hello\n')
    talk.press('C-d')
    const farewell = await talk.see(/Go on later with: loader -r ses_\w+\n\$$/)

    talk.startBare('-c')
    const next = await talk.see(new RegExp(`> Create hello\\.txt, please[^]*${rest.source}`))
    expect(next).not.toContain('No model was chosen')
    say('Thanks!')
    await talk.see(new RegExp(`> Thanks!\\n[^]*Still here\\.[^]*${rest.source}`))
    talk.press('C-d')
    await talk.see(/Go on later with: loader -r ses_\w+\n\$$/)
    expect(choices.length).toBeLessThanOrEqual(2)
    expect(typed.join('\n')).not.toMatch(/ses_/)
    expect(readdirSync(talk.workspace.path('config'))).toEqual(['settings.json'])
    expect(existsSync(talk.workspace.path('.loader'))).toBe(false)

    // What the farewell says works as it stands.
    talk.startBare(...(/loader (-r ses_\w+)/.exec(farewell)?.[1] ?? '').split(' '))
    await talk.see(new RegExp(`> Thanks!\\n[^]*Still here\\.[^]*${rest.source}`))
  })

  test('sees how much the model thinks, changes it with a key, and finds thoughts above the answer', async () => {
    const lines = [{ ...line('Done.'), reasoning: 'I weigh it.' }, line('Again.')]
    await using talk = await TmuxTalk.begin({ columns: 100, lines })
    talk.start()
    await talk.see(/ \| thinking auto \| [^\n]+$/)
    talk.press('C-t', 'C-t', 'C-t')
    await talk.see(/ \| thinking medium \| [^\n]+$/)
    talk.say('/thinking low')
    await talk.see(/Thinking is low, from the next task on\.[^]* \| thinking low \| [^\n]+$/)
    talk.say('Go')
    await talk.see(new RegExp(`> Go\\n[^]*~ I weigh it\\.\\nDone\\.[^]*${rest.source}`))
    talk.press('C-d')
    await talk.see(/\$$/)
    talk.start('-c')
    expect(await talk.see(/~ I weigh it\.\nDone\.[^]* \| thinking low \| [^\n]+$/)).toContain('> Go')
  })

  test('searches by -r in what was said, and sees where it was found', async () => {
    const lines = [line('The capital is Tegucigalpa, in the highlands.'), line('A poem.')]
    await using talk = await TmuxTalk.begin({ columns: 100, lines })
    for (const task of ['Name a capital', 'Write a poem about Tegucigalpa']) {
      talk.start(task)
      await talk.see(new RegExp(`■ [^]*${rest.source}`))
      talk.press('C-d')
      await talk.see(/Go on later[^\n]*\n\$$/)
    }
    talk.start('-r')
    await talk.see('─ Sessions of this project ─')
    // By its title first, and then by what was said in it.
    talk.type('tegucigalpa')
    await talk.see(
      /> tegucigalpa\n→ Write a poem[^\n]+\n {2}Name a capital +[^\n]*The capital is Tegucigalpa, in the[^\n]*\n─/,
    )
    talk.press('Down', 'Enter')
    const screen = await talk.see(new RegExp(`> Name a capital\\n[^]*${rest.source}`))
    expect(screen).not.toContain('Sessions of this project')
  })

  test('names an image in a task: the model sees it, and a line or a picture stands below the words', async () => {
    const lines = [line('Noise.'), line('Still noise.'), line('I cannot see.')]
    await using talk = await TmuxTalk.begin({ columns: 80, lines })
    const shot = png(90, 90, 1)
    writeFileSync(talk.workspace.path('my shot.png'), shot)
    talk.start('--config', 'images=true')
    await talk.see(rest)
    talk.type('What is @shot')
    await talk.see(/→ my shot\.png\n/)
    talk.press('Tab')
    await talk.see(input(String.raw`What is @"my shot\.png"`))
    talk.press('Enter')
    await talk.see(/> What is @"my shot\.png"\n {2}my shot\.png: image\/png, 90 x 90 pixels, [\d.]+ kB\n[^]*Noise\./)
    expect(JSON.stringify(talk.server.requests[0]?.body)).toContain(shot.toString('base64'))
    talk.press('C-d')
    await talk.see(/\$$/)
    // Where the terminal takes pictures, there is one, and what follows stands below it.
    const written = talk.workspace.path('written')
    talk.say('export PI_IMAGE_PROTOCOL=kitty')
    talk.record(written)
    talk.start('-c', '--config', 'images=true')
    // A path as a terminal pastes it, when a file is dropped there.
    await talk.see(new RegExp(`${String.raw`my shot\.png: image/png, 90 x 90 pixels`}[^]*${rest.source}`))
    talk.paste(`${talk.workspace.path('my\\ shot.png')} again`)
    talk.press('Enter')
    await talk.see(/again\n\n+ {2}my shot\.png: image\/png[^]*Still noise\./)
    expect(readFileSync(written, 'latin1').split('\x1b_Ga=T,f=100')).toHaveLength(2)
    talk.press('C-d')
    await talk.see(/\$$/)
    // A model that sees nothing is told the path.
    talk.start('--config', 'images=false')
    await talk.see(rest)
    talk.say('What is @"my shot.png"?')
    await talk.see(/my shot\.png[^]*cannot see images[^]*I cannot see\./)
    expect(talk.faults()).toEqual([])
  })

  test.each([
    ['#ffffff', 124],
    ['#1e1e1e', 210],
  ])('has colours that fit the background %s, as the terminal tells it', async (background, red) => {
    const lines = [line('I run it.', call('bash', { command: 'false' })), line('It failed.')]
    await using talk = await TmuxTalk.begin({ columns: 80, lines })
    talk.colours(`bg=${background}`)
    talk.start()
    await talk.see(rest)
    talk.say('Run it')
    await talk.see(new RegExp(`It failed\\.[^]*${rest.source}`))
    expect(talk.screen('all', 'coloured')).toContain(`\x1b[38;5;${red}m✗`)
    talk.press('C-d')
    await talk.see(/\$$/)
    mkdirSync(talk.workspace.path('config'), { recursive: true })
    writeFileSync(talk.workspace.path('config/settings.json'), '{ "theme": "none" }')
    talk.start('-c')
    await talk.see(new RegExp(`It failed\\.[^]*${rest.source}`))
    const screen = talk.screen('visible', 'coloured')
    expect(screen.slice(screen.lastIndexOf('loader |'))).not.toContain('\x1b[38')
  })

  test('goes on where kill -9 left the terminal: what is typed is seen, and the next start is whole', async () => {
    const endless = { chunks: 'word', fault: { type: 'drip', delayMs: 15 } } as const
    const lines = [{ ...line('word '.repeat(2_000)), ...endless }, line('After it.')]
    await using talk = await TmuxTalk.begin({ columns: 80, lines })
    talk.start()
    await talk.see(rest)
    talk.say('Tell me')
    await talk.see('word word')
    talk.kill()
    await talk.see('Killed')
    // What was drawn last stands there until it is cleared; keys and lines work as ever.
    talk.say('clear; echo se""en')
    await talk.see(/^seen\n\$$/)
    talk.start('-c')
    await talk.see(new RegExp(`> Tell me\\n[^]*A turn was cut off\\.[^]*${rest.source}`))
    talk.press('Enter')
    await talk.see(new RegExp(`After it\\.\\n[^]*${rest.source}`))
    talk.press('C-d')
    await talk.see(/Go on later with: loader -r ses_\w+\n\$$/)
    talk.say('stty -a | grep -o -w -e icanon -e echo')
    await talk.see(/\nicanon\necho\n\$$/)
    expect(talk.faults()).toEqual([])
  })
})
