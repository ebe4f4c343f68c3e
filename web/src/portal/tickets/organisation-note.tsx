import { loadStrings, t } from '../../lib/strings.ts'

await loadStrings('portal-organisation')

/** Who else reads a new ticket of somebody in an organisation. */
export function OrganisationNote({ name }: { name: string }) {
  return <p className="muted">{t('portal-organisation.readBy', { name })}</p>
}
