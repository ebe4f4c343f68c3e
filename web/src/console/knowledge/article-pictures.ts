import { post } from '../../app/api-client.ts'
import { hasReason } from '../../app/failures.ts'
import { t } from '../../lib/strings.ts'
import type { PictureStore } from '../../ui/markdown-field/markdown-field.tsx'
import { knowledgeFailureText } from './knowledge-base.ts'

/** Pictures of articles: whoever reads an article that shows one may see it. */
export const articlePictures: PictureStore = {
  maxMegabytes: 2,
  async upload(picture) {
    return (await post('/api/admin/kb/files/upload', {}, { files: { file: picture } })).file.url
  },
  failureText: error =>
    hasReason(error, 'picture_refused') ? t('knowledge.pictureRefused') : knowledgeFailureText(error)
}
