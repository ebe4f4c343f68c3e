import { exportAudit } from './core/audit/endpoints/admin-audit-export.ts'
import { listAudit } from './core/audit/endpoints/admin-audit-list.ts'
import { verifyAuditLog } from './core/audit/endpoints/admin-audit-verify.ts'
import { showSettings } from './core/settings/endpoints/admin-settings-detail.ts'
import { uploadLogo } from './core/settings/endpoints/admin-settings-logo.ts'
import { deleteLogo } from './core/settings/endpoints/admin-settings-logo-delete.ts'
import { changeSettings } from './core/settings/endpoints/admin-settings-update.ts'
import { showDesk } from './core/settings/endpoints/desk.ts'
import { heldMailEndpoints } from './held-mail-endpoints.ts'
import { listMailboxes } from './intake/mailbox/endpoints/admin-mail-mailboxes-list.ts'
import { testMailbox } from './intake/mailbox/endpoints/admin-mail-mailboxes-test.ts'
import { openTicketWithoutAccount } from './intake/open-form/endpoints/tickets-open.ts'
import type { AnyEndpoint } from './kit/endpoint.ts'
import { showTemplate } from './mail/email-templates/endpoints/admin-email-templates-detail.ts'
import { listTemplates } from './mail/email-templates/endpoints/admin-email-templates-list.ts'
import { previewTemplate } from './mail/email-templates/endpoints/admin-email-templates-preview.ts'
import { resetTemplate } from './mail/email-templates/endpoints/admin-email-templates-reset.ts'
import { testTemplate } from './mail/email-templates/endpoints/admin-email-templates-test.ts'
import { updateTemplate } from './mail/email-templates/endpoints/admin-email-templates-update.ts'
import { check } from './operation/health/endpoints/check.ts'
import { deleteClient } from './outward/erasure/endpoints/admin-clients-delete.ts'
import { exportClient } from './outward/erasure/endpoints/admin-clients-export.ts'
import { listEvents } from './outward/live/endpoints/admin-events-list.ts'
import { streamEvents } from './outward/live/endpoints/admin-events-stream.ts'
import { reportTicketPresence } from './outward/live/endpoints/admin-tickets-presence.ts'
import { streamOwnEvents } from './outward/live/endpoints/events-stream.ts'
import { createWebhook } from './outward/webhooks/endpoints/admin-webhooks-create.ts'
import { deleteWebhook } from './outward/webhooks/endpoints/admin-webhooks-delete.ts'
import { showWebhookDelivery } from './outward/webhooks/endpoints/admin-webhooks-deliveries-detail.ts'
import { listWebhookDeliveries } from './outward/webhooks/endpoints/admin-webhooks-deliveries-list.ts'
import { replayWebhookDeliveries } from './outward/webhooks/endpoints/admin-webhooks-deliveries-replay.ts'
import { showWebhook } from './outward/webhooks/endpoints/admin-webhooks-detail.ts'
import { listWebhooks } from './outward/webhooks/endpoints/admin-webhooks-list.ts'
import { rotateWebhookSecret } from './outward/webhooks/endpoints/admin-webhooks-rotate.ts'
import { testWebhook } from './outward/webhooks/endpoints/admin-webhooks-test.ts'
import { updateWebhook } from './outward/webhooks/endpoints/admin-webhooks-update.ts'
import { createRecoveryCodes } from './people/account/endpoints/account-2fa-recovery-codes.ts'
import { changeOwnPassword } from './people/account/endpoints/account-password.ts'
import { showProfile } from './people/account/endpoints/account-profile.ts'
import { updateProfile } from './people/account/endpoints/account-profile-update.ts'
import { listSessions } from './people/account/endpoints/account-sessions.ts'
import { revokeOwnSessions } from './people/account/endpoints/account-sessions-revoke.ts'
import { logInStaff } from './people/auth/endpoints/admin-auth-login.ts'
import { disableSecondFactor } from './people/auth/endpoints/auth-2fa-disable.ts'
import { enableSecondFactor } from './people/auth/endpoints/auth-2fa-enable.ts'
import { setUpSecondFactor } from './people/auth/endpoints/auth-2fa-setup.ts'
import { verifyLogin } from './people/auth/endpoints/auth-2fa-verify-login.ts'
import { logInClient } from './people/auth/endpoints/auth-login.ts'
import { logOut } from './people/auth/endpoints/auth-logout.ts'
import { refreshTokens } from './people/auth/endpoints/auth-refresh.ts'
import { confirmClientEmail } from './people/clients/endpoints/admin-clients-confirm-email.ts'
import { createClient } from './people/clients/endpoints/admin-clients-create.ts'
import { sendToClientAgain } from './people/clients/endpoints/admin-clients-deliver-again.ts'
import { showDeliverability } from './people/clients/endpoints/admin-clients-deliverability.ts'
import { showClient } from './people/clients/endpoints/admin-clients-detail.ts'
import { listClients } from './people/clients/endpoints/admin-clients-list.ts'
import { pickClient } from './people/clients/endpoints/admin-clients-picker.ts'
import { resetClientTwoFactor } from './people/clients/endpoints/admin-clients-reset-2fa.ts'
import { sendClientReset } from './people/clients/endpoints/admin-clients-send-reset.ts'
import { updateClient } from './people/clients/endpoints/admin-clients-update.ts'
import { confirmEmailChange } from './people/clients/endpoints/auth-confirm-email-change.ts'
import { registerClient } from './people/clients/endpoints/auth-signup.ts'
import { checkUserByEmail } from './people/clients/endpoints/user-check-user-by-email.ts'
import { createDepartment } from './people/departments/endpoints/admin-departments-create.ts'
import { deleteDepartment } from './people/departments/endpoints/admin-departments-delete.ts'
import { showDepartment } from './people/departments/endpoints/admin-departments-detail.ts'
import { listManagedDepartments } from './people/departments/endpoints/admin-departments-list.ts'
import { departmentMembership } from './people/departments/endpoints/admin-departments-members.ts'
import { updateDepartment } from './people/departments/endpoints/admin-departments-update.ts'
import { listDepartments } from './people/departments/endpoints/departments.ts'
import { forgotStaffPassword } from './people/reset/endpoints/admin-auth-forgot-password.ts'
import { resetStaffPassword } from './people/reset/endpoints/admin-auth-reset-password.ts'
import { forgotPassword } from './people/reset/endpoints/auth-forgot-password.ts'
import { resetPassword } from './people/reset/endpoints/auth-reset-password.ts'
import { verifyResetToken } from './people/reset/endpoints/auth-verify-reset-token.ts'
import { listPermissions } from './people/staff/endpoints/admin-permissions.ts'
import { createStaffMember } from './people/staff/endpoints/admin-staff-create.ts'
import { deleteStaffMember } from './people/staff/endpoints/admin-staff-delete.ts'
import { showStaffMember } from './people/staff/endpoints/admin-staff-detail.ts'
import { listStaffMembers } from './people/staff/endpoints/admin-staff-list.ts'
import { setStaffPermissions } from './people/staff/endpoints/admin-staff-permissions.ts'
import { updateStaff } from './people/staff/endpoints/admin-staff-update.ts'
import { sendEmailVerification } from './people/verification/endpoints/auth-send-email-verification.ts'
import { sendPhoneVerification } from './people/verification/endpoints/auth-send-phone-verification.ts'
import { verifyEmail } from './people/verification/endpoints/auth-verify-email.ts'
import { verifyPhone } from './people/verification/endpoints/auth-verify-phone.ts'
import { linkAttachment } from './tickets/attachments/endpoints/tickets-attachment-link.ts'
import { createCannedReply } from './tickets/canned/endpoints/admin-canned-replies-create.ts'
import { deleteCannedReply } from './tickets/canned/endpoints/admin-canned-replies-delete.ts'
import { listCannedReplies } from './tickets/canned/endpoints/admin-canned-replies-list.ts'
import { renderCannedReply } from './tickets/canned/endpoints/admin-canned-replies-render.ts'
import { updateCannedReply } from './tickets/canned/endpoints/admin-canned-replies-update.ts'
import { listColleagues } from './tickets/desk/endpoints/admin-colleagues-list.ts'
import { assignDeskTicket } from './tickets/desk/endpoints/admin-tickets-assign.ts'
import { changeDeskTickets } from './tickets/desk/endpoints/admin-tickets-bulk.ts'
import { deleteDeskTicket } from './tickets/desk/endpoints/admin-tickets-delete.ts'
import { addTicketFollower } from './tickets/desk/endpoints/admin-tickets-followers-add.ts'
import { listTicketFollowers } from './tickets/desk/endpoints/admin-tickets-followers-list.ts'
import { removeTicketFollower } from './tickets/desk/endpoints/admin-tickets-followers-remove.ts'
import { mergeDeskTickets } from './tickets/desk/endpoints/admin-tickets-merge.ts'
import { takeNextDeskTicket } from './tickets/desk/endpoints/admin-tickets-next.ts'
import { purgeDeskTicket } from './tickets/desk/endpoints/admin-tickets-purge.ts'
import { restoreDeskTicket } from './tickets/desk/endpoints/admin-tickets-restore.ts'
import { setDeskTicketStatus } from './tickets/desk/endpoints/admin-tickets-status.ts'
import { tagDeskTicket } from './tickets/desk/endpoints/admin-tickets-tags.ts'
import { undoDeskTicket } from './tickets/desk/endpoints/admin-tickets-undo.ts'
import { unmergeDeskTicket } from './tickets/desk/endpoints/admin-tickets-unmerge.ts'
import { updateDeskTicket } from './tickets/desk/endpoints/admin-tickets-update.ts'
import { watchDeskTicket } from './tickets/desk/endpoints/admin-tickets-watch.ts'
import { listFollowers } from './tickets/desk/endpoints/tickets-followers-list.ts'
import { removeFollower } from './tickets/desk/endpoints/tickets-followers-remove.ts'
import { setTicketStatus } from './tickets/desk/endpoints/tickets-status.ts'
import { setNotifications } from './tickets/notifications/endpoints/account-notifications.ts'
import { unsubscribeByLink } from './tickets/notifications/endpoints/notifications-unsubscribe.ts'
import { countDeskTickets } from './tickets/queue/endpoints/admin-tickets-counts.ts'
import { listDeskTickets } from './tickets/queue/endpoints/admin-tickets-list.ts'
import { createView } from './tickets/queue/endpoints/admin-views-create.ts'
import { deleteView } from './tickets/queue/endpoints/admin-views-delete.ts'
import { listViews } from './tickets/queue/endpoints/admin-views-list.ts'
import { updateView } from './tickets/queue/endpoints/admin-views-update.ts'
import { listTickets } from './tickets/queue/endpoints/tickets-list.ts'
import { searchDeskFor } from './tickets/search/endpoints/admin-search.ts'
import { searchTickets } from './tickets/search/endpoints/tickets-search.ts'
import { createTag } from './tickets/tags/endpoints/admin-tags-create.ts'
import { deleteTag } from './tickets/tags/endpoints/admin-tags-delete.ts'
import { listTags } from './tickets/tags/endpoints/admin-tags-list.ts'
import { mergeTags } from './tickets/tags/endpoints/admin-tags-merge.ts'
import { updateTag } from './tickets/tags/endpoints/admin-tags-update.ts'
import { openDeskTicket } from './tickets/threads/endpoints/admin-tickets-create.ts'
import { showDeskTicket } from './tickets/threads/endpoints/admin-tickets-detail.ts'
import { noteDeskTicket } from './tickets/threads/endpoints/admin-tickets-note.ts'
import { readDeskTicket } from './tickets/threads/endpoints/admin-tickets-read.ts'
import { answerDeskTicket } from './tickets/threads/endpoints/admin-tickets-reply.ts'
import { createTicket } from './tickets/threads/endpoints/tickets-create.ts'
import { showTicket } from './tickets/threads/endpoints/tickets-detail.ts'
import { replyTicket } from './tickets/threads/endpoints/tickets-reply.ts'

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
