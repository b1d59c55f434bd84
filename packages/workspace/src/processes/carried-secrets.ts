/** A name and password, or a lone token, in a URL: anywhere behind a scheme, or without one as the whole value. */
const userinfo = /((?:^|[a-z][a-z0-9+.-]*:)\/\/)[^\s/@]+@/gi
const plainUserinfo = /^[^\s/:@]+:[^\s/@]+(?=@[^\s/@]+$)/
/** A password with characters that no URL allows, so that its end cannot be determined. */
const looseUserinfo = /:\/\/[^\s/]*:\S*@/
/** An option or field whose name suggests a secret: `-Dpublish.password=…`, `Password=…;`. */
const telling =
  /(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|credentials?|api[-_.]?key|private[-_.]?key|auth(?=(?:[._]?token|orization)?=[^\s;,&]{8}))[\w.-]*=("[^"]*"|'[^']*'|[^\s;,&"']+)/gi
/** A value of letters and digits without separators, longer than any version, path segment or name would be. */
const random = /=["']?((?=\w*[a-z])(?=\w*\d)\w{20,})(?=["';,&\s]|$)/gi

const token = /^(?=.*[a-z])(?=.*\d)[\w.~-]{16,}$/i

/** The value to pass to a command: URLs without names and passwords. Undefined when it holds another kind of secret. */
export function withoutSecrets(value: string): string | undefined {
  const left = value.replace(userinfo, '$1').replace(plainUserinfo, '').replace(/^@/, '')
  if (looseUserinfo.test(left) || optionsIn(left).length > 0) return undefined
  return left
}

/** The secrets inside a value that also holds other text. */
export function carriedSecrets(value: string): readonly string[] {
  const addresses = [...value.matchAll(userinfo)].map(([whole, before = '']) => whole.slice(before.length, -1))
  const [plain] = plainUserinfo.exec(value) ?? []
  // A user name without a password is a secret only when it looks like a token.
  const passwords = [...addresses, ...(plain === undefined ? [] : [plain])].flatMap(
    (found) => /:(.+)/s.exec(found)?.[1] ?? (token.test(found) ? found : []),
  )
  return [...passwords.flatMap((each) => [each, decoded(each)]), ...optionsIn(value)]
}

function optionsIn(value: string): readonly string[] {
  const named = [...value.matchAll(telling)].map(([, found = '']) => found.replaceAll(/^["']|["']$/g, ''))
  return [...named, ...[...value.matchAll(random)].map(([, found = '']) => found)]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    return text
  }
}
