interface Phrase {
  readonly name: string
  /** The words after the first one. */
  readonly rest: readonly string[]
}

/** Phrases by their first word. */
export type Phrases = ReadonlyMap<string, readonly Phrase[]>

/** Each text is a list of phrases, separated by commas. */
export interface PhraseLists {
  /** Matched as written. */
  readonly exact?: readonly string[]
  /** Matched with their plural. */
  readonly nouns?: readonly string[]
  /** Matched with their regular endings: improve, improves, improved, improving. */
  readonly verbs?: readonly string[]
}

/** Prepares phrases to search a text for. A phrase may have several words. */
export function phrases({ exact = [], nouns = [], verbs = [] }: PhraseLists): Phrases {
  const byFirstWord = new Map<string, Phrase[]>()
  const add = (name: string, form: string): void => {
    const [first = '', ...rest] = form.split(' ')
    byFirstWord.set(first, [...(byFirstWord.get(first) ?? []), { name, rest }])
  }
  for (const name of listed(exact)) add(name, name)
  for (const name of listed(nouns)) for (const form of pluralsOf(name)) add(name, form)
  for (const name of listed(verbs)) for (const form of endingsOf(name)) add(name, form)
  return byFirstWord
}

/** Splits texts at commas. */
export function listed(texts: readonly string[]): string[] {
  return texts.flatMap((text) => text.split(/,\s*/))
}

export function says(words: readonly string[], wanted: Phrases): boolean {
  return words.some((_, index) => phrasesAt(words, index, wanted).length > 0)
}

/** Which of the phrases occur, each once, by its listed form. */
export function saidIn(words: readonly string[], wanted: Phrases): ReadonlySet<string> {
  return new Set(words.flatMap((_, index) => phrasesAt(words, index, wanted).map(({ name }) => name)))
}

function phrasesAt(words: readonly string[], index: number, wanted: Phrases): readonly Phrase[] {
  const candidates = wanted.get(words[index] ?? '') ?? []
  return candidates.filter(({ rest }) => rest.every((word, offset) => words[index + 1 + offset] === word))
}

function pluralsOf(noun: string): Set<string> {
  const plural = /[^aeiou]y$/.test(noun)
    ? `${noun.slice(0, -1)}ies`
    : /(?:s|x|ch|sh)$/.test(noun)
      ? `${noun}es`
      : `${noun}s`
  return new Set([noun, plural])
}

function endingsOf(verb: string): Set<string> {
  const doubled = /[^aeiou][aeiou][bdgmnprt]$/.test(verb) ? `${verb}${verb.at(-1)}` : verb.replace(/e$/, '')
  const stems = [verb.replace(/e$/, ''), doubled]
  const past = /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ied` : ''
  const forms = [...pluralsOf(verb), past, ...stems.flatMap((stem) => [`${stem}ed`, `${stem}ing`])]
  return new Set(forms.filter((form) => form !== ''))
}
