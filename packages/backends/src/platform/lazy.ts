/** Makes something when it is first asked for, and keeps it: schemas, say, which take longer to build than to use. */
export function lazy<Made>(make: () => Made): () => Made {
  let made: Made | undefined
  return () => (made ??= make())
}
