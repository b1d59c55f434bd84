/** The default limits of compaction. */
export const compactionLimits = {
  /** How often the window may be compacted in one turn. */
  maxCompactions: 2,
  /** How many of the newest messages stay. */
  keepLastMessages: 4,
} as const
