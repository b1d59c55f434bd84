import { listed, phrases, says } from './phrases.ts'
import { wordsOf } from './words.ts'

const things = phrases({ nouns: ['test, file, function, class'] })

/** Words with a dot or slash that are not names. */
const figuresOfSpeech = new Set(
  listed(['e.g, i.e, a.k.a, n.b, a.m, p.m, u.s, u.k, and/or, either/or, yes/no, he/she, his/her, w/o, n/a']),
)

/**
 * Whether a text names something specific: a path, a file, a compound or snake_case name, an option, a code span, or
 * one of the words test, file, function, class. Punctuation alone does not count.
 */
export function hasConcreteAnchor(text: string): boolean {
  return /`[^`\n]+`/.test(text) || text.split(/\s+/).some(namesSomething) || says(wordsOf(text), things)
}

/** Whether a text names a file or a path, or has a code span. */
export function namesPath(text: string): boolean {
  return /`[^`\n]+`/.test(text) || text.split(/\s+/).map(bare).some(isPathLike)
}

function namesSomething(token: string): boolean {
  const name = bare(token)
  return isPathLike(name) || /[\p{L}\p{N}](?:-|_+)[\p{L}\p{N}]/u.test(name) || isOption(name)
}

function bare(token: string): string {
  const opened = token.replace(/^["'“”‘’([{<*]+/, '')
  return /^.*[^"'“”‘’)\]}>*.,;:!?…]/.exec(opened)?.[0] ?? ''
}

function isPathLike(name: string): boolean {
  if (figuresOfSpeech.has(name.toLowerCase())) return false
  const hasDot = /[\p{L}\p{N}_\-\])]\.[\p{L}\p{N}_]/u.test(name) || /^\.[\p{L}_]/u.test(name)
  return hasDot || (/[/\\]/.test(name) && /[\p{L}\p{N}]/u.test(name))
}

/** `--clarify` is an instruction to the router, not part of the work. */
function isOption(name: string): boolean {
  return /^--?[a-z]/i.test(name) && name.toLowerCase() !== '--clarify'
}
