/** What was seen of a project. */
export interface ProjectLook {
  readonly name: string
  readonly kind: string | undefined
  readonly packageManager: string | undefined
  readonly commands: Readonly<Record<string, string>>
  readonly folders: readonly string[]
  readonly readme: { readonly name: string; readonly text: string } | undefined
}

/** A page for agents with what was seen, and nothing that was guessed. */
export function projectPage({ name, kind, packageManager, commands, folders, readme }: ProjectLook): string {
  const made = [
    kind === undefined ? undefined : `Kind of project: ${kind}`,
    packageManager && `Packages: ${packageManager}`,
  ]
  const about = readme === undefined ? undefined : firstSentence(readme.text)
  return [
    `# ${name}`,
    ...(about === undefined ? [] : ['', about]),
    ...section('The project', [
      ...made.flatMap((line) => line ?? []),
      ...(folders.length === 0 ? [] : [`Folders: ${folders.map((folder) => `\`${folder}\``).join(', ')}`]),
      ...(readme === undefined ? [] : [`What it is about: \`${readme.name}\``]),
    ]),
    ...section(
      'Commands',
      Object.entries(commands).map(([what, command]) => `${what}: \`${command}\``),
    ),
    '',
  ].join('\n')
}

function section(title: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : ['', `## ${title}`, '', ...items.map((item) => `- ${item}`)]
}

/** The first paragraph that is text: no heading, no picture, no badge. */
function firstSentence(text: string): string | undefined {
  const paragraphs = text.split(/\r?\n\s*\r?\n/).map((one) => one.replace(/\s+/g, ' ').trim())
  const first = paragraphs.find((one) => /^[\p{L}\p{N}*_`]/u.test(one))
  return first !== undefined && first.length <= longest ? first : undefined
}

const longest = 400
