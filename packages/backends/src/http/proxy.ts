import type { Variables } from '../platform/variables.ts'

/** The proxy variables, if any is set. */
export function proxyVariables(variables: Variables): Variables | undefined {
  const names = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY']
  if (!names.some((name) => variables[name])) return undefined
  return Object.fromEntries([...names, 'no_proxy', 'NO_PROXY'].map((name) => [name, variables[name]]))
}

/** Requests to this machine never use a proxy, whatever the variables say. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/i.test(hostname)
}

/** Whether this version of Node supports proxies: from 22.21 and from 24.5 on. */
export function knowsProxies(version: string): boolean {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number)
  return major > 24 || (major === 24 && minor >= 5) || (major === 22 && minor >= 21)
}
