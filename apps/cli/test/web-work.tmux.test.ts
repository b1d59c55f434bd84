import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { call, line } from '@loader/test-harness'
import { openBrowser, whyNoBrowser } from '@loader/test-browser'
import { fromCi } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { builtLoader } from './e2e/stage/built-loader.ts'
import { hasTmux, TmuxTalk } from './interactive/stage/tmux-talk.ts'
import { stateFolderOf } from './written/store-in.ts'

const skipped = hasTmux ? whyNoBrowser : 'tmux is not installed'
const patience = { timeout: 60_000 }

describe.runIf(skipped === undefined && fromCi)(
  `a terminal and a phone${skipped === undefined ? '' : ` (${skipped})`}`,
  { timeout: 180_000 },
  () => {
    test('show the same question; the phone answers, the terminal says who did and goes on, and the other way round', async () => {
      const write = (name: string) => line(`I write ${name}.`, call('write', { file_path: name, content: 'text\n' }))
      await using talk = await TmuxTalk.begin({
        columns: 80,
        lines: [write('one.txt'), write('two.txt'), line('Both are there.')],
      })
      talk.start('--permission-mode', 'prompt')
      await talk.see('\n>\n')
      talk.say('Create two files')
      await talk.see('── y/s/a/n ─')
      using web = await servedFor(talk)
      await using browser = await openBrowser()
      const context = await browser.newContext({
        viewport: { width: 375, height: 740 },
        hasTouch: true,
        isMobile: true,
        reducedMotion: 'reduce',
      })
      const phone = await context.newPage()
      await phone.goto(web.address)
      await phone.getByText('waits for you').waitFor(patience)
      await phone.locator('.session-row').tap()
      await phone.locator('.question.still').getByText('one.txt').first().waitFor(patience)
      const buttons = await phone
        .locator('.question-choices button')
        .evaluateAll((all) =>
          (all as { getBoundingClientRect(): { height: number } }[]).map((one) => one.getBoundingClientRect().height),
        )
      expect(Math.min(...buttons)).toBeGreaterThanOrEqual(44)
      await phone.screenshot({
        path: process.env['LOADER_PICTURES'] ? `${process.env['LOADER_PICTURES']}/phone.png` : '/dev/null',
        type: 'png',
      })
      await phone.getByRole('button', { name: 'yes, this once' }).tap()
      await phone.getByText('Allowed, this once by you, here.').waitFor(patience)
      const screen = await talk.see(/two\.txt[^]*── y\/s\/a\/n ─/)
      expect(screen).toContain('in the browser: allowed, this once')

      await phone.locator('.question.still').getByText('two.txt').first().waitFor(patience)
      talk.say('y')
      await phone.getByText('Allowed, this once at a terminal.').waitFor(patience)
      await phone.getByText('Both are there.').waitFor(patience)
      await talk.see('Both are there.')
      const [row] = (await talk.store.list()).rows
      const answers = []
      for await (const event of talk.store.read(row?.id ?? ''))
        if (event.type === 'question.answered') answers.push(event)
      expect(answers).toMatchObject([{ permit: 'allow', via: { from: 'browser' } }, { permit: 'allow' }])
      expect(answers[1]).not.toHaveProperty('via')
      talk.press('C-d')
    })
  },
)

/** `loader web` over the sessions of that terminal. */
async function servedFor(talk: TmuxTalk) {
  const root = talk.workspace.root
  const child = spawn(process.execPath, [builtLoader(), 'web', '--port', '0'], {
    cwd: root,
    env: {
      ...process.env,
      LOADER_STATE: stateFolderOf(root),
      LOADER_CONFIG_DIR: talk.workspace.path('config'),
      LOADER_MODEL: 'ollama/scripted',
      LOADER_WALLS: 'off',
      OLLAMA_HOST: talk.server.url,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })
  const { value: address = '' } = (await lines[Symbol.asyncIterator]().next()) as { value?: string }
  return { address, [Symbol.dispose]: () => void child.kill('SIGKILL') }
}
