import type { ClientOptions } from '@modelcontextprotocol/client'

/**
 * Takes every result. No code here depends on the result schema of a server, and a pattern in the
 * schema of a hostile server could take for ever.
 */
export const anySchema: NonNullable<ClientOptions['jsonSchemaValidator']> = {
  getValidator: () => (data: unknown) => ({ valid: true, data: data as never, errorMessage: undefined }),
}
