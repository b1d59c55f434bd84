import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { needing } from '@loader/test-tier'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { BackgroundCommands } from '../src/background/background-commands.ts'
import { signalExactly } from '../src/background/keeper.ts'
import { OutputFile, readOutput } from '../src/background/output-file.ts'
import { standingOf } from '../src/background/record.ts'
import { isThere, markOf, ownMark } from '../src/processes/process-mark.ts'
import { wallsAround } from '../src/walls/walls-around.ts'
import { noWalls } from './walls/here.ts'

let base: string

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'background-')))
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

describe('the output of a background command', () => {
  test('is read from any place to its end, whatever it was written in', () => {
    const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 40 }), { maxLength: 30 })
    let count = 0
    fc.assert(
      fc.property(texts, fc.integer({ min: 4, max: 50 }), (all, most) => {
        const folder = join(base, String((count += 1)))
        mkdirSync(folder)
        const output = new OutputFile(folder)
        for (const text of all) output.add(text)
        output.end()
        let read = ''
        let from = 0
        for (let part = readOutput(folder, 0, most); part.next > from; part = readOutput(folder, from, most)) {
          read += part.text
          from = part.next
        }
        expect(read).toBe(Buffer.from(all.join('')).toString())
      }),
      { numRuns: 60 },
    )
  })

  test('stays below a size: its beginning and its end are kept, and what is missing is said', () => {
    const output = new OutputFile(base)
    const line = `${'x'.repeat(1023)}\n`
    for (let index = 0; index < 20 * 1024; index += 1) output.add(index === 0 ? `first${line}` : line)
    output.add('last')
    output.end()
    const sizes = readdirSync(base).map((name) => statSync(join(base, name)).size)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(9 * 1024 * 1024)
    expect(readOutput(base, 0, 10).text).toBe('firstxxxxx')
    expect(readOutput(base, -4, 100)).toMatchObject({ text: 'last', total: output.bytes, cut: 0 })
    const { from, cut } = readOutput(base, 2 * 1024 * 1024, 100)
    expect([cut > 0, from - cut]).toEqual([true, 2 * 1024 * 1024])
  })
})

describe('a process that was written down', () => {
  const record = {
    id: 'bg1',
    session: 's',
    root: '/',
    command: 'x',
    cwd: '/',
    reach: 'work',
    keeps: false,
    startedAt: '',
  } as const

  test('is another one when its number, its start or the boot differs, and gets no signal', async () => {
    const child = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' })
    await once(child, 'spawn')
    const mark = markOf(child.pid ?? 0) ?? ''
    const [pid, start, space, boot] = mark.split('-')
    const others = [
      `${pid}-${Number(start) + 1}-${space}-${boot}`,
      `${pid}-${start}-${space}-00000000`,
      `1-${start}-${space}-${boot}`,
      '0-0-0-0',
      '',
    ]
    for (const other of others) {
      expect(isThere(other)).toBe(false)
      expect(signalExactly(other, 'SIGKILL', 'process')).toBe(false)
    }
    expect(child.exitCode).toBeNull()
    expect(signalExactly(mark, 'SIGKILL', 'group')).toBe(true)
    await once(child, 'exit')
    expect(signalExactly(mark, 'SIGKILL', 'group')).toBe(false)
    expect(standingOf({ ...record, owner: mark, leader: mark })).toBe('gone')
    expect(standingOf({ ...record, owner: ownMark(), leader: mark })).toBe('goes_on')
  })
})

describe.runIf(noWalls === undefined)(needing(noWalls, 'a background command in walls'), () => {
  const cap = { headBytes: 4000, tailBytes: 4000 }

  test('reaches what its reach allows, and no more, and so do those that share its loopback', async () => {
    const root = join(base, 'project')
    for (const folder of [root, join(root, '.git'), join(root, 'node_modules/a')])
      mkdirSync(folder, { recursive: true })
    writeFileSync(join(root, 'node_modules/a/index.js'), '')
    const around = { root, scratch: join(base, 'scratch') }
    const walls = wallsAround(around)
    const background = new BackgroundCommands({ walls, around })
    const server = createServer((_asked, answer) => answer.end('SERVICE OF THE MACHINE')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const ask = (at: number) =>
      `node -e "fetch('http://127.0.0.1:${at}').then((a) => a.text()).then(console.log, () => console.log('refused ${at}'))"`
    const serve = `node -e "require('http').createServer((a, b) => b.end('of the session')).listen(4173, '127.0.0.1')"`
    const writes = `touch .envrc node_modules/a/own; touch ${base}/outside /usr/outside 2>/dev/null`
    try {
      const started = await background.start({
        sessionId: 's',
        command: `${ask(port)}; ${writes}; echo begun; exec ${serve}`,
        cwd: root,
        reach: 'work',
      })
      expect(started).toEqual({ id: 'bg1' })
      await vi.waitFor(() => expect(background.ports('s')).toMatchObject([{ port: 4173, on: 'session' }]), 30_000)
      const printed = background.output('s', 'bg1', 0, 1000)?.text
      expect(printed).toContain(`refused ${port}`)
      // What lies there is a /tmp of its own.
      expect([existsSync(join(base, 'outside')), existsSync('/usr/outside')]).toEqual([false, false])

      const command = `${ask(4173)}; ${ask(port)}; ls node_modules/a`
      const later = await walls.run({ command, cwd: root, timeoutMs: 30_000, cap }, 'work', 's')
      expect(later.output.text()).toContain('of the session')
      expect(later.output.text()).toContain(`refused ${port}`)
      // What it made at a guarded path does not stay until it ends, and its changes to packages are its own.
      expect(later.setAside).toMatchObject([{ path: join(root, '.envrc'), became: 'kept' }])
      expect(later.output.text()).not.toContain('own')
      expect(existsSync(join(root, 'node_modules/a/own'))).toBe(false)

      // Another session has a loopback of its own, and so has a command with the network: that of the machine.
      const other = await walls.run({ command: ask(4173), cwd: root, timeoutMs: 30_000, cap }, 'work', 'other')
      expect(other.output.text()).toContain('refused 4173')
      const network = await walls.run({ command: ask(port), cwd: root, timeoutMs: 30_000, cap }, 'network', 's')
      expect(network.output.text()).toContain('SERVICE OF THE MACHINE')

      // This process reaches ports of background commands, and through them nothing else.
      expect(await background.connect('s', port)).toBeUndefined()
      expect(await background.publish('s', port, 0)).toContain('no background command listens')
      const [command1] = background.now('s')
      await background.stop('s', 'bg1')
      expect(isThere(command1?.process ?? '')).toBe(false)
      expect(background.now('s')).toMatchObject([{ ended: { how: 'stopped' }, ports: [] }])
      // Its output is kept.
      expect(background.output('s', 'bg1', 0, 1000)?.text).toContain('begun')
      expect(readFileSync(join(root, 'node_modules/a/index.js'), 'utf8')).toBe('')
    } finally {
      await background.close('s')
      server.close()
      await walls.forget('s')
      await walls.forget('other')
    }
  })

  test('is told what was set aside while it went on, and when it ended', async () => {
    const root = join(base, 'project')
    mkdirSync(root)
    const around = { root, scratch: join(base, 'scratch') }
    const walls = wallsAround(around)
    const background = new BackgroundCommands({ walls, around })
    const about = { sessionId: 's', cwd: root, reach: 'work' } as const
    const toldOf = (id: string) => background.now('s').find((each) => each.id === id)?.setAside
    const guarded = (name: string) => expect.stringContaining(`${join(root, name)} is guarded`) as string
    try {
      await background.start({ ...about, command: 'while :; do touch .envrc; sleep 0.1; done' })
      await vi.waitFor(() => expect(toldOf('bg1')).toEqual([guarded('.envrc')]), 30_000)
      await background.stop('s', 'bg1')
      await background.start({ ...about, command: 'touch .mcp.json' })
      await vi.waitFor(() => expect(toldOf('bg2')).toEqual([guarded('.mcp.json')]), 30_000)
      expect(toldOf('bg1')).toHaveLength(1)
      expect(readdirSync(root)).toEqual([])
    } finally {
      await background.close('s')
      await walls.forget('s')
    }
  })
})
