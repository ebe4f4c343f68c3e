/** A fault that cannot be played here; the message says why. */
export class Skipped extends Error {}
