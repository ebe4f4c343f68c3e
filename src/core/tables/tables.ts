import type { InstallationTables } from '../../platform/db/installation-table.ts'
import type { AttachmentTables } from './attachments.ts'
import type { AuditTables } from './audit.ts'
import type { AuthTables } from './auth.ts'
import type { CalendarTables } from './calendars.ts'
import type { ClientTables } from './clients.ts'
import type { ClockTables } from './clock.ts'
import type { CsatTables } from './csat.ts'
import type { DefinitionTables } from './definitions.ts'
import type { DepartmentTables } from './departments.ts'
import type { EventTables } from './events.ts'
import type { FieldTables } from './fields.ts'
import type { FollowerTables } from './followers.ts'
import type { IdempotencyTables } from './idempotency.ts'
import type { KnowledgeBaseTables } from './knowledge-base.ts'
import type { LinkTables } from './links.ts'
import type { LiveTables } from './live.ts'
import type { MacroTables } from './macros.ts'
import type { MailLogTables } from './mail-log.ts'
import type { MailTables } from './mails.ts'
import type { OpenFormTables } from './open-form.ts'
import type { OrganisationTables } from './organisations.ts'
import type { OutboxTables } from './outbox.ts'
import type { PasskeyTables } from './passkeys.ts'
import type { QueueTables } from './queue.ts'
import type { RateLimitTables } from './rate-limits.ts'
import type { ReportTables } from './reports.ts'
import type { ResetTables } from './reset.ts'
import type { RuleTables } from './rules.ts'
import type { SearchTables } from './search.ts'
import type { SendingTables } from './sending.ts'
import type { SessionTables } from './sessions.ts'
import type { SettingTables } from './settings.ts'
import type { SideConversationTables } from './side-conversations.ts'
import type { SlaClockTables } from './sla-clocks.ts'
import type { SlaPolicyTables } from './sla-policies.ts'
import type { SnoozeTables } from './snoozes.ts'
import type { SsoTables } from './sso.ts'
import type { StaffTables } from './staff.ts'
import type { TagTables } from './tags.ts'
import type { ThreadTables } from './threads.ts'
import type { TicketFormTables } from './ticket-forms.ts'
import type { TicketTables } from './tickets.ts'
import type { VerificationTables } from './verification.ts'
import type { WebhookTables } from './webhooks.ts'

/** The tables after all migrations, for the compiler. Times are Dates, ids and counts numbers, 0/1 booleans. */
export interface Tables
  extends InstallationTables,
    AttachmentTables,
    AuditTables,
    AuthTables,
    CalendarTables,
    ClientTables,
    ClockTables,
    CsatTables,
    DefinitionTables,
    DepartmentTables,
    EventTables,
    FieldTables,
    FollowerTables,
    IdempotencyTables,
    KnowledgeBaseTables,
    LinkTables,
    LiveTables,
    MacroTables,
    MailLogTables,
    MailTables,
    OpenFormTables,
    OrganisationTables,
    OutboxTables,
    PasskeyTables,
    QueueTables,
    RateLimitTables,
    ReportTables,
    ResetTables,
    SearchTables,
    SendingTables,
    SessionTables,
    RuleTables,
    SettingTables,
    SideConversationTables,
    SlaClockTables,
    SlaPolicyTables,
    SnoozeTables,
    SsoTables,
    StaffTables,
    TagTables,
    ThreadTables,
    TicketFormTables,
    TicketTables,
    VerificationTables,
    WebhookTables {}
