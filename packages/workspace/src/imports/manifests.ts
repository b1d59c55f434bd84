import * as z from 'zod'
import { jsonOf } from './json-text.ts'
import { type ProjectFiles, ancestors, folderOf, joined } from './project-files.ts'

const Strings = z.record(z.string(), z.string().catch('')).optional().catch(undefined)
const Text = z.string().optional().catch(undefined)

const ManifestFile = z.object({
  name: Text,
  main: Text,
  module: Text,
  source: Text,
  types: Text,
  typings: Text,
  exports: z.unknown().optional(),
  imports: z.unknown().optional(),
  workspaces: z
    .union([z.array(z.string()), z.object({ packages: z.array(z.string()) }).transform((it) => it.packages)])
    .optional()
    .catch(undefined),
  dependencies: Strings,
  devDependencies: Strings,
  peerDependencies: Strings,
  optionalDependencies: Strings,
})

export interface Manifest extends z.infer<typeof ManifestFile> {
  readonly folder: string
}

/** What an import finds under the name of a package. */
export type OwnPackage =
  | { readonly kind: 'own'; readonly manifest: Manifest }
  /** Not a package of this project, as far as can be told. */
  | { readonly kind: 'other' }
  /** Several packages of the project have the name, or one of the project and an installed one. */
  | { readonly kind: 'ambiguous' }

/** The `package.json` files of a project. */
export class Manifests {
  readonly #byFolder = new Map<string, Manifest>()
  readonly #byName = new Map<string, Manifest[]>()
  readonly #files: ProjectFiles

  constructor(files: ProjectFiles, all: Iterable<Manifest>) {
    this.#files = files
    for (const manifest of all) {
      this.#byFolder.set(manifest.folder, manifest)
      if (manifest.name !== undefined && !isInstalled(manifest.folder)) {
        this.#byName.set(manifest.name, [...(this.#byName.get(manifest.name) ?? []), manifest])
      }
    }
  }

  at(folder: string): Manifest | undefined {
    return this.#byFolder.get(folder)
  }

  /** The manifest of the package that a file belongs to. */
  of(path: string): Manifest | undefined {
    return this.#above(path)[0]
  }

  /**
   * Resolves a package name in a file. A package of the project is used if it is the file's own, if a manifest above
   * the file links to it (`workspace:`, `link:`, `file:`, `portal:`), or if `workspaces` lists it. A package that
   * merely lies in the project, in a folder of fixtures for instance, is not.
   */
  named(name: string, path: string): OwnPackage {
    const above = this.#above(path)
    const own = above.find((it) => it.name === name)
    if (own !== undefined) return { kind: 'own', manifest: own }
    for (const manifest of above) {
      const wanted = wantedOf(manifest, name)
      const place = /^(?:file|link|portal|workspace):(\.{0,2}\/.*|\.{1,2})$/.exec(wanted ?? '')?.[1]
      const linked = place === undefined ? undefined : joined(manifest.folder, place)
      const found = linked === undefined ? undefined : this.at(this.#files.folder(linked) ?? linked)
      if (found !== undefined) return { kind: 'own', manifest: found }
    }
    const candidates = this.#byName.get(name) ?? []
    if (candidates.length === 0) return { kind: 'other' }
    const isWanted = above.some((it) => wantedOf(it, name)?.startsWith('workspace:'))
    const members = candidates.filter((it) => isWanted || this.#isMember(it))
    const [only] = members
    if (only !== undefined && members.length === 1) return { kind: 'own', manifest: only }
    const isPossible = members.length > 1 || candidates.some((it) => this.#mayBeMember(it))
    return { kind: isPossible ? 'ambiguous' : 'other' }
  }

  #above(path: string): readonly Manifest[] {
    return ancestors(folderOf(path)).flatMap((folder) => this.#byFolder.get(folder) ?? [])
  }

  #isMember({ folder }: Manifest): boolean {
    return ancestors(folder).some((above) => {
      const globs = this.#byFolder.get(above)?.workspaces ?? []
      const inside = above === '' ? folder : folder.slice(above.length + 1)
      const fits = (glob: string) => globPattern(glob).test(inside)
      const taken = globs.filter((it) => !it.startsWith('!'))
      return taken.some(fits) && !globs.some((it) => it.startsWith('!') && fits(it.slice(1)))
    })
  }

  /** pnpm may link a member for a plain version range; its workspace list is not read. */
  #mayBeMember({ folder }: Manifest): boolean {
    return ancestors(folder).some((above) => this.#files.has(inFolder(above, 'pnpm-workspace.yaml')))
  }
}

export async function readManifest(path: string, text: string, milliseconds: number): Promise<Manifest | undefined> {
  const manifest = ManifestFile.safeParse(await jsonOf(text, milliseconds)).data
  return manifest === undefined ? undefined : { ...manifest, folder: folderOf(path) }
}

export function inFolder(folder: string, path: string): string {
  return folder === '' ? path : `${folder}/${path}`
}

function isInstalled(folder: string): boolean {
  return `/${folder}/`.includes('/node_modules/')
}

function wantedOf(manifest: Manifest, name: string): string | undefined {
  const { dependencies, devDependencies, peerDependencies, optionalDependencies } = manifest
  const lists = [dependencies, devDependencies, optionalDependencies, peerDependencies]
  return lists
    .map((it) => (it !== undefined && Object.hasOwn(it, name) ? it[name] : undefined))
    .find((it) => it !== undefined)
}

function globPattern(glob: string): RegExp {
  const parts = glob
    .replace(/^\.\//, '')
    .replace(/\/$/, '')
    .split(/(\*\*\/?|\*)/)
  const pattern = parts.map((part) => {
    if (part.startsWith('**')) return '.*'
    return part === '*' ? '[^/]*' : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  })
  return new RegExp(`^${pattern.join('')}$`)
}
