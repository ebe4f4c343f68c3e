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

/** The sheet of shortcuts that work on this page, from the same registry. */
export function ShortcutsSheet({ onClose }: { onClose: () => void }) {
  const shortcuts = useShortcuts()
  const singleKeys = useSingleKeys()
  const byGroup = Object.groupBy(working(shortcuts), ({ group }) => group)
  return (
    <Dialog title={t('clients.shortcuts')} open onClose={onClose} size={860}>
      <Switch label={t('clients.singleKeys')} checked={singleKeys} onChange={setSingleKeys} />
      <div className={styles.groups}>
        {(Object.keys(groups) as ShortcutGroup[]).map(group => {
          const lines = Object.entries(Object.groupBy(byGroup[group] ?? [], ({ label }) => label))
          return (
            lines.length > 0 && (
              <section key={group}>
                <h3>{t(groups[group])}</h3>
                <dl>
                  {lines.map(([label, same = []]) => (
                    <div key={label}>
                      <dt>{label}</dt>
                      <dd>
                        {[...new Set(same.map(({ key }) => key))].map(key => (
                          <span key={key} className={styles.pressed} data-shortcut={key}>
                            <Pressed shortcut={key} />
                          </span>
                        ))}
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

/** Of several with the same key the last one works, unless a field handles the key itself. */
function working(shortcuts: Shortcut[]): Shortcut[] {
  const last = new Map(shortcuts.filter(({ handler }) => handler).map(shortcut => [shortcut.key, shortcut]))
  return shortcuts.filter(shortcut => !shortcut.handler || last.get(shortcut.key) === shortcut)
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
