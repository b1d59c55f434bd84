import * as z from 'zod/mini'
import { ForeignEvent } from './events/event.ts'
import type { Immutable } from './words/immutable.ts'
import { described, lazyObject, object, positive } from './words/schema.ts'

/** The document that `loader export --format json` writes and `loader import` reads. */
export const exportFormat = 'loader-export'

/** The version of the export format that this package writes and reads. */
export const exportVersion = 1

const snapshot = () => ({
  format: z.literal(exportFormat),
  version: positive,
  exportedAt: z.string(),
  loader: described(z.string(), 'version of the program'),
  session: object({ id: z.string(), title: z.string(), lastSeq: z.int() }),
  secrets: described(
    z.enum(['replaced', 'kept']),
    'replaced: what looked like a secret is a mark, such as [secret:aws:1f0c]',
  ),
  blobs: described(z.record(z.string(), z.string()), 'long texts, by the names that the events give'),
})

/** A whole session in one JSON document, as `loader export --format json` prints it. `parseExport` reads it back. */
export const ExportOutput = /* @__PURE__ */ described(
  /* @__PURE__ */ lazyObject(() => ({
    ...snapshot(),
    events: described(
      z.array(ForeignEvent),
      'the whole history; every field of each event is in session-event.schema.json of @loader/session-core',
    ),
  })),
  'loader export --format json',
)
export type ExportOutput = Immutable<z.infer<typeof ExportOutput>>

/** The document as it is read: each event is checked separately, so that fields unknown to this version survive. */
export const ExportInput = /* @__PURE__ */ lazyObject(() => ({ ...snapshot(), events: z.array(z.unknown()) }))
export type ExportInput = z.infer<typeof ExportInput>
