import { useEffect, useState } from 'react'
import { t } from '../../lib/strings.ts'
import { useParams } from '../../router/react.tsx'
import { announce } from '../../ui/announce.ts'
import { useShortcut } from '../../ui/shortcuts.ts'
import { useNavigate } from '../navigation.ts'
import { useSecondsLeft, useWaitingReplies, type WaitingReply } from '../waiting.ts'
import { focusReply, sendNow, takeBack } from '../waiting-replies.ts'

/** Above the composer, until a reply goes: to whom, when, and the way to take it back. The last one is shown if there are more. */
export function SendWindow() {
  const replies = useWaitingReplies()
  const last = replies.at(-1)
  return last && <LastReply key={`${last.isAside} ${last.messageId}`} reply={last} others={replies.length - 1} />
}

const circumference = 2 * Math.PI * 7

function LastReply({ reply, others }: { reply: WaitingReply; others: number }) {
  const { names, number, goesAt } = reply
  const left = useSecondsLeft(goesAt)
  const [total] = useState(() => Math.max(1, left))
  const navigate = useNavigate()
  const { view = 'all', ticket } = useParams<{ view?: string; ticket?: string }>()
  const isElsewhere = ticket?.toUpperCase() !== number

  // biome-ignore lint/correctness/useExhaustiveDependencies: it is said once, not with each second.
  useEffect(() => announce(t('thread.goesOutIn', { seconds: total })), [])

  async function undo() {
    if (!(await takeBack(reply))) return
    announce(t('thread.takenBack'))
    if (isElsewhere) await navigate({ to: '/$view/$ticket', params: { view, ticket: number }, search: true })
    if (!reply.isAside) focusReply()
  }
  useShortcut('z', t('thread.keyUndoSend'), () => void undo(), { group: 'ticket' })

  const words = t('thread.goesTo', { names, seconds: left, number, place: isElsewhere ? 'other' : 'here', others })
  return (
    <section className="toast send-window" aria-label={t('thread.waitingReply')}>
      <svg width={18} height={18} viewBox="0 0 18 18" aria-hidden>
        <circle cx={9} cy={9} r={7} />
        <circle cx={9} cy={9} r={7} strokeDasharray={`${(circumference * left) / total} ${circumference}`} />
      </svg>
      <span className="words">{words}</span>
      <button type="button" onClick={() => void undo()} data-tip={t('ui.undo')} data-tip-keys="Z">
        {t('ui.undo')}
      </button>
      <button type="button" onClick={() => void sendNow(reply)}>
        {t('thread.sendNow')}
      </button>
    </section>
  )
}
