import { WriteStream } from 'node:tty'
import { styleText } from 'node:util'
import type { Console } from '../console/console.ts'
import type { Paint, Style } from './paint.ts'
import type { ThemeName } from './theme-names.ts'

/** A theme with colours of its own. */
export type Background = 'dark' | 'light'

type StyleName = Extract<Style, string>

/** Numbers of the 256 colours that every such terminal has alike: its sixteen are a matter of its settings. */
export const palettes: Readonly<Record<Background, Partial<Record<StyleName, number>>>> = {
  dark: { red: 210, green: 114, yellow: 179, magenta: 176, cyan: 80, dim: 246 },
  light: { red: 124, green: 22, yellow: 94, magenta: 90, cyan: 24, dim: 240 },
}

/** Paints as the theme says, which may become known only after the first lines. */
export class Theme {
  readonly #setting: ThemeName
  readonly #plain: Paint
  readonly #hasPalette: boolean
  #background: Background | undefined

  /** `paint` is what would be used without a theme: plain where colours are not wanted. */
  constructor(setting: ThemeName, paint: Paint, { environment }: Pick<Console, 'environment'>) {
    this.#setting = setting
    this.#plain = paint
    this.#hasPalette = paint('red', 'x') !== 'x' && WriteStream.prototype.getColorDepth({ ...environment }) >= 8
    if (setting === 'dark' || setting === 'light') this.#background = setting
  }

  /** Whether the terminal's background matters. */
  get follows(): boolean {
    return this.#setting === 'auto' && this.#hasPalette
  }

  /** Takes what the terminal tells. */
  tell(background: Background): void {
    if (this.follows) this.#background = background
  }

  readonly paint: Paint = (style, text) => {
    if (this.#setting === 'none') return text
    const palette = this.#hasPalette && this.#background !== undefined ? palettes[this.#background] : undefined
    return palette === undefined ? this.#plain(style, text) : inPalette([style].flat(), text, palette)
  }
}

/** Which theme fits a background, by how bright the eye finds it. */
export function backgroundOf({ r, g, b }: { readonly r: number; readonly g: number; readonly b: number }): Background {
  return luminance(r, g, b) > 0.18 ? 'light' : 'dark'
}

/** From 0 to 1, as WCAG defines it. */
export function luminance(...channels: readonly [number, number, number]): number {
  const [r, g, b] = channels.map((channel) => {
    const part = channel / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

const begin = (color: number) => `\x1b[38;5;${color}m`
const end = '\x1b[39m'

function inPalette(styles: readonly StyleName[], text: string, palette: Partial<Record<StyleName, number>>): string {
  return styles.reduceRight((painted, style) => {
    const color = palette[style]
    if (color === undefined) return styleText(style, painted, { validateStream: false })
    return `${begin(color)}${painted.replaceAll(end, begin(color))}${end}`
  }, text)
}
