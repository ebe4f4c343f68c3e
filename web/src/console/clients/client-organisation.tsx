import { Building2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { lazyPart } from '../../app/lazy-part.ts'
import { useMe } from '../../app/me.ts'
import { nameOf } from '../../lib/person-name.ts'
import { t } from '../../lib/strings.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Link } from '../navigation.ts'
import styles from './client.module.css'
import type { ClientDetail } from './client-detail.ts'

const MembershipDialog = lazyPart(async () => ({
  default: (await import('../organisations/membership-dialog.tsx')).MembershipDialog
}))

/** The organisation to which a client belongs, and the role; admins change it. */
export function ClientOrganisation({ client }: { client: ClientDetail }) {
  const { isAdmin } = useMe()
  const [isAsked, setAsked] = useState(false)
  const { organisation, organisation_role } = client
  if (!organisation && !isAdmin) return null
  return (
    <section className={styles.factCard}>
      <h2>{t('clients.organisation')}</h2>
      <div className={styles.fact}>
        <Building2 size={14} aria-hidden />
        <span>
          {organisation ? (
            isAdmin ? (
              <Link to="/organisations/$id" params={{ id: String(organisation.id) }} className="link">
                <bdi>{organisation.name}</bdi>
              </Link>
            ) : (
              <bdi>{organisation.name}</bdi>
            )
          ) : (
            <span className="muted">{t('clients.noOrganisation')}</span>
          )}
          {organisation_role === 'manager' && <Badge>{t('clients.manager')}</Badge>}
        </span>
      </div>
      {isAdmin && (
        <Button block onClick={() => setAsked(true)}>
          {t('clients.changeOrganisation')}
        </Button>
      )}
      {isAsked && (
        <Suspense>
          <MembershipDialog client={{ ...client, name: nameOf(client) }} onClose={() => setAsked(false)} />
        </Suspense>
      )}
    </section>
  )
}
