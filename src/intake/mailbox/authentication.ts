import type { Authentication } from '../../core/tables/mails.ts'
import type { AuthenticationResults, MethodResult } from '../../platform/mail-reading/authentication-results.ts'
import type { Check, Checks } from '../../platform/mail-reading/check-authenticity.ts'

const nobody = { checked_by: null, spf: null, dkim: null, dmarc: null, arc: null }
const ourselves = 'deskline'
const maxCharacters = 255

type Verdict = Pick<Authentication, 'verdict' | 'reason'>

/** The mail could not be checked. */
export function notChecked(reason: 'not_checked' | 'too_much' = 'not_checked'): Authentication {
  return { ...nobody, verdict: 'unknown', reason }
}

/** A mail whose author is not its only From never passes, since the checks concern that From. */
export function withoutPass(told: Authentication, reason: 'several_authors' | 'reply_to'): Authentication {
  return told.verdict === 'pass' ? { ...told, verdict: 'none', reason } : told
}

/** The result of our own checks of the author's domain. `trusted`: the hosts whose ARC seals count. */
export function verdictOfOwnChecks(checks: Checks, { trusted }: { trusted: readonly string[] }): Authentication {
  const { spf, dmarc, arc } = checks
  const dkim = decisive(checks.signatures)
  return {
    ...verdictOf(checks, dkim, trusted),
    checked_by: ourselves,
    spf: spf && plain(spf),
    dkim: dkim ? plain(dkim) : null,
    dmarc: dmarc && plain(dmarc),
    arc: arc && plain(arc)
  }
}

function verdictOf({ spf, dmarc, arc }: Checks, dkim: Aligned | undefined, trusted: readonly string[]): Verdict {
  const isSealed = arc?.result === 'pass' && arc.told === 'pass' && isNamed(trusted, arc.domain)
  const own = [dkim, spf].filter(each => each?.isAligned)
  if (dmarc?.result === 'pass') return { verdict: 'pass', reason: 'dmarc' }
  if (isSealed) return { verdict: 'pass', reason: 'arc' }
  if (dmarc?.result === 'temperror' || own.some(each => each!.result === 'temperror'))
    return { verdict: 'unknown', reason: 'no_answer' }
  if (dmarc?.result === 'fail') {
    if (spf) return { verdict: 'fail', reason: 'dmarc' }
    // SPF could not be checked, so the mail may be genuine; but with a strict policy a broken signature is enough to fail it.
    const isForbidden = dmarc.policy === 'reject' || dmarc.policy === 'quarantine'
    if (isForbidden && dkim?.isAligned && dkim.result === 'fail') return { verdict: 'fail', reason: 'dkim' }
    return { verdict: 'unknown', reason: 'not_checked' }
  }
  return byAligned(dkim, spf)
}

type Aligned = Check & { isAligned: boolean }

/** For domains without a DMARC record. */
function byAligned(dkim: Aligned | undefined, spf: Aligned | null): Verdict {
  if (dkim?.isAligned && dkim.result === 'pass') return { verdict: 'pass', reason: 'dkim' }
  if (spf?.isAligned && spf.result === 'pass') return { verdict: 'pass', reason: 'spf' }
  if (spf?.isAligned && spf.result === 'fail') return { verdict: 'fail', reason: 'spf' }
  if (spf && dkim?.isAligned && dkim.result === 'fail') return { verdict: 'fail', reason: 'dkim' }
  return { verdict: 'none', reason: 'nothing_said' }
}

const order = ['pass', 'temperror', 'fail']

/** Of several signatures the most conclusive one of the author's domain, else any other. */
function decisive(signatures: readonly Aligned[]): Aligned | undefined {
  const rank = ({ result }: Aligned) => (order.includes(result) ? order.indexOf(result) : order.length)
  return signatures.toSorted(
    (one, other) => Number(other.isAligned) - Number(one.isAligned) || rank(one) - rank(other)
  )[0]
}

function plain({ result, domain, reason }: Check): Check {
  return { result, domain, reason }
}

/** Whether the domain of an ARC seal belongs to one of these hosts. */
function isNamed(hosts: readonly string[], domain: string | null): boolean {
  return domain !== null && hosts.some(host => host === domain || host.endsWith(`.${domain}`))
}

/**
 * What trusted servers have written into a mail: their topmost header, and headers of the same server directly beside it. Headers further down
 * came with the mail and are not trusted. Undefined if there are none.
 */
export function trustedResults(
  all: readonly AuthenticationResults[],
  trusted: readonly string[]
): { host: string; results: MethodResult[] } | undefined {
  const top = all.find(({ host }) => trusted.includes(host))
  if (!top) return undefined
  const own = all.filter(({ host, hop }) => host === top.host && hop === top.hop)
  return { host: top.host, results: own.flatMap(({ results }) => results) }
}

/** The verdict of a trusted server on a mail of this author. */
export function verdictOfTrustedHost(
  { host, results }: { host: string; results: readonly MethodResult[] },
  author: string
): Authentication {
  const domain = author.slice(author.lastIndexOf('@') + 1).toLowerCase()
  const of = (method: string, names: readonly string[]) =>
    results.flatMap(result => (result.method === method ? [checkOf(result, names, domain)] : []))
  const dkim = decisive(of('dkim', ['header.d', 'header.i']))
  const spf = decisive(of('spf', ['smtp.mailfrom', 'smtp.helo', 'smtp.mail'])) ?? null
  const arc = of('arc', ['header.d'])[0] ?? null
  // A DMARC result for another author is ignored; of two results the worse one counts.
  const ofAuthor = of('dmarc', ['header.from']).filter(each => each.domain === null || each.isAligned)
  const dmarc = ofAuthor.find(({ result }) => result === 'fail') ?? ofAuthor[0] ?? null
  return {
    ...verdictOfHost(dmarc, dkim, spf),
    checked_by: host,
    spf: spf && plain(spf),
    dkim: dkim ? plain(dkim) : null,
    dmarc: dmarc && plain(dmarc),
    arc: arc && plain(arc)
  }
}

function verdictOfHost(dmarc: Aligned | null, dkim: Aligned | undefined, spf: Aligned | null): Verdict {
  if (dmarc?.result === 'pass' || dmarc?.result === 'fail') return { verdict: dmarc.result, reason: 'dmarc' }
  const told = byAligned(dkim, spf)
  if (told.verdict !== 'none') return told
  if (dkim?.isAligned && dkim.result === 'fail') return { verdict: 'fail', reason: 'dkim' }
  const own = [dmarc, dkim, spf].filter(each => each?.isAligned)
  return own.some(each => each!.result === 'temperror') ? { verdict: 'unknown', reason: 'no_answer' } : told
}

function checkOf({ result, reason, properties }: MethodResult, names: readonly string[], author: string): Aligned {
  const named = names.map(name => properties[name]).find(value => value !== undefined)
  const domain =
    named
      ?.slice(named.lastIndexOf('@') + 1)
      .toLowerCase()
      .slice(0, maxCharacters) || null
  return {
    result: result.slice(0, 20),
    domain,
    reason: reason?.slice(0, maxCharacters) ?? null,
    isAligned: domain !== null && (domain === author || domain.endsWith(`.${author}`) || author.endsWith(`.${domain}`))
  }
}
