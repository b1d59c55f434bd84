/** Identifies a model on a server. A password in the address must not be written to the file. */
export function keyOf(protocol: string, address: string, ...names: readonly string[]): string {
  return [protocol, withoutSecrets(address), ...names].join(' ')
}

function withoutSecrets(address: string): string {
  if (!URL.canParse(address)) return ''
  const { origin, pathname } = new URL(address)
  return `${origin}${pathname.replace(/\/+$/, '')}`
}
