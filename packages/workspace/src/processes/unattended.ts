/** What many programs take for a sign that nobody looks on. */
export const unattended: Readonly<Record<string, string>> = { CI: '1', NO_COLOR: '1' }

/** How much of the output of a check is kept. */
export const checkOutputCap = { headBytes: 12_000, tailBytes: 24_000 }
