import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isSessionEvent, readSession } from '@loader/session-core'
import { call, line } from '@loader/test-harness'
import { type Server, sharedServer } from '@loader/test-postgres'
import { fromCi, needing } from '@loader/test-tier'
import { beforeAll, describe, expect, test } from 'vitest'
import { builtLoader } from '../e2e/stage/built-loader.ts'
import { loaderNode } from '../e2e/stage/stage.ts'
import { hasTmux, TmuxTalk } from '../interactive/stage/tmux-talk.ts'
import { fleetStage } from './fleet-stage.ts'

let server: Server
beforeAll(async () => {
  server = await sharedServer()
})

const rest = /\n─+\n>\n─+\n[^\n]+$/

describe.runIf(fromCi && hasTmux)(needing(!hasTmux && 'tmux is not installed', 'what a worker asks'), () => {
  test(
    'is answered by going on with the session in a terminal, which has its files',
    { timeout: 240_000 },
    async () => {
      await using fleet = await fleetStage(
        server,
        line('I copy.', call('bash', { command: 'cat README > copy.txt' })),
        line('I ask.', call('ask_user', { question: 'Which colour?', options: [{ label: 'red' }, { label: 'blue' }] })),
      )
      // The machine of the terminal has a model of its own.
      await using talk = await TmuxTalk.begin({ columns: 80, lines: [line('It is copied.'), line('It is blue.')] })
      const folder = realpathSync(mkdtempSync(join(tmpdir(), 'terminal-')))
      try {
        const { one, environment, dispatch } = fleet
        one.write('README', 'A project.\n')
        const queue = async (...words: string[]) => {
          const worker = fleet.worker(['--permission-mode', 'prompt'], 'machine-1')
          const following = await one.run(['run', ...words], { environment })
          expect(following).toMatchObject({ code: 4, stderr: expect.stringContaining('loader answer') })
          await expect.poll(async () => (await dispatch.fleet()).sessions[0]?.standing).toBe('waiting')
          worker.process.kill('SIGTERM')
          expect((await worker.ended).code).toBe(0)
        }
        await queue('Copy the README to copy.txt')
        const id = (await fleet.store.list()).rows[0]?.id ?? ''

        // A permission: the call runs here, on the files that the worker had.
        const goOn = `'${loaderNode}' '${builtLoader()}' -m ollama/scripted -r ${id} --store '${fleet.address}'`
        talk.say(`cd '${folder}'; clear; ${goOn}`)
        await talk.see(new RegExp(`A question waits for your answer: may bash run\\?[^]*${rest.source}`))
        talk.press('Enter')
        const asked = await talk.see('── y/s/a/n ─')
        expect(asked).toContain('cat README > copy.txt')
        expect(existsSync(join(folder, 'copy.txt'))).toBe(false)
        talk.say('y')
        await talk.see(new RegExp(`It is copied\\.[^]*■ [^]*${rest.source}`))
        expect(readFileSync(join(folder, 'copy.txt'), 'utf8')).toBe('A project.\n')
        talk.press('C-d')
        await talk.see(/\$$/)
        expect((await dispatch.fleet()).sessions.map(({ standing }) => standing)).not.toContain('parked')

        // A question, of a worker that has what was done here.
        await queue('-r', id, 'Write the colour to colour.txt')
        expect(existsSync(join(fleet.folderOn('machine-1'), '..', id, 'copy.txt'))).toBe(true)
        talk.say(`clear; ${goOn}`)
        await talk.see(new RegExp(`A question waits for your answer: Which colour\\?[^]*${rest.source}`))
        talk.press('Enter')
        await talk.see(/Which colour\?[^]*Which colour\?[^]*red[^]*blue/)
        talk.say('blue')
        await talk.see(new RegExp(`It is blue\\.[^]*■ [^]*${rest.source}`))
        talk.press('C-d')
        await talk.see(/\$$/)
        const { history, state } = await readSession(fleet.store, id)
        const answers = history.filter(isSessionEvent).filter((event) => event.type === 'question.answered')
        expect(answers).toMatchObject([
          { permit: 'allow', by: 'user' },
          { answer: 'blue', by: 'user' },
        ])
        expect(state.lastTurn?.reason).toBe('turn_complete')
        // Whoever looks next finds nothing to do.
        const last = fleet.worker([], 'machine-2')
        await expect.poll(async () => (await dispatch.fleet()).sessions).toEqual([])
        expect((await readSession(fleet.store, id)).state.lastTurn).toEqual(state.lastTurn)
        last.process.kill('SIGTERM')
        expect((await last.ended).code).toBe(0)
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    },
  )
})
