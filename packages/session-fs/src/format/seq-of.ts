/** Events are written with their type and seq first. */
export function seqOf(json: string): number {
  const match = /^\{"type":"[^"]*","seq":(\d+),/.exec(json)
  return match === null ? (JSON.parse(json) as { seq: number }).seq : Number(match[1])
}
