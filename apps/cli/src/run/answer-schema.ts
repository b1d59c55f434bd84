import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import * as z from 'zod'
import { UsageError } from '../arguments/usage-error.ts'
import { errorText } from '../console/error-text.ts'
import { readJsonText } from '../settings/json-text.ts'

/** What --output-schema demands of the answer. */
export interface AnswerSchema {
  /** The words that tell the model about it. They are no part of the task, whose words decide how it is gone about. */
  readonly demand: string
  readonly instructions: { readonly path: string; readonly text: string }
  check(answer: string): CheckedAnswer
}

type CheckedAnswer =
  /** The JSON alone, as the model wrote it. */
  { readonly ok: true; readonly json: string } | { readonly ok: false; readonly why: string }

/** Reads the schema before anything else happens, so that one that cannot be used costs nothing. */
export function answerSchemaFrom(file: string, folder: string): AnswerSchema {
  const text = textOf(resolve(folder, file), file)
  const json = readJsonText(text)
  if (!json.ok) throw refused(`${file}:${json.line}: this is not JSON: ${json.reason}`)
  const schema = zodSchemaOf(json.value, file)
  const demand = `Your last answer must be JSON, and nothing else, that matches this JSON schema:\n${text.trim()}`
  return {
    demand,
    instructions: { path: 'Answer', text: demand },
    check: (answer) => checked(answer, schema),
  }
}

function textOf(path: string, file: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw refused(`${file} cannot be read: ${errorText(error)}`)
  }
}

function zodSchemaOf(value: unknown, file: string): z.ZodType {
  const schema = z.union([z.boolean(), z.looseObject({})]).safeParse(value)
  if (!schema.success) throw refused(`${file} is not a JSON schema: it is neither an object nor true or false`)
  try {
    return z.fromJSONSchema(schema.data)
  } catch (error) {
    throw refused(`${file} is a JSON schema that cannot be checked: ${errorText(error)}`)
  }
}

function checked(answer: string, schema: z.ZodType): CheckedAnswer {
  const json = jsonIn(answer)
  const read = readJsonText(json)
  if (!read.ok) return { ok: false, why: `it is not JSON: ${read.reason} (line ${read.line})` }
  const result = schema.safeParse(read.value)
  if (result.success) return { ok: true, json }
  const issues = result.error.issues.slice(0, mostIssues).map(({ path, message }) => {
    return `${path.length === 0 ? 'the answer' : path.map(String).join('.')}: ${message}`
  })
  return { ok: false, why: issues.join('; ') }
}

const mostIssues = 5

/** Models like to put JSON into a block of code, even when they are told not to. */
function jsonIn(answer: string): string {
  const [, inner] = /^\s*```(?:json)?\s*\n([^]*?)\n\s*```\s*$/.exec(answer) ?? []
  return (inner ?? answer).trim()
}

function refused(why: string): UsageError {
  return new UsageError(`--output-schema: ${why}.`, '')
}
