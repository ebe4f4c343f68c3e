const longest = 1000

/**
 * Whether a `Prefer` header asks for `handling=strict` (RFC 7240). Names and values count whatever their case; of a preference
 * that comes several times the first does; parameters mean nothing.
 */
export function prefersStrict(header: string | readonly string[] | undefined): boolean {
  if (header === undefined) return false
  const text = [header].flat().join(',').slice(0, longest)
  for (const preference of text.match(/(?:[^",]|"(?:\\.|[^"\\])*")+/g) ?? []) {
    const [, name, value] = /^\s*([^\s=;]+)\s*(?:=\s*([^;]*))?/.exec(preference) ?? []
    if (name?.toLowerCase() === 'handling') return /^"?strict"?\s*$/i.test(value ?? '')
  }
  return false
}

/** What the answer says where it was handled so. */
export const appliedStrictly = { 'preference-applied': 'handling=strict' }
