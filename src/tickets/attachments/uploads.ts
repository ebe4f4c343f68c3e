import type { Actor } from '../../core/actor.ts'
import { countUpload } from '../../core/rate-limits/use-limits.ts'
import type { Services } from '../../core/services.ts'
import { failure } from '../../kit/errors.ts'
import type { UploadStore } from '../../kit/uploads.ts'
import type { StagedFile } from '../../platform/files/file-store.ts'
import { acceptedKind, cleanFileName } from '../../platform/files/kinds.ts'

export const FileRefused = failure(400, 'file_refused', 'This kind of file is not accepted')

/**
 * Receives the files of a request (decision 28): refused by type before any content is read, then staged in the file store. A verb keeps
 * them right before its transaction commits; files that are not kept are discarded with the request.
 */
export function uploadStore({ files, config }: Pick<Services, 'files' | 'config'>): UploadStore {
  return {
    async store(content, fileName, declaredType, release) {
      const name = cleanFileName(fileName)
      const kind = acceptedKind(name, declaredType)
      if (!kind) {
        content.resume()
        throw FileRefused({ message: `Files like ${name} are not accepted`, errors: ['attachments'] })
      }
      return await files.stage(
        content,
        { fileName: name, fileType: kind.fileType },
        { maxBytes: config.MAX_FILE_BYTES, release }
      )
    },
    forget: uploads => files.unstage(uploads as StagedFile[])
  }
}

/** The same for a caller: files of clients count against a rate limit, each before it is read. */
export function countedUploads(services: Services, actor: Actor | undefined, ip: string): UploadStore {
  const uploads = uploadStore(services)
  return {
    ...uploads,
    async store(content, ...file) {
      try {
        if (actor?.population === 'client') countUpload(services, actor.id, ip)
      } catch (error) {
        content.resume()
        throw error
      }
      return await uploads.store(content, ...file)
    }
  }
}
