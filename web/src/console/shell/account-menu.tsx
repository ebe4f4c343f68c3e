import { KeyRound, LogOut, Plane, Settings, UserCheck } from 'lucide-react'
import { useState } from 'react'
import { chooseTheme, chosenTheme, type Theme } from '../../app/appearance.ts'
import { languageOptions } from '../../app/language-options.ts'
import { useMe } from '../../app/me.ts'
import { signOut } from '../../app/session.ts'
import { language, t } from '../../lib/strings.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { endOfAway } from '../away.ts'
import { useNavigate } from '../navigation.ts'

const comeBack = async () => (await import('../account/set-away.ts')).comeBack()

/** The menu of the signed-in person. */
export function AccountMenu() {
  const me = useMe()
  const items = useAccountItems()
  return (
    <Menu
      items={items}
      trigger={trigger => (
        <button {...trigger} type="button" className="nav-account">
          <Avatar person={{ id: me.id, name: me.name, kind: 'staff' }} size={22} />
          <span className="label cut" aria-hidden>
            <bdi>{me.name}</bdi>
          </span>
          <span className="visually-hidden">{t('console.accountOf', { name: me.name })}</span>
        </button>
      )}
    />
  )
}

/** The items of that menu; on phones they are in the menu "More". */
export function useAccountItems(): MenuItem[] {
  const navigate = useNavigate()
  const [theme, setTheme] = useState(chosenTheme)
  const { profile } = useMe()
  const isAway = 'away_until' in profile && endOfAway(profile.away_until) !== undefined
  const themes: [Theme, string][] = [
    ['system', t('ui.themeSystem')],
    ['light', t('ui.themeLight')],
    ['dark', t('ui.themeDark')]
  ]
  return [
    { label: t('console.account'), icon: KeyRound, onSelect: () => void navigate({ to: '/account' }) },
    {
      label: t('console.yourSettings'),
      icon: Settings,
      onSelect: () => void navigate({ to: '/account', search: { part: 'browser' } })
    },
    {
      label: t(isAway ? 'console.iAmBack' : 'console.away'),
      icon: isAway ? UserCheck : Plane,
      onSelect: () => (isAway ? void comeBack() : void navigate({ to: '/account', search: { part: 'away' } }))
    },
    { kind: 'separator' },
    ...themes.map(([own, label]) => ({
      label,
      kind: 'checkbox' as const,
      checked: own === theme,
      onSelect: () => {
        chooseTheme(own)
        setTheme(own)
      }
    })),
    { kind: 'separator' },
    ...languageOptions.map(({ value, label }) => ({
      label,
      kind: 'checkbox' as const,
      checked: value === language,
      onSelect: () => void import('../../app/appearance-choice.tsx').then(own => own.chooseOwnLanguage(value))
    })),
    { kind: 'separator' },
    { label: t('console.signOut'), icon: LogOut, onSelect: () => void signOut() }
  ]
}
