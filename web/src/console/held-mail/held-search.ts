/** What of the held e-mails is shown, as the address says it. */
export interface HeldSearch {
  reason?: string
  q?: string
}

export function heldSearchOf({ reason, q }: Record<string, unknown>): HeldSearch {
  return { ...(typeof reason === 'string' && { reason }), ...(q !== undefined && q !== '' && { q: String(q) }) }
}
