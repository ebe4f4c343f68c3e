import { createRecoveryCodes } from './account/endpoints/account-2fa-recovery-codes.ts'
import { changeOwnPassword } from './account/endpoints/account-password.ts'
import { showProfile } from './account/endpoints/account-profile.ts'
import { updateProfile } from './account/endpoints/account-profile-update.ts'
import { listSessions } from './account/endpoints/account-sessions.ts'
import { revokeOwnSessions } from './account/endpoints/account-sessions-revoke.ts'
import { linkAttachment } from './attachments/endpoints/tickets-attachment-link.ts'
import { exportAudit } from './audit/endpoints/admin-audit-export.ts'
import { listAudit } from './audit/endpoints/admin-audit-list.ts'
import { verifyAuditLog } from './audit/endpoints/admin-audit-verify.ts'
import { logInStaff } from './auth/endpoints/admin-auth-login.ts'
import { disableSecondFactor } from './auth/endpoints/auth-2fa-disable.ts'
import { enableSecondFactor } from './auth/endpoints/auth-2fa-enable.ts'
import { setUpSecondFactor } from './auth/endpoints/auth-2fa-setup.ts'
import { verifyLogin } from './auth/endpoints/auth-2fa-verify-login.ts'
import { logInClient } from './auth/endpoints/auth-login.ts'
import { logOut } from './auth/endpoints/auth-logout.ts'
import { refreshTokens } from './auth/endpoints/auth-refresh.ts'
import { createCannedReply } from './canned/endpoints/admin-canned-replies-create.ts'
import { deleteCannedReply } from './canned/endpoints/admin-canned-replies-delete.ts'
import { listCannedReplies } from './canned/endpoints/admin-canned-replies-list.ts'
import { renderCannedReply } from './canned/endpoints/admin-canned-replies-render.ts'
import { updateCannedReply } from './canned/endpoints/admin-canned-replies-update.ts'
import { confirmClientEmail } from './clients/endpoints/admin-clients-confirm-email.ts'
import { createClient } from './clients/endpoints/admin-clients-create.ts'
import { deleteClient } from './clients/endpoints/admin-clients-delete.ts'
import { sendToClientAgain } from './clients/endpoints/admin-clients-deliver-again.ts'
import { showDeliverability } from './clients/endpoints/admin-clients-deliverability.ts'
import { showClient } from './clients/endpoints/admin-clients-detail.ts'
import { exportClient } from './clients/endpoints/admin-clients-export.ts'
import { listClients } from './clients/endpoints/admin-clients-list.ts'
import { pickClient } from './clients/endpoints/admin-clients-picker.ts'
import { resetClientTwoFactor } from './clients/endpoints/admin-clients-reset-2fa.ts'
import { sendClientReset } from './clients/endpoints/admin-clients-send-reset.ts'
import { updateClient } from './clients/endpoints/admin-clients-update.ts'
import { confirmEmailChange } from './clients/endpoints/auth-confirm-email-change.ts'
import { registerClient } from './clients/endpoints/auth-signup.ts'
import { checkUserByEmail } from './clients/endpoints/user-check-user-by-email.ts'
import { createDepartment } from './departments/endpoints/admin-departments-create.ts'
import { deleteDepartment } from './departments/endpoints/admin-departments-delete.ts'
import { showDepartment } from './departments/endpoints/admin-departments-detail.ts'
import { listManagedDepartments } from './departments/endpoints/admin-departments-list.ts'
import { departmentMembership } from './departments/endpoints/admin-departments-members.ts'
import { updateDepartment } from './departments/endpoints/admin-departments-update.ts'
import { listDepartments } from './departments/endpoints/departments.ts'
import { listColleagues } from './desk/endpoints/admin-colleagues-list.ts'
import { assignDeskTicket } from './desk/endpoints/admin-tickets-assign.ts'
import { changeDeskTickets } from './desk/endpoints/admin-tickets-bulk.ts'
import { deleteDeskTicket } from './desk/endpoints/admin-tickets-delete.ts'
import { addTicketFollower } from './desk/endpoints/admin-tickets-followers-add.ts'
import { listTicketFollowers } from './desk/endpoints/admin-tickets-followers-list.ts'
import { removeTicketFollower } from './desk/endpoints/admin-tickets-followers-remove.ts'
import { mergeDeskTickets } from './desk/endpoints/admin-tickets-merge.ts'
import { takeNextDeskTicket } from './desk/endpoints/admin-tickets-next.ts'
import { purgeDeskTicket } from './desk/endpoints/admin-tickets-purge.ts'
import { restoreDeskTicket } from './desk/endpoints/admin-tickets-restore.ts'
import { setDeskTicketStatus } from './desk/endpoints/admin-tickets-status.ts'
import { tagDeskTicket } from './desk/endpoints/admin-tickets-tags.ts'
import { undoDeskTicket } from './desk/endpoints/admin-tickets-undo.ts'
import { unmergeDeskTicket } from './desk/endpoints/admin-tickets-unmerge.ts'
import { updateDeskTicket } from './desk/endpoints/admin-tickets-update.ts'
import { watchDeskTicket } from './desk/endpoints/admin-tickets-watch.ts'
import { listFollowers } from './desk/endpoints/tickets-followers-list.ts'
import { removeFollower } from './desk/endpoints/tickets-followers-remove.ts'
import { setTicketStatus } from './desk/endpoints/tickets-status.ts'
import { showTemplate } from './email-templates/endpoints/admin-email-templates-detail.ts'
import { listTemplates } from './email-templates/endpoints/admin-email-templates-list.ts'
import { previewTemplate } from './email-templates/endpoints/admin-email-templates-preview.ts'
import { resetTemplate } from './email-templates/endpoints/admin-email-templates-reset.ts'
import { testTemplate } from './email-templates/endpoints/admin-email-templates-test.ts'
import { updateTemplate } from './email-templates/endpoints/admin-email-templates-update.ts'
import { check } from './health/endpoints/check.ts'
import { heldMailEndpoints } from './held-mail-endpoints.ts'
import type { AnyEndpoint } from './kit/endpoint.ts'
import { listEvents } from './live/endpoints/admin-events-list.ts'
import { streamEvents } from './live/endpoints/admin-events-stream.ts'
import { reportTicketPresence } from './live/endpoints/admin-tickets-presence.ts'
import { streamOwnEvents } from './live/endpoints/events-stream.ts'
import { listMailboxes } from './mailbox/endpoints/admin-mail-mailboxes-list.ts'
import { testMailbox } from './mailbox/endpoints/admin-mail-mailboxes-test.ts'
import { setNotifications } from './notifications/endpoints/account-notifications.ts'
import { unsubscribeByLink } from './notifications/endpoints/notifications-unsubscribe.ts'
import { openTicketWithoutAccount } from './open-form/endpoints/tickets-open.ts'
import { countDeskTickets } from './queue/endpoints/admin-tickets-counts.ts'
import { listDeskTickets } from './queue/endpoints/admin-tickets-list.ts'
import { createView } from './queue/endpoints/admin-views-create.ts'
import { deleteView } from './queue/endpoints/admin-views-delete.ts'
import { listViews } from './queue/endpoints/admin-views-list.ts'
import { updateView } from './queue/endpoints/admin-views-update.ts'
import { listTickets } from './queue/endpoints/tickets-list.ts'
import { forgotStaffPassword } from './reset/endpoints/admin-auth-forgot-password.ts'
import { resetStaffPassword } from './reset/endpoints/admin-auth-reset-password.ts'
import { forgotPassword } from './reset/endpoints/auth-forgot-password.ts'
import { resetPassword } from './reset/endpoints/auth-reset-password.ts'
import { verifyResetToken } from './reset/endpoints/auth-verify-reset-token.ts'
import { searchDeskFor } from './search/endpoints/admin-search.ts'
import { searchTickets } from './search/endpoints/tickets-search.ts'
import { showSettings } from './settings/endpoints/admin-settings-detail.ts'
import { uploadLogo } from './settings/endpoints/admin-settings-logo.ts'
import { deleteLogo } from './settings/endpoints/admin-settings-logo-delete.ts'
import { changeSettings } from './settings/endpoints/admin-settings-update.ts'
import { showDesk } from './settings/endpoints/desk.ts'
import { listPermissions } from './staff/endpoints/admin-permissions.ts'
import { createStaffMember } from './staff/endpoints/admin-staff-create.ts'
import { deleteStaffMember } from './staff/endpoints/admin-staff-delete.ts'
import { showStaffMember } from './staff/endpoints/admin-staff-detail.ts'
import { listStaffMembers } from './staff/endpoints/admin-staff-list.ts'
import { setStaffPermissions } from './staff/endpoints/admin-staff-permissions.ts'
import { updateStaff } from './staff/endpoints/admin-staff-update.ts'
import { createTag } from './tags/endpoints/admin-tags-create.ts'
import { deleteTag } from './tags/endpoints/admin-tags-delete.ts'
import { listTags } from './tags/endpoints/admin-tags-list.ts'
import { mergeTags } from './tags/endpoints/admin-tags-merge.ts'
import { updateTag } from './tags/endpoints/admin-tags-update.ts'
import { openDeskTicket } from './threads/endpoints/admin-tickets-create.ts'
import { showDeskTicket } from './threads/endpoints/admin-tickets-detail.ts'
import { noteDeskTicket } from './threads/endpoints/admin-tickets-note.ts'
import { readDeskTicket } from './threads/endpoints/admin-tickets-read.ts'
import { answerDeskTicket } from './threads/endpoints/admin-tickets-reply.ts'
import { createTicket } from './threads/endpoints/tickets-create.ts'
import { showTicket } from './threads/endpoints/tickets-detail.ts'
import { replyTicket } from './threads/endpoints/tickets-reply.ts'
import { sendEmailVerification } from './verification/endpoints/auth-send-email-verification.ts'
import { sendPhoneVerification } from './verification/endpoints/auth-send-phone-verification.ts'
import { verifyEmail } from './verification/endpoints/auth-verify-email.ts'
import { verifyPhone } from './verification/endpoints/auth-verify-phone.ts'
import { createWebhook } from './webhooks/endpoints/admin-webhooks-create.ts'
import { deleteWebhook } from './webhooks/endpoints/admin-webhooks-delete.ts'
import { showWebhookDelivery } from './webhooks/endpoints/admin-webhooks-deliveries-detail.ts'
import { listWebhookDeliveries } from './webhooks/endpoints/admin-webhooks-deliveries-list.ts'
import { replayWebhookDeliveries } from './webhooks/endpoints/admin-webhooks-deliveries-replay.ts'
import { showWebhook } from './webhooks/endpoints/admin-webhooks-detail.ts'
import { listWebhooks } from './webhooks/endpoints/admin-webhooks-list.ts'
import { rotateWebhookSecret } from './webhooks/endpoints/admin-webhooks-rotate.ts'
import { testWebhook } from './webhooks/endpoints/admin-webhooks-test.ts'
import { updateWebhook } from './webhooks/endpoints/admin-webhooks-update.ts'

/** The table of contents: every endpoint, in the contract's order. */
export const endpoints: readonly AnyEndpoint[] = [
  check,
  registerClient,
  logInClient,
  verifyLogin,
  setUpSecondFactor,
  enableSecondFactor,
  disableSecondFactor,
  refreshTokens,
  logOut,
  forgotPassword,
  verifyResetToken,
  resetPassword,
  sendEmailVerification,
  verifyEmail,
  sendPhoneVerification,
  verifyPhone,
  listDepartments,
  createTicket,
  listTickets,
  showTicket,
  replyTicket,
  setTicketStatus,
  linkAttachment,
  checkUserByEmail,
  logInStaff,
  listPermissions,
  listStaffMembers,
  createStaffMember,
  showStaffMember,
  updateStaff,
  setStaffPermissions,
  deleteStaffMember,
  listClients,
  showClient,
  // Beyond the contract: staff's work with tickets.
  listDeskTickets,
  showDeskTicket,
  countDeskTickets,
  openDeskTicket,
  answerDeskTicket,
  noteDeskTicket,
  setDeskTicketStatus,
  updateDeskTicket,
  assignDeskTicket,
  takeNextDeskTicket,
  listColleagues,
  tagDeskTicket,
  mergeDeskTickets,
  unmergeDeskTicket,
  changeDeskTickets,
  undoDeskTicket,
  watchDeskTicket,
  listTicketFollowers,
  addTicketFollower,
  removeTicketFollower,
  listFollowers,
  removeFollower,
  readDeskTicket,
  deleteDeskTicket,
  restoreDeskTicket,
  purgeDeskTicket,
  listViews,
  createView,
  updateView,
  deleteView,
  // Beyond the contract: clients.
  createClient,
  updateClient,
  sendClientReset,
  confirmClientEmail,
  confirmEmailChange,
  resetClientTwoFactor,
  showDeliverability,
  sendToClientAgain,
  deleteClient,
  exportClient,
  pickClient,
  // Beyond the contract: people's own accounts, and the settings of the desk.
  showProfile,
  updateProfile,
  changeOwnPassword,
  listSessions,
  revokeOwnSessions,
  createRecoveryCodes,
  forgotStaffPassword,
  resetStaffPassword,
  showSettings,
  changeSettings,
  listTemplates,
  showTemplate,
  updateTemplate,
  resetTemplate,
  previewTemplate,
  testTemplate,
  uploadLogo,
  deleteLogo,
  showDesk,
  // Beyond the contract: departments.
  listManagedDepartments,
  showDepartment,
  createDepartment,
  updateDepartment,
  deleteDepartment,
  departmentMembership,
  // Beyond the contract: tags.
  listTags,
  createTag,
  updateTag,
  mergeTags,
  deleteTag,
  // Beyond the contract: canned replies.
  listCannedReplies,
  createCannedReply,
  updateCannedReply,
  deleteCannedReply,
  renderCannedReply,
  // Beyond the contract: the audit log.
  listAudit,
  verifyAuditLog,
  exportAudit,
  // Beyond the contract: held e-mails and blocked senders.
  ...heldMailEndpoints,
  // Beyond the contract: webhooks.
  listWebhooks,
  createWebhook,
  showWebhook,
  updateWebhook,
  deleteWebhook,
  testWebhook,
  rotateWebhookSecret,
  listWebhookDeliveries,
  showWebhookDelivery,
  replayWebhookDeliveries,
  // Beyond the contract: mailboxes of incoming e-mail.
  listMailboxes,
  testMailbox,
  // Beyond the contract: the event feed, event streams and presence.
  listEvents,
  streamEvents,
  streamOwnEvents,
  reportTicketPresence,
  // Beyond the contract: which notifications a person gets.
  setNotifications,
  unsubscribeByLink,
  // Beyond the contract: tickets of people who have not logged in.
  openTicketWithoutAccount,
  // Beyond the contract: the search.
  searchDeskFor,
  searchTickets
]
