import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { StagedFile } from '../../platform/files/file-store.ts'
import { acceptedKind, cleanFileName } from '../../platform/files/kinds.ts'
import type { MailFile } from '../../platform/mail-reading/body.ts'
import type { ReadMail } from '../../platform/mail-reading/read-mail.ts'

/** A file of a mail in the store. */
export type MailedFile = StagedFile & { contentId: string | undefined }

/** A file that was left out. */
export interface Omitted {
  file_name: string
  reason: 'kind' | 'too_large' | 'too_many'
}

/** Stages the files that the desk accepts. If there are too many, attachments come before inline images. Our own quoted logo is left out. */
export async function stageFiles(
  { files, config, db }: Pick<Services, 'files' | 'config' | 'db'>,
  mail: Pick<ReadMail, 'files' | 'omittedFiles'>
): Promise<{ staged: MailedFile[]; omitted: Omitted[] }> {
  const staged: MailedFile[] = []
  const omitted: Omitted[] = mail.omittedFiles.map(name => ({ file_name: cleanFileName(name), reason: 'too_many' }))
  const isInText = ({ contentId }: MailFile) => contentId !== undefined && mail.files.length > config.MAX_FILES
  const theirs = await withoutOwnLogo(db, mail.files)
  const inOrder = [...theirs.filter(file => !isInText(file)), ...theirs.filter(isInText)]
  try {
    for (const { name, type, content, contentId } of inOrder) {
      const fileName = cleanFileName(name)
      const kind = acceptedKind(fileName, type)
      if (!kind) omitted.push({ file_name: fileName, reason: 'kind' })
      else if (content.length > config.MAX_FILE_BYTES) omitted.push({ file_name: fileName, reason: 'too_large' })
      else if (staged.length >= config.MAX_FILES) omitted.push({ file_name: fileName, reason: 'too_many' })
      else {
        const bytes = Readable.from([Buffer.from(content.buffer, content.byteOffset, content.byteLength)])
        const options = { maxBytes: config.MAX_FILE_BYTES }
        staged.push({ ...(await files.stage(bytes, { fileName, fileType: kind.fileType }, options)), contentId })
      }
    }
  } catch (error) {
    await files.unstage(staged)
    throw error
  }
  return { staged, omitted }
}

/** Mail programs send back the images of what they quote. */
async function withoutOwnLogo(db: Db, files: readonly MailFile[]): Promise<readonly MailFile[]> {
  if (!files.some(({ contentId }) => contentId !== undefined)) return files
  const [logo] = await ownLogo(db, {})
  return files.filter(({ contentId, content }) => contentId === undefined || digestOf(content) !== logo?.sha256)
}

function digestOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

const ownLogo = prepared(db => db.selectFrom('desk_logo').select('sha256'))

const why: Record<Omitted['reason'], string> = {
  kind: 'files of this kind are not accepted',
  too_large: 'it is too large',
  too_many: 'there were too many files'
}

/** The text of a message with a list of the files that were left out. */
export function withOmitted(text: string, omitted: readonly Omitted[]): string {
  const lines = omitted.slice(0, 20).map(({ file_name, reason }) => `[Not attached: ${file_name} (${why[reason]})]`)
  return [text, lines.join('\n')].filter(part => part !== '').join('\n\n')
}

/** The HTML with its inline images at their stored paths; missing images leave only their alternative text. */
export function withImages(html: string | undefined, files: readonly MailedFile[]): string | null {
  if (html === undefined) return null
  const paths = new Map(files.map(({ contentId, path }) => [contentId, path]))
  return html.replace(/(<img[^>]*?) src="cid:([^"]*)"/g, (_, before: string, id: string) => {
    const path = paths.get(decoded(id)) ?? paths.get(id)
    return path ? `${before} src="${path}"` : before
  })
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id.replaceAll('&amp;', '&'))
  } catch {
    return id
  }
}
