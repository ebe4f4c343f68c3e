import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { FileTooLarge, MissingFields, TooManyFiles } from '../../../kit/errors.ts'
import { OutputText } from '../../../kit/schemas.ts'
import { maxPictureBytes, PictureRefused, storePicture } from '../pictures.ts'

/** Stores a picture for articles: `![words](url)` shows it, to whoever sees an article that does (K6, K11). */
export const uploadPicture = endpoint({
  path: '/api/admin/kb/files/upload',
  summary: 'Upload a picture for articles: one PNG, JPEG, WebP or GIF image of at most 2 MB',
  access: { anyOf: ['tickets.reply'] },
  about: 'caller',
  files: { maxInMemoryBytes: maxPictureBytes },
  status: 201,
  data: Type.Object({
    file: Type.Object({ url: OutputText('/help/files/9f86d081884c7d659a2feaa0c55ad015.png') })
  }),
  errors: [PictureRefused, FileTooLarge, TooManyFiles],
  async handle({ files: [file], actor, caller, services }) {
    if (!file) {
      throw MissingFields({ message: 'Missing required fields: file (a file, in a multipart body)', errors: ['file'] })
    }
    return {
      message: 'Picture stored',
      data: { file: { url: await storePicture(services, actor, caller, file.content) } }
    }
  }
})
