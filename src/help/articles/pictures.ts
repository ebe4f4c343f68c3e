import { createHash, randomBytes } from 'node:crypto'
import { type SqlBool, sql } from 'kysely'
import type { DeskActor, StaffActor } from '../../core/actor.ts'
import { type ActServices, act } from '../../core/acts/act.ts'
import type { Origin } from '../../core/audit/audit-actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Audience } from '../../core/tables/knowledge-base.ts'
import type { Caller } from '../../kit/caller.ts'
import { failure, InvalidFields } from '../../kit/errors.ts'
import { type Sight, visibleTexts } from './visibility.ts'

/** The table has the same limit. */
export const maxPictureBytes = 2 * 1024 * 1024

export const PictureRefused = failure(400, 'picture_refused', 'A picture must be a PNG, JPEG, WebP or GIF image')

/** Formats that browsers show as images and never run; the content decides, not a name. */
const kinds = [
  { type: 'image/png', extension: 'png', begin: /^\x89PNG\r\n\x1a\n/ },
  { type: 'image/jpeg', extension: 'jpg', begin: /^\xff\xd8\xff/ },
  { type: 'image/webp', extension: 'webp', begin: /^RIFF.{4}WEBPVP8[ LX]/s },
  { type: 'image/gif', extension: 'gif', begin: /^GIF8[79]a/ }
]

/** Stores a picture, and returns the address by which articles name it. Throws `PictureRefused`. */
export async function storePicture(
  services: ActServices,
  actor: StaffActor,
  caller: Caller,
  content: Buffer
): Promise<string> {
  const { type, extension } = kindOf(content)
  const name = `${randomBytes(16).toString('hex')}.${extension}`
  await store(services, actor, caller, { name, type, content })
  return `/help/files/${name}`
}

/** Stores a picture of another desk under the name that it has there, unless it is here already. Throws `PictureRefused`. */
export async function importPicture(
  services: ActServices,
  actor: DeskActor,
  origin: Origin,
  { name, content }: { name: string; content: Buffer }
): Promise<void> {
  const { type, extension } = kindOf(content)
  if (!name.endsWith(`.${extension}`) || content.length > maxPictureBytes) throw PictureRefused({ errors: ['file'] })
  await store(services, actor, origin, { name, type, content })
}

/** Throws `PictureRefused`. */
function kindOf(content: Buffer) {
  const kind = kinds.find(({ begin }) => begin.test(content.toString('latin1', 0, 16)))
  if (!kind) throw PictureRefused({ errors: ['file'] })
  return kind
}

async function store(
  services: ActServices,
  actor: DeskActor,
  caller: Origin,
  given: { name: string; type: string; content: Buffer }
): Promise<void> {
  const sha256 = createHash('sha256').update(given.content).digest('hex')
  await act(services, { actor, caller }, async act => {
    const by = actor.population === 'staff' ? actor.id : null
    const [added] = await insert(act.db, { ...given, sha256, by, now: act.now })
    if (!added) return
    const after = { title: given.name, bytes: given.content.length }
    act.happened({ kind: 'article.picture_uploaded', subject: { type: 'article_picture', id: added.id }, after })
  })
}

/** Which of these pictures there are. */
export async function knownPictures(db: Db, names: readonly string[]): Promise<Set<string>> {
  return new Set(names.length === 0 ? [] : (await known(db, { names })).map(({ name }) => name))
}

/** Records which pictures a version of a text shows. */
export async function savePictureUses(
  db: Db,
  text: { articleId: number; locale: string; version: number; html: string }
): Promise<void> {
  const names = [...text.html.matchAll(/\/help\/files\/([0-9a-f]{32}\.\w{3,4})"/g)].map(([, name]) => name!)
  if (names.length === 0) return
  const saved = await saveUses(db, { ...text, names })
  // One of them was swept away since it was looked up.
  if (saved.length < new Set(names).size) {
    throw InvalidFields({ message: 'A picture is not there any more: upload it again', errors: ['markdown'] })
  }
}

export interface Picture {
  type: string
  sha256: string
  content: Buffer
  /** The widest audience of those that may see it. */
  audience: Audience
}

/** The picture, for whoever sees an article that shows it now, and for staff, who may be writing one (K6, K11). */
export async function pictureFor(db: Db, sight: Sight, name: string): Promise<Picture | undefined> {
  for (const audience of sight.audience === 'public' ? (['public'] as const) : (['public', sight.audience] as const)) {
    const [shown] = await shownPicture(db, { ...sight, audience, name })
    if (shown) return { ...shown, audience }
  }
  const [picture] = sight.audience === 'staff' ? await anyPicture(db, { name }) : []
  return picture && { ...picture, audience: 'staff' }
}

const insert = prepared(
  (db, p: { name: string; type: string; content: Buffer; sha256: string; by: number | null; now: Date }) =>
    db
      .insertInto('kb_files')
      .values({
        name: p.name,
        type: p.type,
        content: p.content,
        sha256: p.sha256,
        uploaded_by: p.by,
        created_at: p.now
      })
      .onConflict(conflict => conflict.column('name').doNothing())
      .returning('id')
)

const known = prepared((db, p: { names: readonly string[] }) =>
  db.selectFrom('kb_files').where('name', '=', sql<string>`any(${p.names}::varchar[])`).select('name')
)

const saveUses = prepared((db, p: { articleId: number; locale: string; version: number; names: readonly string[] }) =>
  db
    .insertInto('kb_file_uses')
    .columns(['article_id', 'locale', 'version', 'file_id'])
    .expression(db =>
      db
        .selectFrom('kb_files')
        .where('name', '=', sql<string>`any(${p.names}::varchar[])`)
        .forKeyShare()
        .select([
          sql<number>`${p.articleId}::bigint`.as('article_id'),
          sql<string>`${p.locale}::varchar`.as('locale'),
          sql<number>`${p.version}::integer`.as('version'),
          'id'
        ])
    )
    .returning('file_id')
)

const shownPicture = prepared((db, p: Sight & { name: string }) =>
  db
    .selectFrom('kb_files')
    .where('kb_files.name', '=', p.name)
    .where(({ exists }) =>
      exists(
        visibleTexts(db, p)
          .innerJoin('kb_file_uses', join =>
            join
              .onRef('kb_file_uses.article_id', '=', 'kb_texts.article_id')
              .onRef('kb_file_uses.locale', '=', 'kb_texts.locale')
              .onRef('kb_file_uses.version', '=', 'kb_texts.published_version')
          )
          .where(sql<SqlBool>`kb_file_uses.file_id = kb_files.id`)
          .select('kb_texts.id')
      )
    )
    .select(['kb_files.type', 'kb_files.sha256', 'kb_files.content'])
)

const anyPicture = prepared((db, p: { name: string }) =>
  db.selectFrom('kb_files').where('name', '=', p.name).select(['type', 'sha256', 'content'])
)

/** The pictures that a version of any text shows. They are read one at a time, since they are large. */
export async function* exportedPictures(db: Db): AsyncGenerator<{ name: string; content: Buffer }> {
  for (let after = ''; ; ) {
    const [picture] = await nextPicture(db, { after })
    if (!picture) return
    yield picture
    after = picture.name
  }
}

const nextPicture = prepared((db, p: { after: string }) =>
  db
    .selectFrom('kb_files')
    .where('name', '>', p.after)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('kb_file_uses').whereRef('file_id', '=', 'kb_files.id').select('file_id'))
    )
    .select(['name', 'content'])
    .orderBy('name')
    .limit(1)
)

/**
 * Removes pictures that no version of any text has shown for a week since they were uploaded: whoever uploads one may still be writing. Versions are kept,
 * so that what one of them shows stays.
 */
export async function sweepPictures(db: Db, now: Date): Promise<void> {
  await removeUnused(db, { before: new Date(now.getTime() - 7 * 86_400_000) })
}

const removeUnused = prepared((db, p: { before: Date }) =>
  db
    .deleteFrom('kb_files')
    .where('created_at', '<=', p.before)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('kb_file_uses').whereRef('file_id', '=', 'kb_files.id').select('file_id')))
    )
)
