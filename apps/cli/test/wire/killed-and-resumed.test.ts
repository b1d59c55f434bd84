import { fromCi, sample, tier } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { type Death, deathsIn } from './stage/deaths.ts'
import { doneWhen, files, filesWhenDone, lines, task } from './stage/errand.ts'
import { eventsOf, faultsIn } from './stage/faults.ts'
import { type Protocol, protocols } from './stage/protocols.ts'
import { Stage } from './stage/stage.ts'

/** Where each protocol is tried in the quick tier; the others die everywhere in every one of them. */
const usual: Readonly<Record<Protocol, string>> = {
  'openai-compatible': 'in the middle of a text, of which some is stored',
  openai: 'while a command runs',
  responses: 'in the middle of a call',
  google: 'in the middle of a text, of which some is stored',
  anthropic: 'in the middle of a call',
  ollama: 'when a file was written, and nothing tells of it',
}

const all = protocols.map((protocol) => ({ protocol, deaths: deathsOf(protocol) }))

function deathsOf(protocol: Protocol): readonly Death[] {
  const deaths = deathsIn(protocol)
  if (tier !== 'quick') return deaths
  const death = deaths.find(({ name }) => name === usual[protocol])
  if (death === undefined) throw new Error(`Nobody dies ${usual[protocol]}.`)
  return [death]
}

describe.concurrent.each(sample(all, { quick: 1, ci: 2 }))('a task over $protocol', ({ protocol, deaths }) => {
  const job = { protocol, task, doneWhen, config: { permissionMode: 'allow' as const } }

  test.runIf(fromCi)('comes to its end in one life', async () => {
    await using stage = await Stage.set({ lines }, { files })
    expect(await stage.live(job)).toEqual({ code: 0, signal: null, stderr: '' })
    expect(await faultsIn(stage)).toEqual([])
    expect(await stage.files()).toEqual(filesWhenDone)
    expect((await stage.session()).state.lastTurn).toMatchObject({ reason: 'turn_complete', verdict: 'verified' })
    expect(stage.server.requests).toHaveLength(4)
  })

  test.runIf(fromCi).each(sample(deaths, { quick: 1, ci: 5 }))(
    'comes to the same end when its process is killed $name',
    async (death) => {
      await using stage = await Stage.set({ lines }, { files, death })
      const first = await stage.live({ ...job, ...(death.by === 'itself' && { killAt: death.at }) })
      expect(first).toEqual({ code: null, signal: 'SIGKILL', stderr: '' })
      expect(await stage.live(job)).toEqual({ code: 0, signal: null, stderr: '' })
      expect(await faultsIn(stage)).toEqual([])
      expect(await stage.files()).toEqual(filesWhenDone)
      const { state, history } = await stage.session()
      // What a command did that was cut off is not known, and no answer of the model makes it known.
      const isUnknown = eventsOf(history, 'tool.finished').some(({ outcome }) => outcome === 'unknown')
      expect(isUnknown).toBe(death.name.includes('a command'))
      expect(state.lastTurn).toMatchObject({ reason: 'turn_complete', verdict: isUnknown ? 'unverified' : 'verified' })
      expect(eventsOf(history, 'session.claimed').map(({ epoch }) => epoch)).toEqual([1, 2])
      // What was cut off is asked for once more, and what was lost of the work is done once more.
      expect(stage.server.requests.length).toBeLessThanOrEqual(6)
    },
  )
})
