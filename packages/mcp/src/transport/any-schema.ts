import type { ClientOptions } from '@modelcontextprotocol/client'

/**
 * Takes every result. The schemas of results are promises of a server, which nothing here rests on; the pattern of a hostile
 * one could take for ever.
 */
export const anySchema: NonNullable<ClientOptions['jsonSchemaValidator']> = {
  getValidator: () => (data: unknown) => ({ valid: true, data: data as never, errorMessage: undefined }),
}
