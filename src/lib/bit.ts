/** A boolean as the contract's 0 or 1. */
export function bit(value: boolean): 0 | 1 {
  return value ? 1 : 0
}
