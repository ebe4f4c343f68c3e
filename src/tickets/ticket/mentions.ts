interface Named {
  first_name: string
  last_name: string
  email: string
}

// After a letter or digit, an @ is part of an e-mail address, not a mention.
const mention = /(?<![\p{L}\p{N}._+-])@([\p{L}\p{N}][\p{L}\p{M}\p{N}._+'’-]*(?:@[\p{L}\p{N}.-]+)?)/gu

/** Returns a function that tells whether a note mentions somebody, as @first.last or @their@email.address, in any case. */
export function mentionsIn(note: string): (somebody: Named) => boolean {
  const named = new Set([...folded(note).matchAll(mention)].map(match => match[1]!.replace(/[.'’-]+$/, '')))
  return ({ first_name, last_name, email }) =>
    named.has(folded(email)) || named.has(folded(`${first_name} ${last_name}`.trim().replace(/\s+/g, '.')))
}

function folded(text: string): string {
  return text.normalize('NFC').toLowerCase()
}
