import { describe, expect, test } from 'vitest'
import { call } from '../../src/index.ts'
import { type WireLine, wireServer } from '../../src/wire.ts'
import { aiSdkTalkers } from './talkers/ai-sdk.ts'
import { anthropicTalkers } from './talkers/anthropic.ts'
import { googleTalkers } from './talkers/google.ts'
import { ollamaTalkers } from './talkers/ollama.ts'
import { openaiTalkers } from './talkers/openai.ts'

const turns = Array.from({ length: 30 }, (_turn, at) => at)

/** Two calls at once, one that fails among them; calls in a row; calls without a word; or no call at all. */
function linesOf(turn: number): readonly WireLine[] {
  const reads = (...paths: readonly string[]) => paths.map((path) => call('read', { path }))
  const ends: WireLine = { reasoning: `Turn ${turn} ends.`, text: `Answer ${turn}.`, chunks: 'word' }
  switch (turn % 4) {
    case 0:
      return [{ reasoning: 'Two.', text: 'I look.', calls: reads(`${turn}.txt`, 'gone.txt'), chunks: 'word' }, ends]
    case 1:
      return [
        { reasoning: 'First.', calls: reads('a.txt') },
        { calls: reads('a.txt', 'b.txt', 'c.txt'), chunks: { arguments: 3 } },
        ends,
      ]
    case 2:
      return [{ text: `Answer ${turn}.` }]
    default:
      return [{ reasoning: 'One.', text: 'I look.', calls: reads('Größe.txt') }, ends]
  }
}

/** What passes when the client asks again. */
const passing: readonly WireLine[] = [
  { fault: { type: 'throw', kind: 'rate_limited', retryAfterMs: 10 } },
  { fault: { type: 'throw', kind: 'overloaded', retryAfterMs: 10 } },
]

const lines = turns.flatMap((turn) => [...(turn === 6 ? passing : []), ...linesOf(turn)])
const talkers = [...openaiTalkers, ...anthropicTalkers, ...googleTalkers, ...ollamaTalkers, ...aiSdkTalkers]

describe.concurrent.each(talkers)('$name', ({ begin }) => {
  test('has a conversation of 30 turns, of which nothing is refused', { timeout: 120_000 }, async () => {
    await using server = await wireServer({ lines })
    const talk = begin(server.url)
    for (const turn of turns) {
      const mode = turn % 2 === 0 ? 'whole' : 'stream'
      const answer = await talk({ text: `Question ${turn}`, image: turn % 5 === 3, mode })
      expect(answer).toContain(`Answer ${turn}.`)
    }
    server.assertDone()
    expect(server.requests.filter(({ status }) => status === 200)).toHaveLength(lines.length - passing.length)
    const last = server.requests.at(-1)?.request
    expect(last?.messages.flatMap(({ calls }) => calls)).toHaveLength(turns.flatMap(callsOf).length)
    expect(last?.messages.flatMap(({ results }) => results)).toHaveLength(turns.flatMap(callsOf).length)
  })
})

function callsOf(turn: number) {
  return linesOf(turn).flatMap(({ calls = [] }) => calls)
}
