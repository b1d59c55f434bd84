import { documentType, type FilePart, LoaderError } from '@loader/session-core'
import { isImage, type Takes } from './files-left-out.ts'

/** Refuses files that the model cannot take, before anything is recorded. What is not known of a model is tried. */
export function requireTaken(files: readonly FilePart[], model: string, takes: Takes): void {
  if (takes.images === false && files.some(isImage)) {
    const other = 'Take a model that sees them, or describe in words what they show.'
    throw new LoaderError('unsupported', `${model} cannot see images. ${other}`)
  }
  if (takes.documents === false && files.some(({ mediaType }) => mediaType === documentType)) {
    const other = 'Take a model that reads them, or put the file into the project: the model can read its text.'
    throw new LoaderError('unsupported', `${model} does not read PDF files. ${other}`)
  }
}
