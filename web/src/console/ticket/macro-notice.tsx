import { X, Zap } from 'lucide-react'
import { useMe } from '../../app/me.ts'
import { t } from '../../lib/strings.ts'
import { Banner } from '../../ui/banner.tsx'
import { type ChosenMacro, changeInWords, changesInWords, type MacroAction } from './chosen-macro.ts'
import styles from './composer.module.css'
import type { Detail } from './thread-types.ts'
import { useTicketColleagues } from './ticket-colleagues.ts'

interface MacroNoticeProps {
  macro: ChosenMacro
  detail: Detail
  /** Leaves one of its changes out. */
  onLeaveOut?: ((action: MacroAction) => void) | undefined
  /** Leaves its changes out, and keeps the text. */
  onTextOnly?: (() => void) | undefined
  onTakeOut?: (() => void) | undefined
}

/** What the chosen macro is going to change with the reply, and the ways to leave that out. */
export function MacroNotice({ macro, detail, onLeaveOut, onTextOnly, onTakeOut }: MacroNoticeProps) {
  const me = useMe()
  const colleagues = useTicketColleagues(detail)
  const changes = changesInWords(macro, colleagues, me.id)
  const skipped = macro.results.flatMap(({ why }) => why ?? [])
  const done = macro.results.filter(({ outcome }) => outcome === 'done')
  // Those of a kind go together.
  const kinds = [...Map.groupBy(done, ({ action }) => action)]
  return (
    <div className={styles.notice}>
      <Banner
        icon={Zap}
        second={onTextOnly && { label: t('thread.macroTextOnly'), onClick: onTextOnly }}
        action={onTakeOut && { label: t('thread.macroTakeOut'), onClick: onTakeOut }}
      >
        {changes
          ? t('thread.macroAlso', { name: macro.name, changes })
          : t('thread.macroNothing', { name: macro.name })}
        {skipped.length > 0 && ` ${t('thread.macroSkipped', { count: skipped.length })}`}
        {onLeaveOut && kinds.length > 1 && (
          <span className={styles.leaveOut}>
            {kinds.map(([action, results]) => {
              const change = results.map(result => changeInWords(result, colleagues, me.id)).join(', ')
              return (
                <button key={action} type="button" className="chip on" onClick={() => onLeaveOut(action)}>
                  <span className="visually-hidden">{t('thread.macroLeaveOut', { change })}</span>
                  <span aria-hidden>{change}</span>
                  <X size={12} aria-hidden />
                </button>
              )
            })}
          </span>
        )}
      </Banner>
    </div>
  )
}
