import type { RunEnd } from '../output/printer.ts'
import type { AnswerSchema } from './answer-schema.ts'

type Finished = Extract<RunEnd, { kind: 'finished' }>

/**
 * Holds the answer to the schema. One that does not match is asked for once more, by a question that can only look. If
 * that answer does not match either, the run is not verified.
 */
export async function inSchema(
  end: Finished,
  schema: AnswerSchema,
  ask: (question: string) => Promise<Finished>,
): Promise<Finished> {
  if (end.result.reason !== 'turn_complete') return end
  const first = schema.check(end.result.response)
  if (first.ok) return withAnswer(end, first.json)
  const again = await ask(
    `Your last answer does not match the JSON schema: ${first.why}.\nAnswer again. ${schema.demand}`,
  )
  if (again.result.reason !== 'turn_complete') return again
  const second = schema.check(again.result.response)
  if (second.ok) return withAnswer(end, second.json)
  const why = `The answer does not match the schema of --output-schema: ${second.why}.`
  return { ...end, code: end.code === 'ok' ? 'unverified' : end.code, why }
}

/** The result of the work, with the JSON as its whole text: what checks showed is in the events. */
function withAnswer(end: Finished, json: string): Finished {
  return { ...end, result: { ...end.result, response: json, text: json } }
}
