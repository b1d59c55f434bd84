/**
 * Which decisions this version makes; `policy.applied` records it. A recording with other ones is folded and never
 * decided again: what was right by the rules of then would differ by those of now. 2: permits by reach. 3: the
 * workspace is known by its trees. 4: facts, statements and trials decide how a turn ends.
 */
export const decisions = 4
