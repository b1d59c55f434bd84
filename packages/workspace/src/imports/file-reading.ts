/** What was read from one file, independent of its location: plain JSON that depends only on the content. */
export type FileReading = JavaScriptReading | PythonReading

interface Reading {
  /** Lines with an import whose target is computed when the program runs. */
  readonly computed: readonly number[]
  readonly names: readonly NameText[]
  /** The parser had to skip a part, so an import may be missing here. */
  readonly broken: boolean
}

export interface JavaScriptReading extends Reading {
  readonly language: 'javascript'
  readonly imports: readonly JavaScriptImport[]
}

export interface PythonReading extends Reading {
  readonly language: 'python'
  readonly imports: readonly PythonImport[]
}

export interface JavaScriptImport {
  readonly text: string
  /** `path` is a fixed URL beside the file, or a reference of TypeScript: never a package. */
  readonly by: 'import' | 'require' | 'path'
  readonly kind: ImportKind
  readonly line: number
}

export interface PythonImport {
  /** The number of leading dots. */
  readonly level: number
  /** Empty in `from . import a`. */
  readonly module: string
  /** The imported names: attributes of the module, or modules below it. */
  readonly names: readonly string[]
  readonly kind: ImportKind
  readonly line: number
}

/** Type imports are gone when the program runs. */
export type ImportKind = 'value' | 'type'

/** A fixed text that may name a file or a folder. */
export interface NameText {
  readonly text: string
  /** `word`: a bare word, which is more likely to mean something else. */
  readonly as: 'path' | 'word'
  readonly line: number
}
