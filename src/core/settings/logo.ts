import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Caller } from '../../kit/caller.ts'
import { failure } from '../../kit/errors.ts'
import type { StaffActor } from '../actor.ts'
import { type Act, act } from '../acts/act.ts'
import { type Db, prepared } from '../db.ts'
import type { Services } from '../services.ts'

/** The table has the same limit. */
export const maxLogoBytes = 256 * 1024

export const LogoRefused = failure(400, 'logo_refused', 'A logo must be a PNG, JPEG or WebP image')
export const LogoNotFound = failure(404, 'logo_not_found', 'There is no such logo')

/** Formats that browsers show as images and never run; an SVG may contain scripts. */
const kinds = [
  { type: 'image/png', extension: 'png', isOf: (content: Buffer) => content.subarray(0, 8).equals(pngSignature) },
  { type: 'image/jpeg', extension: 'jpg', isOf: (content: Buffer) => content.subarray(0, 3).equals(jpegSignature) },
  { type: 'image/webp', extension: 'webp', isOf: (content: Buffer) => /^RIFF.{4}WEBPVP8[ LX]/s.test(begin(content)) }
]
const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex')
const jpegSignature = Buffer.from('ffd8ff', 'hex')

function begin(content: Buffer): string {
  return content.toString('latin1', 0, 16)
}

/** The URL of the logo, if there is one; it changes with the content. */
export async function logoUrlOf(db: Db): Promise<string | null> {
  const [logo] = await storedLogo(db, {})
  return logo ? urlOf(logo) : null
}

/** The logo with this name, the last part of its URL. Throws `LogoNotFound`. */
export async function logoNamed(db: Db, name: string): Promise<{ content: Buffer; type: string; sha256: string }> {
  const [, sha256] = /^([0-9a-f]{64})\.[a-z]+$/.exec(name) ?? []
  const [logo] = sha256 ? await logoWithDigest(db, { sha256 }) : []
  if (!logo || nameOf(logo) !== name) throw LogoNotFound()
  return logo
}

/** Sets or replaces the logo, and returns its URL. Throws `LogoRefused`. */
export async function setLogo(services: Services, actor: StaffActor, content: Buffer, caller: Caller): Promise<string> {
  // The content decides the type: the sender chooses names and declared types.
  const kind = kinds.find(({ isOf }) => isOf(content))
  if (!kind) throw LogoRefused({ errors: ['logo'] })
  const logo = { content, type: kind.type, sha256: createHash('sha256').update(content).digest('hex') }
  await act(services, { actor, caller }, async act => {
    const { db } = act
    const before = await digestOfLocked(db)
    if (before === logo.sha256) return
    await storeLogo(db, { ...logo, now: act.now })
    recordChange(act, before, logo.sha256)
  })
  return urlOf(logo)
}

/** Removes the logo, if there is one. */
export async function removeLogo(services: Services, actor: StaffActor, caller: Caller): Promise<void> {
  await act(services, { actor, caller }, async act => {
    const { db } = act
    const before = await digestOfLocked(db)
    if (before === null) return
    await db.deleteFrom('desk_logo').execute()
    recordChange(act, before, null)
  })
}

/** Concurrent changes run one after the other, so that each records what it found. Readers do not wait. */
async function digestOfLocked(db: Db): Promise<string | null> {
  await sql`lock table desk_logo in share row exclusive mode`.execute(db)
  const [logo] = await storedLogo(db, {})
  return logo?.sha256 ?? null
}

function recordChange(act: Act, before: string | null, after: string | null): void {
  const subject = { type: 'setting', id: null } as const
  act.happened({ kind: 'setting.changed', subject, before: { logo_sha256: before }, after: { logo_sha256: after } })
}

interface Logo {
  type: string
  sha256: string
}

function urlOf(logo: Logo): string {
  return `/branding/logo/${nameOf(logo)}`
}

function nameOf({ type, sha256 }: Logo): string {
  return `${sha256}.${kinds.find(kind => kind.type === type)!.extension}`
}

const storedLogo = prepared(db => db.selectFrom('desk_logo').select(['type', 'sha256']))

const logoWithDigest = prepared((db, p: { sha256: string }) =>
  db.selectFrom('desk_logo').select(['content', 'type', 'sha256']).where('sha256', '=', p.sha256)
)

const storeLogo = prepared((db, p: Logo & { content: Buffer; now: Date }) => {
  const logo = { content: p.content, type: p.type, sha256: p.sha256, uploaded_at: p.now }
  return db
    .insertInto('desk_logo')
    .values(logo)
    .onConflict(conflict => conflict.column('is_only').doUpdateSet(logo))
})
