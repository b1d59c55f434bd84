/** The names under which a server may be asked for. */
export interface OwnAddress {
  /** What `Host` may be, with the port, in lower case. */
  readonly hosts: ReadonlySet<string>
  /** What `Origin` may be. */
  readonly origins: ReadonlySet<string>
}

/** The addresses of a server that listens at `host` and `port`; `url` is the one that a proxy in front of it has. */
export function ownAddress(host: string, port: number, url: URL | undefined): OwnAddress {
  const names = isLoopback(host) ? ['127.0.0.1', 'localhost', '[::1]'] : [inUrl(host)]
  const direct = names.flatMap((name) => [`${name}:${port}`, ...(port === 80 ? [name] : [])])
  return {
    hosts: new Set([...direct, ...(url === undefined ? [] : [url.host])]),
    origins: new Set([...direct.map((name) => `http://${name}`), ...(url === undefined ? [] : [url.origin])]),
  }
}

/** A name that leads to this machine alone. Any other one may lead elsewhere by tomorrow. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)
}

export function inUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host.toLowerCase()
}

/** The headers of a request that say where it comes from, and where it thinks it goes. */
export interface Travelled {
  readonly host: string | undefined
  readonly origin: string | undefined
  /** `Sec-Fetch-Site` */
  readonly site: string | undefined
}

/**
 * Why a request is refused; undefined for one that may go on. A page elsewhere can make a browser ask for anything, also
 * under a name of its own that leads to this machine, but the browser says so in these headers.
 */
export function strayed({ host, origin, site }: Travelled, own: OwnAddress): string | undefined {
  if (host === undefined || !own.hosts.has(host.toLowerCase()))
    return 'It was asked for under a name that is not its own.'
  if (origin !== undefined && !own.origins.has(origin.toLowerCase())) return 'A page of another server asked for this.'
  // Another port of the same host is the same site, but another program serves it.
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return 'A page of another server asked for this.'
  return undefined
}
