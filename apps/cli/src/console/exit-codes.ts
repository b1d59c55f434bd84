/** The exit codes of the command. The table in docs/cli.md is generated from this. */
export const exitCodes = {
  ok: [0, 'answered, or finished and nothing objects: verified, accepted, or no check speaks against it'],
  failure: [1, 'a failure: of the model, of the machine, or of Loader itself'],
  usage: [2, 'the command line or a settings file cannot be understood'],
  unverified: [3, 'finished, and something contradicts it or needs a person: failed, not known, to be accepted'],
  needsDecision: [4, 'stopped: it needs a decision or a permission, and there was no one to ask'],
  busy: [5, 'another process is writing this session; `--take-over` takes it from there'],
  damaged: [6, 'a session is damaged; `loader verify` says how, `loader doctor --repair` makes a copy that goes on'],
  limit: [7, 'a limit was reached: turns, tokens, money, attempts or time'],
  interrupted: [130, 'interrupted (Ctrl-C); the session can be resumed'],
  terminated: [143, 'terminated (SIGTERM); the session can be resumed'],
} as const satisfies Record<string, readonly [number, string]>

export type ExitCode = keyof typeof exitCodes

export function exitNumber(code: ExitCode): number {
  return exitCodes[code][0]
}
