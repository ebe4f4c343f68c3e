import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { addBlockedSender } from './endpoints/admin-mail-blocked-add.ts'
import { listBlockedSenders } from './endpoints/admin-mail-blocked-list.ts'
import { removeBlockedSender } from './endpoints/admin-mail-blocked-remove.ts'
import { deleteHeldMails } from './endpoints/admin-mail-held-delete.ts'
import { showHeldMail } from './endpoints/admin-mail-held-detail.ts'
import { listHeldMails } from './endpoints/admin-mail-held-list.ts'
import { releaseHeldMail } from './endpoints/admin-mail-held-release.ts'
import { restoreHeldMail } from './endpoints/admin-mail-held-restore.ts'
import { linkOriginal } from './endpoints/admin-mail-original-link.ts'
import { loadPictures } from './endpoints/admin-mail-pictures.ts'

export const mailboxEndpoints: readonly AnyEndpoint[] = [
  listHeldMails,
  showHeldMail,
  releaseHeldMail,
  deleteHeldMails,
  restoreHeldMail,
  linkOriginal,
  loadPictures,
  listBlockedSenders,
  addBlockedSender,
  removeBlockedSender
]
