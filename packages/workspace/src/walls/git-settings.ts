/** One setting of git. The section and the last part of the key are in lower case; the part between is as written. */
export interface GitSetting {
  readonly key: string
  readonly value: string
}

const spaces = /[ \t\r\n]/

/**
 * The settings in the text of a configuration file, as git reads it: quoted and continued values, comments, sections with
 * names. Undefined when git would refuse the file. A setting without a value has the value `true`.
 */
export function settingsIn(text: string): readonly GitSetting[] | undefined {
  const settings: GitSetting[] = []
  let section = ''
  let at = text.startsWith('\uFEFF') ? 1 : 0
  const restOfLine = () => {
    while (at < text.length && text[at] !== '\n') at += 1
  }
  while (at < text.length) {
    const letter = text[at] ?? ''
    if (spaces.test(letter)) at += 1
    else if (letter === '#' || letter === ';') restOfLine()
    else if (letter === '[') {
      const header = /^\[([A-Za-z0-9.-]+)(?:[ \t]+"((?:[^"\\\n]|\\[^\n])*)")?\]/.exec(text.slice(at))
      if (header === null) return undefined
      const [whole, name = '', inner] = header
      section = name.toLowerCase() + (inner === undefined ? '' : `.${inner.replaceAll(/\\(.)/g, '$1')}`)
      at += whole.length
    } else {
      const name = /^[A-Za-z][A-Za-z0-9-]*/.exec(text.slice(at))?.[0]
      if (name === undefined) return undefined
      at += name.length
      while (text[at] === ' ' || text[at] === '\t') at += 1
      const key = section === '' ? name.toLowerCase() : `${section}.${name.toLowerCase()}`
      const next = text[at]
      if (next === '=') {
        const read = valueAt(text, at + 1)
        if (read === undefined) return undefined
        settings.push({ key, value: read.value })
        at = read.end
      } else if (next === undefined || next === '\n' || (next === '\r' && text[at + 1] === '\n')) {
        settings.push({ key, value: 'true' })
      } else return undefined
    }
  }
  return settings
}

const escaped: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b', '\\': '\\', '"': '"' }

function valueAt(text: string, start: number): { readonly value: string; readonly end: number } | undefined {
  let value = ''
  // The length without trailing spaces, which do not count.
  let kept = 0
  let isQuoted = false
  let at = start
  for (; at < text.length; at += 1) {
    let letter = text[at] ?? ''
    if (letter === '\r' && text[at + 1] === '\n') continue
    if (letter === '\n') {
      if (isQuoted) return undefined
      break
    }
    if (!isQuoted && (letter === '#' || letter === ';')) {
      while (at < text.length && text[at] !== '\n') at += 1
      break
    }
    if (letter === '"') {
      isQuoted = !isQuoted
      kept = value.length
      continue
    }
    if (!isQuoted && spaces.test(letter)) {
      if (value !== '') value += letter
      continue
    }
    if (letter === '\\') {
      at += 1
      const next = text[at] === '\r' && text[at + 1] === '\n' ? text[(at += 1)] : text[at]
      if (next === '\n') continue
      const meant = escaped[next ?? '']
      if (meant === undefined) return undefined
      letter = meant
    }
    value += letter
    kept = value.length
  }
  return isQuoted ? undefined : { value: value.slice(0, kept), end: at }
}
