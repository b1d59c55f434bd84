import { join } from 'node:path'
import { entriesOf, type FilePlace, inProject, isFile, textOf } from '../text/files-in.ts'
import { parseSkill, type Skill } from './skill-file.ts'

/** Where skills are looked for. */
export interface SkillPlaces {
  /** The project. */
  readonly root: string
  /** The folder of the user's own settings. */
  readonly config: string
  readonly home?: string
}

/** The skills that were found, by name, and the files that are none. */
export interface SkillFiles {
  readonly skills: ReadonlyMap<string, Skill>
  readonly faults: readonly { readonly file: string; readonly why: string }[]
}

/** Folders with more entries were not made for skills. */
const mostSkills = 300

/** The folders that are looked into, those of the project first. */
function skillFolders({ root, config, home }: SkillPlaces): readonly FilePlace[] {
  return [
    inProject(root, '.agents', 'skills'),
    inProject(root, '.claude', 'skills'),
    { folder: join(config, 'skills'), origin: 'user' },
    ...(home === undefined
      ? []
      : [
          { folder: join(home, '.agents', 'skills'), origin: 'user' } as const,
          { folder: join(home, '.claude', 'skills'), origin: 'user' } as const,
        ]),
  ]
}

/** The skills of this project and of the user. One of the project comes before one of the user with the same name. */
export function readSkills(places: SkillPlaces): SkillFiles {
  const skills = new Map<string, Skill>()
  const faults: { file: string; why: string }[] = []
  for (const place of skillFolders(places)) {
    const names = entriesOf(place).flatMap((entry) => (entry.name.startsWith('.') ? [] : [entry.name]))
    for (const folderName of names.slice(0, mostSkills)) {
      const folder = join(place.folder, folderName)
      const file = join(folder, 'SKILL.md')
      if (!isFile(file)) continue
      const read = textOf(file, place)
      const about = { folder, file, folderName, origin: place.origin }
      const parsed = 'why' in read ? { ok: false as const, ...read } : parseSkill(about, read.text)
      if (!parsed.ok) faults.push({ file, why: parsed.why })
      else if (!skills.has(parsed.skill.name)) skills.set(parsed.skill.name, parsed.skill)
    }
  }
  return { skills, faults }
}
