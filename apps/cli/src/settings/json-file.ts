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

/** The first problem, with its key. */
export function firstIssue({ issues: [issue] }: z.ZodError): { readonly path: PropertyKey[]; readonly why: string } {
  if (issue === undefined) return { path: [], why: 'not valid' }
  if (issue.code === 'unrecognized_keys') return { path: [...issue.path, ...issue.keys.slice(0, 1)], why: 'not known' }
  return { path: issue.path, why: issue.message }
}

function invalid(message: string): LoaderError {
  return new LoaderError('invalid_config', message)
}
