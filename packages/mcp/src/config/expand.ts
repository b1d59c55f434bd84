import type { McpServer } from './server-settings.ts'

/** A server with the variables of the user in place of `${NAME}` and `${NAME:-default}`. */
export interface Expanded {
  readonly server: McpServer
  /** Variables that are named and not set. */
  readonly missing: readonly string[]
  /** Values that came out of variables, and those of `env` and `headers`: none of them may be shown. */
  readonly secrets: readonly string[]
}

type Variables = Readonly<Record<string, string | undefined>>

const variable = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g

/** Puts the variables of the user into a server. */
export function expandServer(server: McpServer, variables: Variables): Expanded {
  const missing = new Set<string>()
  const used = new Set<string>()
  const text = (value: string) =>
    value.replace(variable, (_whole, name: string, otherwise: string | undefined) => {
      const found = variables[name]
      if (found !== undefined && found !== '') {
        used.add(found)
        return found
      }
      if (otherwise === undefined) missing.add(name)
      return otherwise ?? ''
    })
  const map = (record: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [name, text(value)]))
  const { command, args, env, url, headers, cwd } = server
  const expanded = {
    ...server,
    ...(command !== undefined && { command: text(command) }),
    ...(args && { args: args.map(text) }),
    ...(env && { env: map(env) }),
    ...(url !== undefined && { url: text(url) }),
    ...(headers && { headers: map(headers) }),
    ...(cwd !== undefined && { cwd: text(cwd) }),
  }
  const given = [...Object.values(expanded.env ?? {}), ...Object.values(expanded.headers ?? {})]
  // `Bearer x` is a word and a secret.
  const parts = given.flatMap((value) => [value, ...value.split(/\s+/)])
  return { server: expanded, missing: [...missing], secrets: [...new Set([...used, ...parts])].filter(couldBeSecret) }
}

/** A short value is a setting, such as a port or a level; a path is one too. */
function couldBeSecret(value: string): boolean {
  return value.length >= 12 && !/^(?:[/~.]|https?:)/i.test(value)
}

/** Whether the server names variables of the user. */
export function namesVariables(server: McpServer): boolean {
  return new RegExp(variable.source).test(JSON.stringify(server))
}
