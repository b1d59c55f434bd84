/** The same rules read letter by letter, as they are published, to show where words decide otherwise. */

const contains = (text: string, ...parts: string[]) => parts.some((part) => text.toLowerCase().includes(part))
const count = (text: string, part: string) => text.toLowerCase().split(part).length - 1
const wordCount = (text: string) => text.match(/\w+/g)?.length ?? 0

export function anchorBySubstring(text: string): boolean {
  return /[./_\\-]/.test(text) || /`[^`]+`/.test(text) || contains(text, 'test', 'file', 'function', 'class')
}

export function ambiguityBySubstring(text: string): number {
  const asks =
    contains(text, '--clarify', "don't assume", 'do not assume', 'not sure', 'figure out', 'interview me', 'ask me') ||
    text.toLowerCase().startsWith('clarify ')
  const vague = contains(text, 'something', 'somehow', 'better', 'improve', 'fix this', 'make it', 'more like')
  const building = contains(text, 'build', 'add', 'improve', 'refactor', 'implement')
  return rounded(
    (asks ? 0.65 : 0) +
      (vague ? 0.2 : 0) +
      (anchorBySubstring(text) ? 0 : 0.2) +
      (wordCount(text) <= 12 && building ? 0.15 : 0),
  )
}

export function complexityBySubstring(text: string): number {
  const deep = ['refactor', 'architecture', 'migrate', 'persistent', 'workflow', 'deep dive', 'report']
  return rounded(
    (wordCount(text) >= 18 ? 0.2 : 0) +
      (wordCount(text) >= 30 ? 0.15 : 0) +
      (contains(text, ...deep, 'implementation plan', 'verification plan') ? 0.3 : 0) +
      (count(text, ' and ') >= 2 || count(text, ',') >= 2 ? 0.15 : 0) +
      (anchorBySubstring(text) ? 0.1 : 0),
  )
}

/** As far as its words are published. */
export function conversationalBySubstring(text: string): boolean {
  const lower = text.toLowerCase()
  if (text.length < 15 && ['hi', 'hello', 'hey'].some((word) => lower.startsWith(word))) return true
  if (contains(text, 'help')) return true
  if (contains(text, 'create', 'make', 'fix', 'file', 'git', 'python')) return false
  return text.length < 30 && !/[./\\`]/.test(text)
}

function rounded(value: number): number {
  return Math.round(Math.min(1, value) * 1000) / 1000
}
