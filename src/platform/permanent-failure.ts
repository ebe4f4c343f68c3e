/** The receiving side refuses this e-mail or text permanently, so retrying is useless. The message is its response. */
export class PermanentFailure extends Error {}
