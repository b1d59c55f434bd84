/** What a conversation does, for a user who looks at another window. */
export type Doing = 'waits' | 'works' | 'rests'

type Environment = Readonly<Record<string, string | undefined>>

/** A turn that ends sooner was watched. */
const watchedMs = 10_000

/** The title of the window. */
function titleText(doing: Doing, project: string): string {
  const mark = { waits: '? ', works: '… ', rests: '' }[doing]
  return `${mark}loader: ${project}`
}

const titleKept = '\x1b[22;0t'
const titleBack = '\x1b[23;0t'

export function titleSet(doing: Doing, project: string): string {
  return `\x1b]0;${plain(titleText(doing, project))}\x07`
}

/** What to write to the terminal, so that its window tells what goes on. */
export class Teller {
  readonly #project: string
  readonly #options: { readonly isLoud: boolean; readonly environment: Environment }
  #doing: Doing = 'rests'
  /** When the turn began. */
  #at = 0

  constructor(project: string, options: { readonly isLoud: boolean; readonly environment: Environment }) {
    this.#project = project
    this.#options = options
  }

  begin(): string {
    return titleKept + titleSet('rests', this.#project)
  }

  end(): string {
    return titleBack
  }

  /** Empty if the same goes on as before. */
  tell(doing: Doing): string {
    const before = this.#doing
    if (doing === before) return ''
    const news = newsOf(before, doing, Date.now() - this.#at)
    this.#doing = doing
    if (before === 'rests') this.#at = Date.now()
    const rung = news === undefined || !this.#options.isLoud ? '' : bell(news, this.#project, this.#options.environment)
    return titleSet(doing, this.#project) + rung
  }
}

/** What is worth a bell when one state follows another; undefined if nothing is. */
export function newsOf(before: Doing, now: Doing, workedMs: number): string | undefined {
  if (before === now) return undefined
  if (now === 'waits') return 'waits for your answer'
  return now === 'rests' && before === 'works' && workedMs >= watchedMs ? 'has ended' : undefined
}

/** A bell, and a message in the way that the terminal knows. */
export function bell(text: string, project: string, environment: Environment): string {
  const words = plain(`${project}: ${text}`)
  const knows777 = /^(?:rxvt|foot)/.test(environment['TERM'] ?? '') || environment['VTE_VERSION'] !== undefined
  return knows777 ? `\x07\x1b]777;notify;loader;${words}\x07` : `\x07\x1b]9;loader: ${words}\x07`
}

/** Nothing that would end the sequence, or divide it. */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf};]/gu, ' ')
}
