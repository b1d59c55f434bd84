import type { Claim, ClaimOptions, ListQuery, SessionStore, SessionWriter } from '@loader/session-core'

/** A connection to a server that keeps sessions. What it holds is free when the connection is lost. */
export class OwnStore implements SessionStore {
  readonly #server: SessionStore
  readonly #held: SessionWriter[] = []

  constructor(server: SessionStore) {
    this.#server = server
  }

  async claim(id: string, options: ClaimOptions): Promise<Claim> {
    const claim = await this.#server.claim(id, options)
    this.#held.push(claim.writer)
    return claim
  }

  async disconnect(): Promise<void> {
    for (const writer of this.#held.splice(0)) await writer.release()
  }

  read(id: string, options?: { readonly fromSeq?: number }) {
    return this.#server.read(id, options)
  }

  readBlob(id: string, blob: string) {
    return this.#server.readBlob(id, blob)
  }

  list(query?: ListQuery) {
    return this.#server.list(query)
  }

  delete(id: string) {
    return this.#server.delete(id)
  }
}
