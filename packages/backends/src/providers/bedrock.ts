import { type Backend, LoaderError } from '@loader/session-core'
import { type ConnectionOptions, connectionTo, placeOf } from '../connection/connection.ts'
import { asFetch } from '../http/as-fetch.ts'
import type { Variables } from '../platform/variables.ts'
import { firstSet, knownProvider } from '../model/known-providers.ts'
import { ownSettings, packagedBackend, withAssumedWindow } from './packaged-backend.ts'

/** The smallest window of the models that agents use there. The server does not report it. */
const window = 128_000

/** The models of Amazon Bedrock, through `@ai-sdk/amazon-bedrock`, with a key or the variables of AWS. Not tried. */
export function bedrock(options: ConnectionOptions & { readonly model: string }): Backend {
  const place = placeOf('bedrock', options)
  const connection = connectionTo(place, options)
  const { variables } = connection
  return packagedBackend(
    {
      place,
      connection,
      packageName: '@ai-sdk/amazon-bedrock',
      load: () => import('@ai-sdk/amazon-bedrock'),
      model({ createAmazonBedrock }, { transport, key, failing }) {
        const settings = { ...ownSettings(options), region: regionIn(variables), fetch: asFetch(transport) }
        const credentials = key === undefined ? signerIn(variables, failing.keyAdvice) : { apiKey: key }
        return createAmazonBedrock({ ...settings, ...credentials })(options.model)
      },
      capabilities: () => withAssumedWindow(place.id, window, options),
    },
    options,
  )
}

function regionIn(variables: Variables): string {
  const names = knownProvider('bedrock')?.addressVariables ?? []
  const region = firstSet(names, variables)
  if (region !== undefined) return region
  throw new LoaderError('invalid_config', `Amazon Bedrock is in many regions. Set ${names[0]}, such as us-east-1.`)
}

function signerIn(variables: Variables, advice = '') {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = variables
  if (!accessKeyId || !secretAccessKey) {
    const ways = 'Or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.'
    throw new LoaderError('invalid_config', `Amazon Bedrock needs a key, and there is none. ${advice} ${ways}`)
  }
  const sessionToken = variables['AWS_SESSION_TOKEN']
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) }
}
