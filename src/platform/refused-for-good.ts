/** The other side refuses this e-mail or text and would refuse it again: no further try helps. The message is its answer. */
export class RefusedForGood extends Error {}
