// The part of docs/models.md that is made of the table of providers.
import { type KnownProvider, knownProviders } from '@loader/backends'
import { table, withParts } from './cli-reference.ts'

/** docs/models.md with the providers as they are known now. */
export function withProviders(document: string): string {
  return withParts(document, {
    providers: () =>
      table(
        ['name', 'provider', 'key', 'package for libraries', 'checked by'],
        knownProviders.map((provider) => [
          `\`${provider.name}/…\``,
          provider.title,
          keyOf(provider),
          provider.package === undefined
            ? ''
            : `\`${provider.package}\`${provider.bundled ? '' : ', also for the command'}`,
          testedBy[provider.tested],
        ]),
      ),
  })
}

function keyOf({ key, keyVariables, baseUrl }: KnownProvider): string {
  const names = keyVariables.map((name) => `\`${name}\``).join(' or ')
  if (key === 'required') return names
  return baseUrl === undefined ? `${names}, or an account` : `none needed, or ${names}`
}

const testedBy: Readonly<Record<KnownProvider['tested'], string>> = {
  'strict server': 'the strict server',
  'compared request': 'a compared request',
  'not tried': '**not tried**',
}
