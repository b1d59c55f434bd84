/**
 * What a file of a message may be at most, so that every provider takes it: models change within a session, and a file
 * that one of them refuses would make it refuse every later request. A test of `@loader/backends` holds these against
 * what providers publish.
 */
export const fileLimits = {
  /** Bytes of one image in base64. */
  imageBase64Bytes: 5 * 1024 * 1024,
  /** Pixels of its longer edge: what every request takes, however many images it has. */
  imageEdge: 2000,
  /** Pixels of its longer edge once it is scaled. Models scale larger ones themselves, and charge for them. */
  scaledEdge: 1568,
  /** Bytes of one PDF file in base64. */
  documentBase64Bytes: 12 * 1024 * 1024,
  documentPages: 100,
  /** Bytes of all files of one request in base64. */
  requestBase64Bytes: 16 * 1024 * 1024,
  /** Images of one request. */
  requestImages: 100,
} as const

/** The kinds of images that every model which sees images takes. */
export const imageTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/** The kind of documents that models take, if they take any. */
export const documentType = 'application/pdf'
