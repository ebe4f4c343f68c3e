import { ALargeSmall, AtSign, BookOpen, MessageSquareText } from 'lucide-react'
import type { OpenDraft } from '../../app/use-draft.ts'
import { t } from '../../lib/strings.ts'
import { instantOf, timeInText } from '../../lib/times.ts'
import { FilePicker } from '../../ui/attachments.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { type SendChoice, setFormatBar, useHasFormatBar, useWritesPlain } from '../preferences.ts'
import styles from './composer.module.css'
import { SendButton } from './send-button.tsx'
import type { MessageKind } from './send-message.ts'
import type { Ticket } from './thread-types.ts'
import type { KeptDraft } from './use-kept-draft.ts'
import type { SendState } from './use-send.ts'

interface ComposerFootProps {
  kind: MessageKind
  ticket: Ticket
  draft: OpenDraft
  kept: KeptDraft
  state: SendState
  choice: SendChoice
  isEmpty: boolean
  /** A macro without a text is to be applied. */
  isMacroAlone: boolean
  reason: string | undefined
  onChoose(changed: Partial<SendChoice>): void
  onSend(changed: Partial<SendChoice>): void
  onFiles(files: File[]): void
  onCancel(): void
  /** Opens the list of macros or of colleagues. */
  onList(): void
  /** Opens the search for an article. */
  onArticles(): void
  /** Leads back to the text. */
  onText(): void
}

/** The foot of the composer: what to insert, the state of the draft, and the send button. */
export function ComposerFoot(props: ComposerFootProps) {
  const { kind, ticket, draft, kept, state, choice, isEmpty, isMacroAlone, reason } = props
  const { onChoose, onSend, onFiles, onCancel, onList, onArticles, onText } = props
  const isBusy = state.type === 'busy'
  const hasBar = useHasFormatBar()
  const isPlain = useWritesPlain()
  return (
    <div className={styles.foot}>
      <FilePicker onFiles={onFiles} disabled={isBusy} />
      {kind === 'note' ? (
        <IconButton icon={AtSign} label={t('thread.mention')} shortcut="@" onClick={onList} disabled={isBusy} />
      ) : (
        <IconButton
          icon={MessageSquareText}
          label={t('thread.insertCanned')}
          shortcut="/"
          onClick={onList}
          disabled={isBusy}
        />
      )}
      <IconButton icon={BookOpen} label={t('thread.insertArticle')} onClick={onArticles} disabled={isBusy} />
      {!isPlain && (
        <IconButton
          icon={ALargeSmall}
          label={t('thread.formatting')}
          pressed={hasBar}
          onClick={() => {
            setFormatBar(!hasBar)
            onText()
          }}
        />
      )}
      <span className={reason ? `${styles.saved} ${styles.reason}` : styles.saved}>
        {reason ?? savedText(draft.state, kept)}
      </span>
      {isBusy && draft.draft.files.length > 0 && (
        <Button variant="quiet" onClick={onCancel}>
          {t('thread.cancelUpload')}
        </Button>
      )}
      <SendButton
        kind={kind}
        choice={choice}
        onChoose={onChoose}
        onSend={onSend}
        ticket={ticket}
        isBusy={isBusy}
        isEmpty={isEmpty}
        isMacroAlone={isMacroAlone}
        isStopped={reason !== undefined}
      />
    </div>
  )
}

function savedText(state: OpenDraft['state'], { cameAt, isKept }: KeptDraft): string {
  if (state === 'saved' && cameAt) return t('thread.fromOtherMachine', { time: timeInText(instantOf(cameAt)) })
  if (state === 'saved') return t(isKept ? 'thread.draftSaved' : 'thread.savedHere')
  return state === 'failed' ? t('thread.draftNotSaved') : ''
}
