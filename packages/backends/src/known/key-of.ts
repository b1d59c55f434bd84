/** Names a model on a server. A password in the address is nothing that may be written down. */
export function keyOf(protocol: string, address: string, ...names: readonly string[]): string {
  return [protocol, withoutSecrets(address), ...names].join(' ')
}

function withoutSecrets(address: string): string {
  if (!URL.canParse(address)) return ''
  const { origin, pathname } = new URL(address)
  return `${origin}${pathname.replace(/\/+$/, '')}`
}
