import type { Variables } from '../platform/variables.ts'

/** The variables that name a proxy, if any does. */
export function proxyVariables(variables: Variables): Variables | undefined {
  const names = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY']
  if (!names.some((name) => variables[name])) return undefined
  return Object.fromEntries([...names, 'no_proxy', 'NO_PROXY'].map((name) => [name, variables[name]]))
}

/** A proxy cannot reach what runs on this machine, whatever the variables say. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/i.test(hostname)
}

/** Whether this Node can use a proxy: from 22.21 and from 24.5 on. */
export function knowsProxies(version: string): boolean {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number)
  return major > 24 || (major === 24 && minor >= 5) || (major === 22 && minor >= 21)
}
