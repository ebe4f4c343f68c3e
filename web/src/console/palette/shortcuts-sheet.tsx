import { t } from '../../lib/strings.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Switch } from '../../ui/form-controls.tsx'
import { Keys } from '../../ui/kbd.tsx'
import {
  type Shortcut,
  type ShortcutGroup,
  setSingleKeys,
  shownShortcut,
  useShortcuts,
  useSingleKeys
} from '../../ui/shortcuts.ts'
import styles from './shortcuts-sheet.module.css'

const groups: Record<ShortcutGroup, Parameters<typeof t>[0]> = {
  everywhere: 'clients.groupEverywhere',
  list: 'clients.groupList',
  goTo: 'clients.paletteGoTo',
  ticket: 'clients.groupTicket',
  writing: 'clients.groupWriting'
}

/** The keys that there are on this page, from the registry that also makes them work. */
export function ShortcutsSheet({ onClose }: { onClose: () => void }) {
  const shortcuts = useShortcuts()
  const singleKeys = useSingleKeys()
  const byGroup = Object.groupBy(shortcuts, ({ group }) => group)
  return (
    <Dialog title={t('clients.shortcuts')} open onClose={onClose} size={860}>
      <Switch label={t('clients.singleKeys')} checked={singleKeys} onChange={setSingleKeys} />
      <div className={styles.groups}>
        {(Object.keys(groups) as ShortcutGroup[]).map(group => {
          const lines = onePerLabel(byGroup[group] ?? [])
          return (
            lines.length > 0 && (
              <section key={group}>
                <h3>{t(groups[group])}</h3>
                <dl>
                  {lines.map(({ label, key }) => (
                    <div key={label}>
                      <dt>{label}</dt>
                      <dd>
                        <Pressed shortcut={key} />
                      </dd>
                    </div>
                  ))}
                </dl>
              </section>
            )
          )
        })}
      </div>
    </Dialog>
  )
}

/** `g m` is one key after the other, `Shift x` both together. */
function Pressed({ shortcut }: { shortcut: string }) {
  const [first, second] = shortcut.split(' ')
  const isSequence = second !== undefined && first!.length === 1
  if (!isSequence) return <Keys keys={shownShortcut(shortcut)} />
  return (
    <>
      <Keys keys={shownShortcut(first!)} /> <span>{t('clients.then')}</span> <Keys keys={shownShortcut(second)} />
    </>
  )
}

/** Several parts of a page may have the same key for the same thing. */
function onePerLabel(shortcuts: Shortcut[]): Shortcut[] {
  return [...new Map(shortcuts.map(shortcut => [shortcut.label, shortcut])).values()]
}
