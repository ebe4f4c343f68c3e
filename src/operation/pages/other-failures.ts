import { AddressNotAllowed } from '../../core/api-tokens/authenticate.ts'
import { AuditExportNotFound } from '../../core/audit/audit-export.ts'
import { ReadOnlyToken } from '../../core/endpoint.ts'
import { DeletedMeanwhile } from '../../core/failures.ts'
import { LogoNotFound } from '../../core/settings/logo.ts'
import { BadSignature, NotAMessage } from '../../intake/mailbox/inbound-route.ts'
import { type FailureKind, MethodNotAllowed, SignInRequired } from '../../kit/errors.ts'
import { RangeNotSatisfiable } from '../../kit/file-answer.ts'
import { connectionFailures } from '../../kit/malformed-http.ts'
import { NoSuchExport } from '../../outward/erasure/export-client.ts'
import { FileBeingChecked, FileQuarantined } from '../../tickets/attachments/scan-attachment.ts'
import { NotReady } from '../health/monitoring-routes.ts'

/** The failures that no endpoint declares: of any request, of addresses that are no endpoints, and of connections. */
export const otherFailures: readonly FailureKind[] = [
  DeletedMeanwhile,
  MethodNotAllowed,
  SignInRequired,
  ReadOnlyToken,
  AddressNotAllowed,
  NotReady,
  FileBeingChecked,
  FileQuarantined,
  RangeNotSatisfiable,
  NoSuchExport,
  AuditExportNotFound,
  LogoNotFound,
  BadSignature,
  NotAMessage,
  ...connectionFailures
]
