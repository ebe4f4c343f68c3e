import { domainToASCII } from 'node:url'
import providers from 'email-providers'
import { getPublicSuffix } from 'tldts'

/** Providers that the list does not have. */
const further = [
  'fastmail.com',
  'fastmail.fm',
  'posteo.de',
  'posteo.net',
  'tuta.com',
  'tuta.io',
  'tutamail.com',
  'tutanota.com',
  'tutanota.de',
  'duck.com',
  'vodafone.de'
]
/** It is for examples, and nobody's. */
const exempt = 'example.com'

const ofProviders: ReadonlySet<string> = new Set(
  [...providers, ...further].map(domain => domainToASCII(domain)).filter(domain => domain !== exempt)
)

/** Whether this domain is a part of the public suffix list, such as co.uk, under which anybody registers domains. */
export function isPublicSuffix(domain: string): boolean {
  return getPublicSuffix(domain) === domain
}

/** Whether anybody can have an e-mail address at this domain. */
export function isOfProvider(domain: string): boolean {
  return ofProviders.has(domain)
}
