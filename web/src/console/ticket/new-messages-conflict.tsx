import { t } from '../../lib/strings.ts'
import { Button } from '../../ui/button.tsx'
import { StopPanel } from './stop-panel.tsx'
import type { Message } from './thread-types.ts'

interface NewMessagesConflictProps {
  messages: Message[]
  /** Continues writing; the new messages then count as seen. */
  onChange(): void
  onForce(): void
}

/** Shown if a reply was not sent because others had written meanwhile. */
export function NewMessagesConflict({ messages, onChange, onForce }: NewMessagesConflictProps) {
  const names = [...new Set(messages.map(({ first_name }) => first_name))]
  return (
    <StopPanel
      title={t('thread.stoppedTitle', { names: names.join(', '), count: names.length })}
      text={t('thread.stoppedText', { count: messages.length })}
      onLeave={onChange}
      actions={
        <>
          <Button variant="primary" onClick={onChange}>
            {t('thread.changeReply')}
          </Button>
          <Button onClick={onForce}>{t('thread.sendAnyway')}</Button>
        </>
      }
    />
  )
}
