/** The contract's yes and no. */
export function bit(value: boolean): 0 | 1 {
  return value ? 1 : 0
}
