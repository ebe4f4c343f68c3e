import type { StaffActor } from '../../core/actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import { countAll } from '../../core/rate-limits/rate-limit.ts'
import type { Services } from '../../core/services.ts'
import { NotSent } from '../../platform/outgoing/outgoing.ts'
import { originalFor } from './original-mail.ts'
import { readStored } from './process-mail.ts'

const mostPictures = 30
const mostAtOnce = 4
const mostBytes = 2_000_000
const mostBytesTogether = 8_000_000
const loadsAnHour = 200
const hourSeconds = 3600
/** Somebody waits for them. */
const togetherMilliseconds = 20_000

export const pictureTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const
type PictureType = (typeof pictureTypes)[number]

/** A picture that an e-mail names, by its number in the HTML. */
export interface RemotePicture {
  number: number
  type: PictureType
  content: Buffer
}

/**
 * Loads the pictures that an e-mail names and that did not come with it, because somebody wants to see them now: from here, so that their server learns
 * neither who reads it nor where. Nothing is kept. The addresses are only in the raw message. Throws `OriginalNotFound`, 429 after too many.
 */
export async function loadRemotePictures(
  services: Services,
  actor: StaffActor,
  id: number,
  withinMilliseconds = togetherMilliseconds
): Promise<RemotePicture[]> {
  const { file_path, size_bytes } = await originalFor(services.db, actor, id)
  await countAll(services, [
    { key: `remote-pictures:staff:${actor.id}`, kind: 'remote-pictures', most: loadsAnHour, seconds: hourSeconds }
  ])
  const [envelope] = await envelopeOf(services.db, { id })
  const read = await readStored(services, { id, file_path, size_bytes, ...envelope! })
  if (typeof read === 'string') return []
  const left = read.remotePictures.slice(0, mostPictures).map((address, number) => ({ address, number }))
  const found: RemotePicture[] = []
  let bytes = 0
  const signal = AbortSignal.timeout(withinMilliseconds)
  const load = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      if (signal.aborted || bytes >= mostBytesTogether) return
      const content = await picture(services.pictureServers, next.address, signal)
      const type = content && typeOf(content)
      if (!type || bytes + content.length > mostBytesTogether) continue
      bytes += content.length
      found.push({ number: next.number, type, content })
    }
  }
  await Promise.all(Array.from({ length: mostAtOnce }, load))
  return found.toSorted((one, other) => one.number - other.number)
}

/** Undefined if it is not there, too large, or must not be asked for. */
async function picture(
  servers: Services['pictureServers'],
  address: string,
  signal: AbortSignal
): Promise<Buffer | undefined> {
  const url = new URL(address)
  // As browsers do: most servers answer by both.
  if (url.protocol === 'http:' && (await servers.refusal(url)) !== undefined) url.protocol = 'https:'
  const wanted = { method: 'GET', headers: { accept: 'image/*' }, keptBytes: mostBytes + 1 }
  const answer = await servers.send(url, wanted, signal).catch(error => {
    if (!(error instanceof NotSent)) throw error
  })
  return answer?.status === 200 && answer.bytes.length <= mostBytes ? answer.bytes : undefined
}

/** By its first bytes, whatever its server says. SVG is none of these: it is a document. */
function typeOf(content: Buffer): PictureType | undefined {
  const begins = content.toString('latin1', 0, 12)
  if (begins.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (begins.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (/^GIF8[79]a/.test(begins)) return 'image/gif'
  return /^RIFF.{4}WEBP/s.test(begins) ? 'image/webp' : undefined
}

const envelopeOf = prepared((db: Db, p: { id: number }) =>
  db.selectFrom('inbound_mails').where('id', '=', p.id).select(['envelope_sender', 'envelope_recipient'])
)
