import { createInterface } from 'node:readline/promises'
import { LoaderError } from '@loader/session-core'
import { inOneLine } from '@loader/readings'
import type { Console } from '../console/console.ts'
import type { Places } from '../places/places.ts'
import { setSetting } from '../settings/change-settings.ts'
import { settingsFile } from '../settings/settings-files.ts'
import { modelsToChoose } from './models-to-choose.ts'

/** Of each server and each provider. */
const mostOffered = 8

/** What a user can choose from, the suggested one first. */
export interface ModelsOffered {
  readonly offered: readonly { readonly name: string; readonly title: string }[]
  /** Whether words can be the name of another model. */
  isName(words: string): boolean
}

/**
 * Asks for a model at the first start, and keeps the answer, so that it is asked once. Enter takes the one that is
 * suggested. Undefined if there is none to choose, or none was chosen. `choose` lets the user choose from a list;
 * without it, lines are printed and read.
 */
export async function askModel(
  console: Console,
  places: Places,
  choose: (models: ModelsOffered) => Promise<string | undefined> = (models) => chooseByLine(models, console),
): Promise<string | undefined> {
  const { servers, clouds, best } = await modelsToChoose(console, places)
  const listed = [...servers, ...clouds].flatMap(({ title, models }) => {
    return models.slice(0, mostOffered).map(({ name }) => ({ name, title }))
  })
  if (best === undefined || listed.length === 0) return undefined
  const title = listed.find(({ name }) => name === best)?.title ?? ''
  const offered = [{ name: best, title }, ...listed.filter(({ name }) => name !== best)]
  const chosen = await choose({ offered, isName })
  if (chosen !== undefined) console.stderr.write(`${kept(chosen, places)}\n`)
  return chosen
}

async function chooseByLine({ offered }: ModelsOffered, { stdin, stderr }: Console): Promise<string | undefined> {
  const rows = offered.map(({ name, title }, index) => `  ${index + 1}. ${inOneLine(name)}  (${inOneLine(title)})`)
  const wanted = 'A number, another name, or Enter for 1: '
  stderr.write(`Which model? It is kept for the next time.\n${rows.join('\n')}\n${wanted}`)
  const lines = createInterface({ input: stdin, terminal: false })
  try {
    for await (const line of lines) {
      const answer = line.trim()
      const chosen = /^\d*$/.test(answer) ? offered[answer === '' ? 0 : Number(answer) - 1]?.name : answer
      if (chosen !== undefined && isName(chosen)) return chosen
      stderr.write(`${inOneLine(answer)} is no model: a name is like ollama/qwen3:8b. ${wanted}`)
    }
    return undefined
  } finally {
    lines.close()
  }
}

/** A name has a provider before it: `ollama/qwen3:8b`. Other words may have been meant for something else. */
function isName(words: string): boolean {
  return /^[^\s/]+\/\S+$/.test(words)
}

function kept(name: string, places: Places): string {
  const file = settingsFile(places, 'user')
  try {
    setSetting(file, 'model', name)
    return `${inOneLine(name)} is kept in ${inOneLine(file)}. Another one: /model`
  } catch (error) {
    if (!LoaderError.is(error)) throw error
    return `${inOneLine(name)} is for this time only: ${error.message}`
  }
}
