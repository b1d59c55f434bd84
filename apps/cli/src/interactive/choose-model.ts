import { discover, listModels } from '@loader/backends'
import { inOneLine } from '@loader/readings'
import type { Begun } from '../run/beginning.ts'
import { connectionOf } from '../run/connection-of.ts'
import type { Choice } from './choosing.ts'

interface Found {
  readonly name: string
  readonly from: string
  readonly contextWindow?: number | undefined
  readonly nativeTools?: boolean | undefined
  readonly loaded?: boolean | undefined
}

/** The models that can be reached, on this machine first, without the one that is used. */
export async function modelChoices({ backend, console, loaded, places }: Begun): Promise<Choice<string>[]> {
  const [servers, clouds] = await Promise.all([
    discover({ variables: console.environment }),
    listModels(connectionOf(loaded.settings, console, places)),
  ])
  const found: Found[] = [
    ...servers.flatMap(({ title, models }) =>
      models.map(({ largestWindow, contextWindow = largestWindow, ...model }) => ({
        ...model,
        contextWindow,
        from: title,
      })),
    ),
    ...clouds.flatMap(({ title, models }) => models.map((model) => ({ ...model, from: title }))),
  ]
  const names = new Set([backend.id])
  return found.flatMap((model) => {
    if (names.has(model.name)) return []
    names.add(model.name)
    return [modelChoice(model)]
  })
}

function modelChoice({ name, from, contextWindow, nativeTools, loaded }: Found): Choice<string> {
  const parts = [
    inOneLine(from),
    contextWindow === undefined ? '' : `window ${contextWindow}`,
    nativeTools === false ? 'no tools of its own' : '',
    loaded ? 'loaded' : '',
  ]
  return { label: inOneLine(name), detail: parts.filter((part) => part !== '').join(' | '), value: name }
}
