/** The filter of held e-mails, as it is in the address. */
export interface HeldSearch {
  reason?: string
  q?: string
}

export function heldSearchOf({ reason, q }: Record<string, unknown>): HeldSearch {
  return { ...(typeof reason === 'string' && { reason }), ...(q !== undefined && q !== '' && { q: String(q) }) }
}
