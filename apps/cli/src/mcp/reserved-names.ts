import { localTools } from '@loader/tools'

/** The names that the agent's own tools answer to: no tool of a server may be taken for one of them. */
export function reservedNames(root: string): readonly string[] {
  return localTools({ root }).flatMap(({ name, aliases }) => [
    name,
    ...(aliases?.names ?? []).map((alias) => (typeof alias === 'string' ? alias : alias.name)),
  ])
}
