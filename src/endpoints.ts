import { logInStaff } from './auth/endpoints/admin-auth-login.ts'
import { disableSecondFactor } from './auth/endpoints/auth-2fa-disable.ts'
import { enableSecondFactor } from './auth/endpoints/auth-2fa-enable.ts'
import { setUpSecondFactor } from './auth/endpoints/auth-2fa-setup.ts'
import { verifyLogin } from './auth/endpoints/auth-2fa-verify-login.ts'
import { logInClient } from './auth/endpoints/auth-login.ts'
import { logOut } from './auth/endpoints/auth-logout.ts'
import { refreshTokens } from './auth/endpoints/auth-refresh.ts'
import { showClient } from './clients/endpoints/admin-clients-detail.ts'
import { listClients } from './clients/endpoints/admin-clients-list.ts'
import { registerClient } from './clients/endpoints/auth-signup.ts'
import { checkUserByEmail } from './clients/endpoints/user-check-user-by-email.ts'
import { listDepartments } from './departments/endpoints/departments.ts'
import { countDeskTickets } from './desk/endpoints/admin-tickets-counts.ts'
import { showDeskTicket } from './desk/endpoints/admin-tickets-detail.ts'
import { listDeskTickets } from './desk/endpoints/admin-tickets-list.ts'
import { check } from './health/endpoints/check.ts'
import { listAudit } from './history/endpoints/admin-audit-list.ts'
import type { AnyEndpoint } from './kit/endpoint.ts'
import { forgotPassword } from './reset/endpoints/auth-forgot-password.ts'
import { resetPassword } from './reset/endpoints/auth-reset-password.ts'
import { verifyResetToken } from './reset/endpoints/auth-verify-reset-token.ts'
import { listPermissions } from './staff/endpoints/admin-permissions.ts'
import { createStaffMember } from './staff/endpoints/admin-staff-create.ts'
import { deleteStaffMember } from './staff/endpoints/admin-staff-delete.ts'
import { showStaffMember } from './staff/endpoints/admin-staff-detail.ts'
import { listStaffMembers } from './staff/endpoints/admin-staff-list.ts'
import { setStaffPermissions } from './staff/endpoints/admin-staff-permissions.ts'
import { updateStaff } from './staff/endpoints/admin-staff-update.ts'
import { linkAttachment } from './tickets/endpoints/tickets-attachment-link.ts'
import { createTicket } from './tickets/endpoints/tickets-create.ts'
import { showTicket } from './tickets/endpoints/tickets-detail.ts'
import { listTickets } from './tickets/endpoints/tickets-list.ts'
import { replyTicket } from './tickets/endpoints/tickets-reply.ts'
import { setTicketStatus } from './tickets/endpoints/tickets-status.ts'
import { sendEmailVerification } from './verification/endpoints/auth-send-email-verification.ts'
import { sendPhoneVerification } from './verification/endpoints/auth-send-phone-verification.ts'
import { verifyEmail } from './verification/endpoints/auth-verify-email.ts'
import { verifyPhone } from './verification/endpoints/auth-verify-phone.ts'

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
  // Beyond the contract: the history.
  listAudit
]
