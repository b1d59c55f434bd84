const bullet = /^(\s*)(?:[-*+•]|\d+[.)])\s+(.*)$/
const heading = /^\s*#{1,6}\s+(.*)$/
const saysNothing = /^(?:none|n\/?a|not applicable|not specified|tbd|unknown|nothing|-+)[.!]?$/i

/**
 * The items of a section: its bullets with nested content, else its paragraphs; in fenced code, its lines. Entries such
 * as "none" are left out.
 */
export function itemsOf(lines: readonly string[]): string[] {
  const items: string[] = []
  /** The indentation of the item that the next line may belong to; undefined if there is none. */
  let open: number | undefined
  let fenced = false
  for (const line of lines) {
    const isFence = /^\s*(?:```|~~~)/.test(line)
    if (isFence) fenced = !fenced
    const [, indent = '', listed] = bullet.exec(line) ?? []
    const [, title] = heading.exec(line) ?? []
    if (isFence || line.trim() === '') {
      open = undefined
    } else if (fenced || title !== undefined) {
      items.push((fenced ? line : (title ?? line)).trim())
      open = undefined
    } else if (open !== undefined && (listed === undefined || indent.length > open)) {
      items.push(`${items.pop()}${listed === undefined ? ' ' : '; '}${(listed ?? line).trim()}`)
    } else {
      items.push((listed ?? line).trim())
      open = listed === undefined ? Number.POSITIVE_INFINITY : indent.length
    }
  }
  return items.map((item) => item.replace(/^\[ \]\s+/, '')).filter((item) => item !== '' && !saysNothing.test(item))
}
