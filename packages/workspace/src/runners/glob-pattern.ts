/** A glob of a runner's settings (`**\/*.check.ts`, `{a,b}`, `?(x)`) as a regular expression over whole paths. */
export function globPattern(glob: string): RegExp | undefined {
  let source = ''
  const closers: string[] = []
  const text = glob.replace(/^\.\//, '')
  for (let at = 0; at < text.length; at += 1) {
    const [char = '', next = ''] = [text[at], text[at + 1]]
    if (char === '*' && next === '*') {
      at += text[at + 2] === '/' ? 2 : 1
      source += text[at] === '/' ? '(?:.*/)?' : '.*'
    } else if ('?*+@'.includes(char) && next === '(') {
      source += '(?:'
      closers.push(char === '@' ? ')' : `)${char}`)
      at += 1
    } else if (char === '*') source += '[^/]*'
    else if (char === '?') source += '[^/]'
    else if (char === '{') {
      source += '(?:'
      closers.push(')')
    } else if ((char === '}' || char === ')') && closers.length > 0) source += closers.pop() ?? ''
    else if ((char === ',' || char === '|') && closers.length > 0) source += '|'
    else if (char === '[') {
      const end = text.indexOf(']', at)
      if (end === -1) return undefined
      source += text.slice(at, end + 1).replace(/^\[!/, '[^')
      at = end
    } else source += char.replace(/[.+^$()|\\{}\]]/g, String.raw`\$&`)
  }
  try {
    return closers.length > 0 ? undefined : new RegExp(`^${source}$`)
  } catch (error) {
    // A glob that we cannot translate is ignored.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
