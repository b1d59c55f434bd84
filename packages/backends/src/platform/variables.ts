/** Variables of an environment, such as `process.env`. */
export type Variables = { readonly [name: string]: string | undefined }

/** The only place where this package reads the environment of the process. */
export function systemVariables(): Variables {
  return process.env
}
