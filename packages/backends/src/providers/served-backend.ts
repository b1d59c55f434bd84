import type { Backend } from '@loader/session-core'
import { type ConnectionOptions, connectionTo, type OpenConnection, placeOf } from '../connection/connection.ts'
import { attentive } from '../known/attentive.ts'
import { keyOf } from '../known/key-of.ts'
import { Known } from '../known/known.ts'
import { askServed, describeServed, ServedFacts } from './describe-served.ts'
import { knownProvider } from '../model/known-providers.ts'
import { type Packaged, packagedBackend } from './packaged-backend.ts'
import { requireKey } from './require-key.ts'

/** A provider whose list of models says what they can do. */
export interface ServedSource<Module> extends Pick<Packaged<Module>, 'packageName' | 'takes' | 'load' | 'model'> {
  readonly provider: string
  readonly baseUrl: string
}

/** A model of a server with a list of models. */
export function servedBackend<Module>(
  { provider, baseUrl, ...source }: ServedSource<Module>,
  options: ConnectionOptions & { readonly model: string },
): Backend {
  const { model } = options
  const place = placeOf(provider, options)
  const connection = connectionTo(place, options)
  const needsKey = knownProvider(provider)?.key === 'required'
  const checked = (opened: OpenConnection) => {
    if (needsKey) requireKey(opened.key, opened.failing)
    return opened
  }
  const known = new Known<ServedFacts>(
    {
      key: keyOf('openai-compatible', baseUrl, provider, model),
      schema: ServedFacts,
      isTelling: ({ contextWindow, nativeTools }) => contextWindow !== null || nativeTools !== null,
      isAsAble: (one, other) =>
        one.contextWindow === other.contextWindow &&
        one.nativeTools === other.nativeTools &&
        one.images === other.images,
      async ask(urgency) {
        const { transport, key, failing } = checked(await connection.open())
        const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` }
        const headers = { ...authorization, ...options.headers }
        return askServed(
          { transport, headers, failing },
          { baseUrl, model, provider },
          { isAside: urgency === 'aside' },
        )
      },
    },
    options.knownModelsFile,
  )
  const backend = packagedBackend(
    {
      ...source,
      place,
      connection,
      model: (module, opened) => source.model(module, checked(opened)),
      capabilities: () => describeServed(place.id, options, () => known.get()),
    },
    options,
  )
  return attentive(backend, known)
}
