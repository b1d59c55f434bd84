import { randomBytes } from 'node:crypto'
import {
  type AuthProvider,
  ClientCredentialsProvider,
  type OAuthClientInformationContext,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  PrivateKeyJwtProvider,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import type { McpServer } from '../config/server-settings.ts'
import type { KeptLogin, LoginStore } from './token-store.ts'

export interface LoginOptions {
  readonly name: string
  readonly server: McpServer
  readonly store: LoginStore
  readonly variables: Readonly<Record<string, string | undefined>>
  /** Where the browser returns to. Absent: no user can log in now, and a request that needs a login fails. */
  readonly redirect?: { readonly url: string; open(url: URL): Promise<void> }
}

/** Thrown when a server wants a login and no user can log in now. */
export class LoginNeeded extends Error {
  override readonly name = 'LoginNeeded'
}

/** A login with a server by OAuth. Its tokens are sent only to the address of that server. */
export class Login implements OAuthClientProvider {
  readonly state = (): string => (this.#state = randomBytes(24).toString('base64url'))
  readonly #options: LoginOptions
  #state: string | undefined
  #verifier = ''

  readonly clientMetadataUrl?: string

  constructor(options: LoginOptions) {
    this.#options = options
    const { clientMetadataUrl } = options.server.oauth ?? {}
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl
  }

  /** The state of the login that is going on. */
  get expectedState(): string | undefined {
    return this.#state
  }

  get redirectUrl(): string | undefined {
    // Without one, the library takes a login without a user for wanted.
    return this.#options.redirect?.url ?? 'http://127.0.0.1/callback'
  }

  get clientMetadata(): OAuthClientMetadata {
    const { scope, clientSecretVariable } = this.#options.server.oauth ?? {}
    return {
      client_name: 'Loader',
      redirect_uris: [this.redirectUrl ?? ''],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      application_type: 'native',
      ...(clientSecretVariable === undefined && { token_endpoint_auth_method: 'none' }),
      ...(scope !== undefined && { scope }),
    } as OAuthClientMetadata
  }

  clientInformation(context?: OAuthClientInformationContext): StoredOAuthClientInformation | undefined {
    const { clientId, clientSecretVariable } = this.#options.server.oauth ?? {}
    if (clientId !== undefined) {
      const secret = clientSecretVariable === undefined ? undefined : this.#options.variables[clientSecretVariable]
      return { client_id: clientId, ...(secret !== undefined && { client_secret: secret }) }
    }
    const kept = this.#kept.client as (StoredOAuthClientInformation & { readonly redirect?: string }) | undefined
    if (kept === undefined) return undefined
    // A client that was registered for another address to return to would be refused there.
    if (this.#options.redirect !== undefined && kept.redirect !== this.redirectUrl) return undefined
    return issuedBy(kept, context) ? kept : undefined
  }

  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.#keep({ client: { ...client, redirect: this.redirectUrl } })
  }

  tokens(context?: OAuthClientInformationContext): StoredOAuthTokens | undefined {
    const tokens = this.#kept.tokens as StoredOAuthTokens | undefined
    return tokens !== undefined && issuedBy(tokens, context) ? tokens : undefined
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.#keep({ tokens })
  }

  async redirectToAuthorization(url: URL): Promise<void> {
    const { redirect, name } = this.#options
    if (redirect === undefined) {
      const scope = url.searchParams.get('scope')
      if (scope !== null) this.#keep({ scope })
      throw new LoginNeeded(`${name} wants you to log in`)
    }
    const { scope: wanted } = this.#kept
    // What a call has needed: the server names at first only what it needs to connect.
    if (wanted !== undefined) url.searchParams.set('scope', joined(url.searchParams.get('scope') ?? '', wanted))
    await redirect.open(url)
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier
  }

  codeVerifier(): string {
    return this.#verifier
  }

  saveDiscoveryState(discovery: OAuthDiscoveryState): void {
    this.#keep({ discovery })
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#kept.discovery as OAuthDiscoveryState | undefined
  }

  invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): void {
    if (scope === 'verifier') this.#verifier = ''
    else if (scope === 'all') this.#options.store.write(this.#options.name, undefined)
    else this.#keep({ [scope]: undefined })
  }

  get #kept(): KeptLogin {
    const { store, name, server } = this.#options
    const kept = store.read(name)
    const url = server.url ?? ''
    return kept?.url === url ? kept : { url }
  }

  #keep(change: Partial<KeptLogin>): void {
    this.#options.store.write(this.#options.name, { ...this.#kept, ...change })
  }
}

function joined(...scopes: readonly string[]): string {
  return [...new Set(scopes.flatMap((scope) => scope.split(' ')))].filter((one) => one !== '').join(' ')
}

/** Credentials that one authorization server issued are useless at another, and must not be sent to it. */
function issuedBy(kept: { readonly issuer?: unknown }, context: OAuthClientInformationContext | undefined): boolean {
  return context === undefined || kept.issuer === undefined || kept.issuer === context.issuer
}

/** Authenticates requests to a server. It never begins a login, because a login needs the user. */
export function authFor(options: LoginOptions): AuthProvider | OAuthClientProvider {
  const { name, server, store, variables } = options
  const {
    grant,
    clientId = '',
    clientSecretVariable = '',
    privateKeyVariable,
    keyAlgorithm,
    scope,
  } = server.oauth ?? {}
  if (grant === 'client_credentials') {
    const about = { clientId, clientName: 'Loader', ...(scope !== undefined && { scope }) }
    if (privateKeyVariable === undefined) {
      return new ClientCredentialsProvider({ ...about, clientSecret: variables[clientSecretVariable] ?? '' })
    }
    const privateKey = variables[privateKeyVariable] ?? ''
    return new PrivateKeyJwtProvider({ ...about, privateKey, algorithm: keyAlgorithm ?? 'ES256' })
  }
  const kept = store.read(name)
  if (kept?.url === server.url && kept?.tokens !== undefined) return new Login(options)
  return {
    token: async () => undefined,
    onUnauthorized: async () => {
      throw new LoginNeeded(`${name} wants you to log in`)
    },
  }
}
