import { LogOut, Menu as MenuIcon } from 'lucide-react'
import { useMaybeMe } from '../../app/me.ts'
import { signOut } from '../../app/session.ts'
import { t } from '../../lib/strings.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { useNavigate } from '../navigation.ts'

/** The menu of the signed-in person. On phones it also contains the links of the navigation. */
export function AccountMenu() {
  const me = useMaybeMe()
  const navigate = useNavigate()
  if (!me) return null
  const items: MenuItem[] = [
    { label: t('portal-shell.newTicket'), onSelect: () => void navigate({ to: '/new' }) },
    { label: t('portal-shell.account'), onSelect: () => void navigate({ to: '/account' }) },
    { kind: 'separator' },
    { label: t('portal-shell.signOut'), icon: LogOut, onSelect: () => void signOut() }
  ]
  return (
    <Menu
      align="end"
      items={items}
      trigger={trigger => (
        <button {...trigger} type="button" className="portal-account">
          <span className="visually-hidden">{t('portal-shell.accountOf', { name: me.name })}</span>
          <span className="wide">
            <Avatar person={{ id: me.id, name: me.name, kind: 'client' }} />
          </span>
          <span className="narrow">
            <MenuIcon size={20} aria-hidden />
          </span>
        </button>
      )}
    />
  )
}
