/** A name and a password, or a token alone, in an address: with a scheme anywhere, without one as the whole value. */
const userinfo = /((?:^|[a-z][a-z0-9+.-]*:)\/\/)[^\s/@]+@/gi
const plainUserinfo = /^[^\s/:@]+:[^\s/@]+(?=@[^\s/@]+$)/
/** A password that is written as no address allows: nobody can say where it ends. */
const looseUserinfo = /:\/\/[^\s/]*:\S*@/
/** An option or a field with a name that tells: `-Dpublish.password=…`, `Password=…;`. */
const telling =
  /(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|credentials?|api[-_.]?key|private[-_.]?key|auth(?=(?:[._]?token|orization)?=[^\s;,&]{8}))[\w.-]*=("[^"]*"|'[^']*'|[^\s;,&"']+)/gi
/** What is set to letters and digits that make no words: no version, path or name is so long in one piece. */
const random = /=["']?((?=\w*[a-z])(?=\w*\d)\w{20,})(?=["';,&\s]|$)/gi

const token = /^(?=.*[a-z])(?=.*\d)[\w.~-]{16,}$/i

/** A value as a command may have it: addresses lose their names and passwords. Undefined when it holds a secret otherwise. */
export function withoutSecrets(value: string): string | undefined {
  const left = value.replace(userinfo, '$1').replace(plainUserinfo, '').replace(/^@/, '')
  if (looseUserinfo.test(left) || optionsIn(left).length > 0) return undefined
  return left
}

/** The secrets that a value carries beside other things. */
export function carriedSecrets(value: string): readonly string[] {
  const addresses = [...value.matchAll(userinfo)].map(([whole, before = '']) => whole.slice(before.length, -1))
  const [plain] = plainUserinfo.exec(value) ?? []
  // A name alone is a secret when it is a token.
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
