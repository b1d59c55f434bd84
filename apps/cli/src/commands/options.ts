import type { Option } from '../arguments/command.ts'

/** Options with the same meaning for every command. */
export const json: Option = { name: 'json', summary: 'print JSON, in the form that docs/cli.md describes' }
export const takeOver: Option = {
  name: 'take-over',
  summary: 'take the session from a process that holds it, which can then write nothing more to it',
}
const help: Option = { name: 'help', short: 'h', summary: 'show this help' }
const cd: Option = { name: 'cd', short: 'C', value: 'folder', summary: 'work in this folder' }
const color: Option = {
  name: 'color',
  value: 'when',
  choices: ['auto', 'always', 'never'],
  summary: 'use colours',
}
const debug: Option = { name: 'debug', summary: 'show where an error comes from' }

const store: Option = {
  name: 'store',
  value: 'address',
  summary: 'where the sessions are: files, or postgres://host/database',
}

/** What every command takes. */
export const common: readonly Option[] = [cd, color, debug, help]
/** What every command about sessions takes. */
export const ofSession: readonly Option[] = [store, ...common]
