const told = /^(?:Process exited with code|Exit code:?|Exit Code:|Command exited with code) (-?\d+)\s*$/im

/** The exit code in the text of a result, in the formats that several programs use for their models. */
export function exitCodeIn(text: string): number | undefined {
  const code = told.exec(text)?.[1]
  return code === undefined ? undefined : Number(code)
}
