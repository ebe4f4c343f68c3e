import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { archiveArticle } from './endpoints/admin-kb-articles-archive.ts'
import { askForPublishing } from './endpoints/admin-kb-articles-ask-publishing.ts'
import { createArticle } from './endpoints/admin-kb-articles-create.ts'
import { deleteArticle } from './endpoints/admin-kb-articles-delete.ts'
import { showArticle } from './endpoints/admin-kb-articles-detail.ts'
import { listArticles } from './endpoints/admin-kb-articles-list.ts'
import { previewArticle } from './endpoints/admin-kb-articles-preview.ts'
import { publishArticle } from './endpoints/admin-kb-articles-publish.ts'
import { restoreArticle } from './endpoints/admin-kb-articles-restore.ts'
import { unarchiveArticle } from './endpoints/admin-kb-articles-unarchive.ts'
import { updateArticle } from './endpoints/admin-kb-articles-update.ts'
import { listVersions } from './endpoints/admin-kb-articles-versions.ts'
import { createCategory } from './endpoints/admin-kb-categories-create.ts'
import { deleteCategory } from './endpoints/admin-kb-categories-delete.ts'
import { listCategories } from './endpoints/admin-kb-categories-list.ts'
import { updateCategory } from './endpoints/admin-kb-categories-update.ts'
import { uploadPicture } from './endpoints/admin-kb-files-upload.ts'
import { insertIntoTicket } from './endpoints/admin-kb-insert.ts'
import { showNumbers } from './endpoints/admin-kb-numbers.ts'
import { showArticlesOfTicket } from './endpoints/admin-kb-tickets-detail.ts'
import { draftArticleFromTicket } from './endpoints/admin-kb-tickets-draft.ts'
import { listTicketsThatNeedArticles } from './endpoints/admin-kb-tickets-list.ts'
import { needArticle } from './endpoints/admin-kb-tickets-needs-article.ts'
import { solveTicketByArticle } from './endpoints/admin-kb-tickets-solved-by.ts'

export const articlesEndpoints: readonly AnyEndpoint[] = [
  listCategories,
  createCategory,
  updateCategory,
  deleteCategory,
  listArticles,
  showArticle,
  previewArticle,
  createArticle,
  updateArticle,
  publishArticle,
  askForPublishing,
  archiveArticle,
  unarchiveArticle,
  deleteArticle,
  listVersions,
  restoreArticle,
  uploadPicture,
  insertIntoTicket,
  showNumbers,
  showArticlesOfTicket,
  solveTicketByArticle,
  needArticle,
  listTicketsThatNeedArticles,
  draftArticleFromTicket
]
