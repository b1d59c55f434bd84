/** What axe says of a page. */
export interface Audited {
  /** Findings that are serious or critical, with the elements. */
  readonly serious: readonly string[]
  /** How many elements it has measured the contrast of, and found it good. */
  readonly measured: number
}

/** To be evaluated in a page into which axe was put. `rules` are options of axe, `within` is what is looked at. */
export function audit(rules: object, within = 'html'): string {
  return `axe.run(document.querySelector(${JSON.stringify(within)}), {
    resultTypes: ['violations', 'passes'],
    ...${JSON.stringify(rules)},
  }).then(({ violations, passes }) => ({
    serious: violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ' ' + target + ' ' + failureSummary)),
    measured: passes.filter(({ id }) => id === 'color-contrast').reduce((sum, { nodes }) => sum + nodes.length, 0),
  }))`
}
