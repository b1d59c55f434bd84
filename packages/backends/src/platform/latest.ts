/** Keeps what was made of the latest thing: the same thing, by its identity, gets the same again. */
export function latest<Thing extends object, Made>(make: (thing: Thing) => Made): (thing: Thing) => Made {
  let known: { readonly thing: Thing; readonly made: Made } | undefined
  return (thing) => {
    if (known?.thing !== thing) known = { thing, made: make(thing) }
    return known.made
  }
}
