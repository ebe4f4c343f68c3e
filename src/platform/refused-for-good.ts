/** The other side refuses this letter or text and would refuse it again: no further try helps. The message is its answer. */
export class RefusedForGood extends Error {}
