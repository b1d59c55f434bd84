const address = String.raw`(?:\d+|\$|/(?:[^/\\\n]|\\[^\n])+/)`
const replacing = ['/', '\\|', '#', ','].map((mark) => {
  const text = String.raw`(?:[^${mark}\\\n]|\\[^\n])*`
  return `s${mark}${text}${mark}${text}${mark}[gpiI\\d]*`
})
const command = String.raw`\s*(?:${address}(?:,${address})?\s*!?)?\s*(?:[pdql=]|${replacing.join('|')})\s*`
const printing = new RegExp(`^${command}(?:;${command})*;?\\s*$`)

/**
 * Whether sed with these arguments only prints. Its scripts can write files and run programs, so only commands known to
 * do neither are accepted: print, delete, quit and replace.
 */
export function onlyPrints(args: readonly string[]): boolean {
  const scripts: string[] = []
  const operands: string[] = []
  for (let index = 0; index < args.length; index += 1) {
    const argument = args[index] ?? ''
    if (/^-[nErsuz]*e$/.test(argument)) scripts.push(args[(index += 1)] ?? '')
    else if (!argument.startsWith('-') || argument === '-') operands.push(argument)
    else if (!/^(?:-[nErsuz]+|--quiet|--silent|--regexp-extended)$/.test(argument)) return false
  }
  const all = scripts.length > 0 ? scripts : operands.slice(0, 1)
  return all.length > 0 && all.every((script) => printing.test(script))
}
