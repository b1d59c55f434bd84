/** Variables of an environment, such as `process.env`. */
export type Variables = { readonly [name: string]: string | undefined }

/** The one place where this package looks at the process that it runs in. */
export function systemVariables(): Variables {
  return process.env
}
