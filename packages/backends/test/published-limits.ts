/** What a provider publishes about files of a request. Absent: it publishes nothing. */
interface PublishedLimits {
  readonly imageBase64Bytes?: number
  /** Pixels of an edge. */
  readonly imageEdge?: number
  /** The same in a request of many images, and how many are many. */
  readonly edgeOfMany?: { readonly pixels: number; readonly above: number }
  readonly images?: number
  readonly requestBytes?: number
  readonly documentBytes?: number
  readonly documentPages?: number
  readonly imageTypes: readonly string[]
  readonly sources: readonly string[]
}

const usual = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const
const MiB = 1024 * 1024
const claudeDocs = 'https://platform.claude.com/docs/en/build-with-claude'

/**
 * The limits of providers. Files are not made to measure for each of them: what a session keeps fits all (`fileLimits`
 * of `@loader/session-core`), because the next model may be another's. A test holds one against the other.
 */
export const publishedLimits: Readonly<Record<string, PublishedLimits>> = {
  anthropic: {
    imageBase64Bytes: 5 * MiB,
    imageEdge: 8000,
    edgeOfMany: { pixels: 2000, above: 20 },
    images: 100,
    requestBytes: 32 * MiB,
    documentBytes: 32 * MiB,
    documentPages: 100,
    imageTypes: usual,
    sources: [
      `${claudeDocs}/vision`,
      `${claudeDocs}/pdf-support`,
      'https://github.com/anthropics/claude-code/issues/19631',
      'https://github.com/anthropics/claude-code/issues/9375',
    ],
  },
  openai: {
    images: 500,
    requestBytes: 50 * MiB,
    documentBytes: 50 * MiB,
    imageTypes: usual,
    sources: [
      'https://platform.openai.com/docs/guides/images-vision#image-input-requirements',
      'https://platform.openai.com/docs/guides/pdf-files',
    ],
  },
  google: {
    images: 3000,
    requestBytes: 20 * MiB,
    documentBytes: 50 * MiB,
    documentPages: 1000,
    // Of GIF the documents do not speak; its first picture is sent in another form.
    imageTypes: ['image/png', 'image/jpeg', 'image/webp'],
    sources: [
      'https://ai.google.dev/gemini-api/docs/image-understanding',
      'https://ai.google.dev/gemini-api/docs/document-processing',
    ],
  },
  // Nothing is published; images go to a local server, which scales them for its model.
  ollama: { imageTypes: ['image/png', 'image/jpeg'], sources: ['https://docs.ollama.com/capabilities/vision'] },
}
