import { localTools } from '@loader/tools'

/** Names of the agent's own tools. A tool of a server must not be mistaken for one of them. */
export function reservedNames(root: string): readonly string[] {
  return localTools({ root }).flatMap(({ name, aliases }) => [
    name,
    ...(aliases?.names ?? []).map((alias) => (typeof alias === 'string' ? alias : alias.name)),
  ])
}
