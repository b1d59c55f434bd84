/** Caches the result for the latest argument, compared by identity. */
export function latest<Thing extends object, Made>(make: (thing: Thing) => Made): (thing: Thing) => Made {
  let known: { readonly thing: Thing; readonly made: Made } | undefined
  return (thing) => {
    if (known?.thing !== thing) known = { thing, made: make(thing) }
    return known.made
  }
}
