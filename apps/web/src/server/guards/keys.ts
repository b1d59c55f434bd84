import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Scope } from '../../protocol.ts'

/**
 * What lets a browser in, all made from one token. A browser that knows the token, or a link made with it, gets a cookie
 * and a key, and needs both: it sends the cookie to every port of this host, including those of other programs, but it
 * never sends the key by itself.
 */
export class Keys {
  readonly #token: string

  constructor(token: string) {
    this.#token = token
  }

  /** What a token of an address opens; undefined for one that is not ours. */
  scopeOf(token: string): Scope | undefined {
    if (isSame(token, this.#token)) return everything
    const scope = scopeNamed(token)
    return scope?.kind === 'session' && isSame(token, this.#signed('link', scope)) ? scope : undefined
  }

  linkTo(id: string): string {
    return this.#signed('link', { kind: 'session', id })
  }

  key(scope: Scope): string {
    return this.#signed('key', scope)
  }

  /** The scope of a request; undefined unless it brings both. */
  admitted(key: string, cookies: ReadonlyMap<string, string>): Scope | undefined {
    const scope = scopeNamed(key)
    if (scope === undefined || !isSame(key, this.key(scope))) return undefined
    const { name, value } = this.cookie(scope)
    return isSame(cookies.get(name) ?? '', value) ? scope : undefined
  }

  /** A name of its own for each server and scope: browsers keep those of all ports of a host together. */
  cookie(scope: Scope): { readonly name: string; readonly value: string } {
    return { name: `loader_${this.#mac(`name ${nameOf(scope)}`).slice(0, 12)}`, value: this.#signed('cookie', scope) }
  }

  #signed(use: 'link' | 'key' | 'cookie', scope: Scope): string {
    return `${nameOf(scope)}.${this.#mac(`${use} ${nameOf(scope)}`)}`
  }

  #mac(text: string): string {
    return createHmac('sha256', this.#token).update(text).digest('base64url')
  }
}

const everything: Scope = { kind: 'all' }

function nameOf(scope: Scope): string {
  return scope.kind === 'all' ? 'all' : `session:${scope.id}`
}

function scopeNamed(text: string): Scope | undefined {
  const name = text.slice(0, Math.max(0, text.lastIndexOf('.')))
  if (name === 'all') return everything
  return name.startsWith('session:') ? { kind: 'session', id: name.slice('session:'.length) } : undefined
}

/** Takes as long whatever differs. */
function isSame(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
