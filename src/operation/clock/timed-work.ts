import type { DueWork } from '../../core/clock/due-work.ts'
import type { TimedWork } from '../../core/clock/move-clock.ts'
import type { Services } from '../../core/services.ts'
import { csatReader } from '../../insight/csat/csat-reader.ts'
import { dueSurveys } from '../../insight/csat/due-surveys.ts'
import { reportReader } from '../../insight/facts/report-reader.ts'
import { reportWork } from '../../insight/facts/report-work.ts'
import { webhookReader } from '../../outward/webhooks/queue-deliveries.ts'
import { notificationReader } from '../../tickets/notifications/pending-events.ts'
import { dueNotifications } from '../../tickets/notifications/send-notifications.ts'
import { dueRules, ruleFills } from '../../tickets/rules/due-rules.ts'
import { ruleReader } from '../../tickets/rules/rule-reader.ts'
import { dueWaitingReplies } from '../../tickets/sending/send-waiting.ts'
import { dueWaitingSideMessages } from '../../tickets/side-conversations/send-waiting.ts'
import { slaReader } from '../../tickets/sla/clock-reader.ts'
import { slaBreaches, slaWarnings } from '../../tickets/sla/due-clocks.ts'
import { slaRecomputations } from '../../tickets/sla/recomputations.ts'
import { dueSnoozes } from '../../tickets/snooze/due-snoozes.ts'

/** All that falls due by the clock of the desk and is looked for every few seconds. */
export function dueWork(services: Services): DueWork[] {
  const reader = slaReader(services)
  return [
    dueSnoozes(services),
    slaRecomputations(services, reader),
    slaBreaches(services, reader),
    // What is late is not warned of any more.
    slaWarnings(services, reader),
    dueSurveys(services),
    ruleFills(services),
    dueRules(services, ruleReader(services))
  ]
}

/** All that happens by itself as time passes. Notifications, replies that wait and reports have loops of their own. */
export function timedWork(services: Services): TimedWork {
  return {
    due: [
      dueWaitingReplies(services),
      dueWaitingSideMessages(services),
      ...dueWork(services),
      dueNotifications(services),
      reportWork(services)
    ],
    readers: [
      slaReader(services),
      ruleReader(services),
      notificationReader(services),
      webhookReader(services),
      csatReader(),
      reportReader(services)
    ]
  }
}
