import { callsOf, excerptOf, type Message, shownText, textOf } from '@loader/session-core'
import { partsOf } from './answer.ts'
import type { ScriptLine } from './script.ts'

/** The beginning of a line, to find it in the script. */
export function describeLine(line: ScriptLine): string {
  if (typeof line === 'function') return line.name === '' ? 'a function' : `the function ${line.name}`
  const said = partsOf(line).flatMap((part) => {
    if (part.type === 'text') return quote(part.text)
    return part.type === 'call' ? `${part.call.name}(${excerptOf(JSON.stringify(part.call.input ?? {}), 40)})` : []
  })
  return [...said, ...(line.fault ? [`fault ${line.fault.type}`] : [])].join(', ') || 'an empty answer'
}

/** The author and text of a message, to see where a loop left the script. */
export function describeMessage(message: Message): string {
  const calls = callsOf(message.content).map(({ name }) => `a call of ${name}`)
  const results = message.content.flatMap((part) =>
    part.type === 'result' ? [`the result of ${part.name} (${part.outcome}): ${quote(shownText(part.text))}`] : [],
  )
  const text = textOf(message.content)
  const said = [...(text === '' ? [] : [quote(text)]), ...calls, ...results].join(', ') || 'nothing'
  return message.role === 'tool' ? said : `a message of the ${message.role}: ${said}`
}

function quote(text: string): string {
  return JSON.stringify(excerptOf(text, 60))
}
