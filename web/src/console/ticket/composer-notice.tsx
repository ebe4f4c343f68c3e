import { DesklineError } from '@deskline/client'
import { RotateCw } from 'lucide-react'
import { failureText } from '../../app/failures.ts'
import type { OpenDraft } from '../../app/use-draft.ts'
import { nameOf } from '../../lib/person-name.ts'
import { t } from '../../lib/strings.ts'
import { instantOf, timeInText } from '../../lib/times.ts'
import { Banner } from '../../ui/banner.tsx'
import { statusLabel } from '../../ui/status-icon.tsx'
import { actorText } from '../actor-text.ts'
import styles from './composer.module.css'
import type { MessageKind } from './send-message.ts'
import type { Detail } from './thread-types.ts'
import type { KeptDraft } from './use-kept-draft.ts'
import type { SendState } from './use-send.ts'

interface ComposerNoticeProps {
  state: SendState
  draft: OpenDraft
  kind: MessageKind
  detail: Detail
  kept: KeptDraft
  onAgain(): void
  onForce(): void
}

/** A notice in the composer before sending: one sentence, one button. */
export function ComposerNotice({ state, draft, kind, detail, kept, onAgain, onForce }: ComposerNoticeProps) {
  const notice = noticeOf()
  return notice && <div className={styles.notice}>{notice}</div>

  function noticeOf() {
    if (state.type === 'refused') {
      return (
        <Banner tone="bad" action={{ label: t('thread.sendAgain'), icon: RotateCw, onClick: onAgain }}>
          {refusalText(state.error, draft.draft.files.length > 0)}
        </Banner>
      )
    }
    if (state.type === 'arrived') return <Banner tone="warn">{t('thread.hadArrived')}</Banner>
    if (state.type === 'changed') {
      return (
        <Banner tone="warn" action={{ label: t('thread.sendAllTheSame'), onClick: onForce }}>
          {changedText(detail)}
        </Banner>
      )
    }
    if (kept.other) {
      const time = timeInText(instantOf(kept.other.at))
      return (
        <Banner action={{ label: t('thread.showOtherText'), onClick: kept.swap }}>
          {t('thread.changedElsewhere', { time })}
        </Banner>
      )
    }
    if (!draft.isFromOtherTab) return undefined
    const isSent = draft.state === 'empty'
    return <Banner>{isSent ? t('thread.sentInOtherTab', { kind }) : t('thread.newerInOtherTab')}</Banner>
  }
}

/** The message says what happened, what is safe and what to do. */
function refusalText(error: unknown, hasFiles: boolean): string {
  const kept = hasFiles ? t('thread.textAndFilesKept') : t('thread.textKept')
  const isUnanswered = error instanceof DesklineError && error.reason === 'network_error'
  return `${isUnanswered ? t('thread.notSentConnection') : t('thread.notSentBecause', { cause: failureText(error) })} ${kept}`
}

/** "Jonas closed this ticket a moment ago" */
function changedText({ ticket, events }: Detail): string {
  const last = events.findLast(({ kind }) => kind === 'ticket.status_changed' || kind === 'ticket.assigned')
  const name = last ? actorText(last, 'thread.byToken') : t('thread.aColleague')
  if (last?.kind === 'ticket.assigned') {
    return ticket.assignee
      ? t('thread.nowAssigned', { name, whom: nameOf(ticket.assignee) })
      : t('thread.nowFreed', { name })
  }
  return t('thread.nowStatus', { name, status: statusLabel(ticket.status) })
}
