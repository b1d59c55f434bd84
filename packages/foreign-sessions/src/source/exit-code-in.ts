const told = /^(?:Process exited with code|Exit code:?|Exit Code:|Command exited with code) (-?\d+)\s*$/im

/** The exit code that the text of a result tells of, as several programs write it for their model. */
export function exitCodeIn(text: string): number | undefined {
  const code = told.exec(text)?.[1]
  return code === undefined ? undefined : Number(code)
}
