/**
 * Digests of ids, one behind the other: what is left of an id that nothing else in a state names any more. Two different
 * ids have the same digest once in 10^12 times. Then an unused id is refused; a used id is never accepted.
 */
export type IdDigests = string

/** Eight characters for one id of a kind. What is stored rests on it: it stays as it is. */
export function digestOf(kind: string, id: string): string {
  let [one, two] = [1, 2]
  for (const char of `${kind} ${id}`) {
    one = mixed(one ^ (char.codePointAt(0) as number))
    two = mixed(two + one)
  }
  return [one, two].map((bits) => (bits >>> 0).toString(36).padStart(4, '0').slice(-4)).join('')
}

function mixed(bits: number): number {
  const half = Math.imul(bits ^ (bits >>> 16), 0x45d9f3b)
  return half ^ (half >>> 15)
}

/** Each by itself. */
export function listed(digests: IdDigests): readonly string[] {
  return digests.match(/.{8}/g) ?? []
}
