import type { Backend, ModelCapabilities } from '@loader/session-core'
import { type AskedModel, languageModelBackend } from '../ai-sdk/language-model-backend.ts'
import type { Takes } from '../ai-sdk/prompt.ts'
import type { Connection, ConnectionOptions, OpenConnection, Place } from '../connection/connection.ts'
import { capabilitiesOf } from '../model/capabilities.ts'
import { latest } from '../platform/latest.ts'
import { once } from '../platform/once.ts'
import { loadPeer } from './load-peer.ts'

/** A provider with a package of the AI SDK. */
export interface Packaged<Module> {
  readonly place: Place
  readonly connection: Connection
  readonly packageName: string
  readonly takes?: Takes
  load(): Promise<Module>
  /** The model of the package over this connection. */
  model(module: Module, opened: OpenConnection): AskedModel
  capabilities(): Promise<ModelCapabilities> | ModelCapabilities
}

/** A model through a package, which is loaded when the model is used. */
export function packagedBackend<Module>(
  { place: { id }, connection, packageName, takes, ...source }: Packaged<Module>,
  { providerOptions }: ConnectionOptions,
): Backend {
  const load = () => loadPeer(packageName, () => source.load(), id)
  const makeModel = once(async () => {
    const module = await load()
    return latest((opened: OpenConnection) => source.model(module, opened))
  })
  return languageModelBackend({
    id,
    providerOptions: () => providerOptions,
    ...takes,
    async open() {
      const modelOver = await makeModel()
      const opened = await connection.open()
      return { model: modelOver(opened), failing: opened.failing }
    },
    async describe() {
      await load()
      return source.capabilities()
    },
  })
}

/** The capabilities of a model whose provider does not report its window. */
export function withAssumedWindow(
  id: string,
  window: number,
  options: ConnectionOptions,
  takes: Pick<ModelCapabilities, 'images' | 'documents'> = {},
): ModelCapabilities {
  const { contextWindow = window, capabilities } = options
  const notes = options.contextWindow === undefined ? [`a window of ${window} tokens is assumed`] : []
  return capabilitiesOf({ id, nativeTools: true, contextWindow, notes, ...takes }, capabilities)
}

/** What the caller says of every connection, as the packages take it. */
export function ownSettings({ baseUrl, headers }: ConnectionOptions) {
  return { ...(baseUrl !== undefined && { baseURL: baseUrl }), ...(headers && { headers: { ...headers } }) }
}
