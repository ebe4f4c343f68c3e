import { InvalidFields } from '../../kit/errors.ts'

const maxLength = 100
const pattern = /^[\p{Ll}\p{Lo}\p{N}]+(-[\p{Ll}\p{Lo}\p{N}]+)*$/u

/** The words of a title as a part of an address: "What E-042 means" is "what-e-042-means". Empty if it has none. */
export function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[äöü]/g, umlaut => ({ ä: 'ae', ö: 'oe', ü: 'ue' })[umlaut]!)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .normalize('NFC')
    .replaceAll(/[^\p{Ll}\p{Lo}\p{N}]+/gu, '-')
    .slice(0, maxLength)
    .replaceAll(/^-+|-+$/g, '')
}

/** The slug as it was given. Throws `InvalidFields`. */
export function validatedSlug(given: string, field: string): string {
  const slug = given.normalize('NFC')
  if (slug.length <= maxLength && pattern.test(slug)) return slug
  throw InvalidFields({
    message: `${field} has at most ${maxLength} small letters, digits and single hyphens between them`,
    errors: [field]
  })
}

/** The first of `slug`, `slug-2`, `slug-3` … that is free. */
export async function freeSlug(slug: string, isTaken: (slug: string) => Promise<boolean>): Promise<string> {
  const base = slug || 'article'
  let free = base
  for (let number = 2; await isTaken(free); number++) free = `${base}-${number}`
  return free
}
