import { JsonValue, LoaderError } from '@loader/session-core'
import { closest } from '../arguments/closest.ts'
import { UsageError } from '../arguments/usage-error.ts'
import { editFile } from './edit-file.ts'
import { setInJson, unsetInJson } from './json-edit.ts'
import { firstIssue } from './json-file.ts'
import { readJsonText } from './json-text.ts'
import { Settings } from './settings.ts'
import { settingNames } from './shown-settings.ts'

type Path = readonly [string, ...string[]]

/** `limits.maxIterations` is a limit, `providers.groq` a provider, `walls.use` a part of the walls. */
function pathOf(name: string): Path {
  const [first = '', ...rest] = name.split('.')
  return rest.length === 0 ? [first] : [first, rest.join('.')]
}

/** Throws for a name that no setting has. */
export function requireSetting(name: string, command: string): void {
  const [first, inner] = pathOf(name)
  if (settingNames().includes(name)) return
  if (
    (first === 'providers' || first === 'mcpServers' || first === 'walls' || first === 'tools' || first === 'limits') &&
    (inner !== undefined || first !== 'limits')
  )
    return
  const near = closest(name, [...settingNames(), 'providers', 'mcpServers'])
  const hint = near === undefined ? 'See which there are: loader config' : `Did you mean ${near}?`
  throw new UsageError(`There is no setting ${JSON.stringify(name)}. ${hint}`, command)
}

/** Sets a value in a file of settings, given as JSON or as plain text. The file is valid before and after. */
export function setSetting(file: string, name: string, given: string): JsonValue {
  const path = pathOf(name)
  let set: JsonValue = given
  editFile(file, (text) => {
    const before = validText(text, file)
    const [value, ...others] = readings(given)
    set = value
    const edited = [value, ...others].map((one) => ({ value: one, text: setInJson(before, path, one) }))
    const fitting = edited.find((one) => whyInvalid(one.text) === undefined)
    if (fitting === undefined) throw refused(name, whyInvalid(edited[0]?.text ?? before) ?? 'not valid')
    set = fitting.value
    return endsWell(fitting.text)
  })
  return set
}

/** Takes a setting out of a file. False if it is not in it. */
export function unsetSetting(file: string, name: string): boolean {
  let isChanged = false
  editFile(file, (text) => {
    if (text === undefined) return undefined
    const before = validText(text, file)
    const after = unsetInJson(before, pathOf(name))
    isChanged = after !== before
    const why = whyInvalid(after)
    if (why !== undefined) throw refused(name, why)
    return isChanged ? endsWell(after) : undefined
  })
  return isChanged
}

/** `20` is a number, `ollama/qwen3:8b` a text; what is a number and has to be a text is one. */
function readings(given: string): [JsonValue, ...JsonValue[]] {
  const json = readJsonText(given)
  return json.ok ? [JsonValue.parse(json.value), given] : [given]
}

function validText(text: string | undefined, file: string): string {
  if (text === undefined || text.trim() === '') return '{}\n'
  const why = whyInvalid(text)
  if (why === undefined) return text
  throw new LoaderError('invalid_config', `${file}: ${why}. Mend the file first; it was left as it is.`)
}

function whyInvalid(text: string): string | undefined {
  const json = readJsonText(text)
  if (!json.ok) return `line ${json.line} is not JSON: ${json.reason}`
  const result = Settings.safeParse(json.value)
  if (result.success) return undefined
  const { path, why } = firstIssue(result.error)
  return `${path.map(String).join('.') || 'the file'}: ${why}`
}

function endsWell(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`
}

function refused(name: string, why: string): UsageError {
  return new UsageError(`${name} was not changed: ${why}.`, 'config set')
}
