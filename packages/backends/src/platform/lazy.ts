/** Creates a value on first use and keeps it; for schemas, which take longer to build than to use. */
export function lazy<Made>(make: () => Made): () => Made {
  let made: Made | undefined
  return () => (made ??= make())
}
