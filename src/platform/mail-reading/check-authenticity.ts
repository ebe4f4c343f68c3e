import type { Readable } from 'node:stream'
import { arc } from 'mailauth/lib/arc/index.js'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { dmarc } from 'mailauth/lib/dmarc/index.js'
import { spf } from 'mailauth/lib/spf/index.js'
import { getAlignment } from 'mailauth/lib/tools.js'
import { boundedDns, type Lookup } from './bounded-dns.ts'

/** What is known of a mail without reading it. */
export interface ReceivedMail {
  /** The address in From. */
  author: string
  /** The public address it came from and the name in its HELO; undefined if unknown. */
  peer: { address: string; name: string } | undefined
  /** The sender in the envelope; empty for the null sender. */
  sender: string
  /** The name of this host. */
  host: string
  /** The DNS servers; those of this machine if empty. */
  servers: readonly string[]
}

/** The result of one check, in the terms of RFC 8601. */
export interface Check {
  result: string
  /** The domain that was checked. */
  domain: string | null
  reason: string | null
}

/** The results of all checks of a mail. Null: could not be checked. */
export interface Checks {
  spf: (Check & { isAligned: boolean }) | null
  signatures: (Check & { isAligned: boolean })[]
  dmarc: (Check & { policy: string | null }) | null
  /** `told`: the DMARC result in the last seal. */
  arc: (Check & { told: string | null }) | null
}

const minKeyBits = 1_024
const maxReasonCharacters = 200
const phase = { lookups: 30, milliseconds: 4_000 }

/** Checks SPF, DKIM, ARC and DMARC of a mail. Each has its own limits of lookups and time, so that none can use up another's. */
export async function checkAuthenticity(
  raw: Readable,
  { author, peer, sender, host, servers }: ReceivedMail
): Promise<Checks> {
  const domain = author.slice(author.lastIndexOf('@') + 1)
  const ask = () => boundedDns(servers, phase)
  const [dkim, sent] = await Promise.all([
    signaturesOf(raw, domain, keysOf(domain, ask(), ask())),
    peer ? spfOf({ peer, sender, host, domain }, ask()) : null
  ])
  const sealed = await sealOf(dkim.arc, domain, ask())
  // Without SPF, DMARC can only judge by signatures that were checked.
  const isWeighed = sent || dkim.signatures.some(({ result }) => result !== 'temperror')
  const told = isWeighed ? await dmarcOf(author, sent, dkim.signatures, ask()) : null
  return { spf: sent, signatures: dkim.signatures, dmarc: told, arc: sealed }
}

/** Slow signatures of other domains cannot use up the lookups of the author's keys. */
function keysOf(author: string, ofAuthor: Lookup, ofOthers: Lookup): Lookup {
  return (name, type) => {
    const signer = name.slice(name.indexOf('._domainkey.') + '._domainkey.'.length)
    return isAligned(author, signer) ? ofAuthor(name, type) : ofOthers(name, type)
  }
}

async function signaturesOf(raw: Readable, author: string, resolver: Lookup) {
  const { results, arc } = (await dkimVerify(raw, {
    resolver,
    minBitLength: minKeyBits,
    rejectRsaSha1: true
  })) as Awaited<ReturnType<typeof dkimVerify>> & { arc: ArcFound }
  const signatures = results.flatMap(({ status, signingDomain }) => {
    if (!signingDomain || status.result === 'none') return []
    const check = checkOf(status, signingDomain)
    // A signature of only a part of the text proves nothing, since the rest may be anybody's. A changed text is a failure, not a matter of
    // policy.
    if (status.result === 'pass' && 'underSized' in status && status.underSized)
      Object.assign(check, { result: 'policy', reason: 'covers only a part of the text' })
    if (status.result === 'neutral' && check.reason === 'body hash did not verify') check.result = 'fail'
    return [{ ...check, isAligned: isAligned(author, signingDomain) }]
  })
  return { signatures, arc }
}

type ArcFound = Parameters<typeof arc>[0]

async function sealOf(found: ArcFound, author: string, resolver: Lookup): Promise<Checks['arc']> {
  const { status, signature, authenticationResults } = await arc(found, { resolver, minBitLength: minKeyBits })
  if (status.result === 'none') return null
  const { result: told, header } = authenticationResults?.dmarc ?? {}
  const about = header?.from
  const isOfAuthor = typeof about !== 'string' || isAligned(author, about)
  const sealedBy = signature ? signature.signingDomain : undefined
  return { ...checkOf(status, sealedBy), told: isOfAuthor && typeof told === 'string' ? told.toLowerCase() : null }
}

async function spfOf(
  {
    peer,
    sender,
    host,
    domain
  }: { peer: { address: string; name: string }; sender: string; host: string; domain: string },
  resolver: Lookup
): Promise<Checks['spf']> {
  const found = await spf({
    sender,
    ip: peer.address,
    helo: peer.name,
    mta: host,
    resolver,
    maxElapsedTime: phase.milliseconds
  } as Parameters<typeof spf>[0])
  return { ...checkOf(found.status, found.domain), isAligned: isAligned(domain, found.domain) }
}

async function dmarcOf(
  author: string,
  sent: Checks['spf'],
  signatures: Checks['signatures'],
  resolver: Lookup
): Promise<Checks['dmarc']> {
  const found = await dmarc({
    headerFrom: [author],
    fromFields: 1,
    spfDomains: sent?.result === 'pass' && sent.domain ? [sent.domain] : [],
    dkimDomains: signatures.flatMap(({ result, domain }) => (result === 'pass' && domain ? [{ domain }] : [])),
    resolver
  })
  if (!found) return null
  const { result } = found.status
  const domain = author.slice(author.lastIndexOf('@') + 1)
  return { result, domain, reason: found.policy ? `p=${found.policy}` : null, policy: found.policy ?? null }
}

function isAligned(author: string, domain: string): boolean {
  return Boolean(getAlignment(author, [domain]))
}

function checkOf({ result, comment }: { result: string; comment?: string }, domain: string | undefined): Check {
  return {
    result,
    domain: domain ? domain.toLowerCase().slice(0, 255) : null,
    reason: typeof comment === 'string' && comment !== '' ? comment.slice(0, maxReasonCharacters) : null
  }
}
