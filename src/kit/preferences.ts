const longest = 1000

/**
 * Whether a `Prefer` header requests `handling=strict` (RFC 7240). Names and values are case-insensitive; of a repeated preference
 * the first counts; parameters are ignored.
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

/** The `Preference-Applied` header of the response. */
export const strictPreferenceApplied = { 'preference-applied': 'handling=strict' }
