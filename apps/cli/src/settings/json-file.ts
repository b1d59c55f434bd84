import { LoaderError } from '@loader/session-core'
import type * as z from 'zod'
import { readJsonText } from './json-text.ts'
import { textOfFile } from './text-of-file.ts'

/** Reads a file of settings with a schema; undefined if it does not exist. Errors name file, line and key. */
export function readJsonFile<Schema extends z.ZodType>(file: string, schema: Schema): z.infer<Schema> | undefined {
  const text = textOfFile(file)
  if (text === undefined) return undefined
  const json = readJsonText(text)
  if (!json.ok) throw invalid(`${file}:${json.line}: this is not JSON: ${json.reason}. Mend the file.`)
  const result = schema.safeParse(json.value)
  if (result.success) return result.data
  const { path, why } = firstIssue(result.error)
  const key = path.map(String).join('.')
  throw invalid(`${file}:${json.lineOf(path)}: ${key === '' ? 'the file' : key}: ${why}. Mend the file.`)
}

interface Wrong {
  readonly path: PropertyKey[]
  readonly why: string
  readonly isUnknown: boolean
}

/** The first problem, with its key. */
export function firstIssue({ issues: [issue] }: Pick<z.ZodError, 'issues'>): Wrong {
  if (issue === undefined) return { path: [], why: 'not valid', isUnknown: false }
  const { path } = issue
  if (issue.code === 'unrecognized_keys')
    return { path: [...path, ...issue.keys.slice(0, 1)], why: 'not known', isUnknown: true }
  const meant = issue.code === 'invalid_union' ? meantOf(issue.errors) : undefined
  return meant === undefined
    ? { path, why: issue.message, isUnknown: false }
    : { ...meant, path: [...path, ...meant.path] }
}

/** Of what a value could be, that which it came nearest to: its problem lies deepest. */
function meantOf(choices: readonly z.core.$ZodIssue[][]): Wrong | undefined {
  const [first, ...others] = choices.map((issues) => firstIssue({ issues }))
  return others.reduce((best, each) => (best === undefined || each.path.length > best.path.length ? each : best), first)
}

function invalid(message: string): LoaderError {
  return new LoaderError('invalid_config', message)
}
