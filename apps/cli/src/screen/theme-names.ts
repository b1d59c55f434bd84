/** What can be set. `auto` follows the background that the terminal tells, `terminal` takes its own sixteen colours. */
export const themes = ['auto', 'dark', 'light', 'terminal', 'none'] as const
export type ThemeName = (typeof themes)[number]
