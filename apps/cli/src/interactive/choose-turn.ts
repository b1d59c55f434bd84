import type { RewindResult, RuntimeHandle } from '@loader/agent'
import { LoaderError } from '@loader/session-core'
import { counted, inOneLine } from '@loader/readings'
import type { Choice } from './choosing.ts'

/** Each is looked at for what it would change, which takes a moment. */
const mostTurns = 12

/** The turns that can be taken back, the last first, each with what would change in files. */
export async function turnChoices(agent: RuntimeHandle): Promise<Choice<number>[]> {
  const choices: Choice<number>[] = []
  for (let toTurn = 1; toTurn <= mostTurns; toTurn += 1) {
    const foreseen = await preview(agent, toTurn)
    if (foreseen === undefined) return choices
    choices.push({ label: inOneLine(foreseen.input) || '(nothing said)', detail: changeIn(foreseen), value: toTurn })
  }
  return choices
}

/** Undefined if there are not so many turns. */
async function preview(agent: RuntimeHandle, toTurn: number): Promise<RewindResult | undefined> {
  try {
    return await agent.rewind({ toTurn, files: true, preview: true })
  } catch (error) {
    if (LoaderError.is(error, 'unsupported')) return agent.rewind({ toTurn, preview: true })
    if (LoaderError.is(error)) return undefined
    throw error
  }
}

function changeIn({ files, unseen }: RewindResult): string {
  const restored = files.filter(({ outcome }) => outcome === 'restored').length
  const told = restored === 0 ? 'no file changes' : `${counted(restored, 'file')} would change`
  return unseen.length === 0 ? told : `${told}, some unknown`
}
