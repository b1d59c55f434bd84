import { type Backend, LoaderError } from '@loader/session-core'
import { type ConnectionOptions, connectionTo, placeOf } from '../connection/connection.ts'
import { asFetch } from '../http/as-fetch.ts'
import type { Variables } from '../platform/variables.ts'
import { firstSet, knownProvider } from '../model/known-providers.ts'
import { geminiTakes } from './gemini-takes.ts'
import { ownSettings, packagedBackend, withAssumedWindow } from './packaged-backend.ts'

/** What every current Gemini model has at least. */
const window = 128_000

/**
 * The Gemini models of Google Vertex AI, through `@ai-sdk/google-vertex`, with a key or with what `gcloud auth
 * application-default login` left. Not tried.
 */
export function vertex(options: ConnectionOptions & { readonly model: string }): Backend {
  const place = placeOf('vertex', options)
  const connection = connectionTo(place, options)
  return packagedBackend(
    {
      place,
      connection,
      packageName: '@ai-sdk/google-vertex',
      load: () => import('@ai-sdk/google-vertex'),
      model({ createVertex }, { transport, key }) {
        const account = key === undefined ? accountIn(connection.variables) : { apiKey: key }
        return createVertex({ ...ownSettings(options), ...account, fetch: asFetch(transport) })(options.model)
      },
      capabilities: () => withAssumedWindow(place.id, window, options, geminiTakes(options.model)),
    },
    options,
  )
}

function accountIn(variables: Variables) {
  const locations = knownProvider('vertex')?.addressVariables ?? []
  const location = firstSet(locations, variables)
  const project = firstSet(['GOOGLE_VERTEX_PROJECT', 'GOOGLE_CLOUD_PROJECT'], variables)
  if (location !== undefined && project !== undefined) return { project, location }
  throw new LoaderError(
    'invalid_config',
    'Google Vertex AI needs to know the project and its location. Set GOOGLE_VERTEX_PROJECT and ' +
      'GOOGLE_VERTEX_LOCATION, and sign in: gcloud auth application-default login. Or set GOOGLE_VERTEX_API_KEY.',
  )
}
