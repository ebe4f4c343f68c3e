import { useCallback, useMemo } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { useMe } from '../../app/me.ts'
import { nameOf } from '../../lib/person-name.ts'
import { t } from '../../lib/strings.ts'
import type { Target } from '../addresses.ts'
import { pageAccess } from '../page-access.ts'
import { overviewPlace, placeGroups } from './places.ts'
import { scoreOf } from './search-score.ts'
import { settingEntries } from './settings-registry.ts'

/** A page, a setting or a definition that the search of the administration finds. */
export interface AdminHit {
  id: string
  title: string
  /** "Business hours › Berlin office" */
  path: string
  target: Target
}

type Entry = AdminHit & { words: string }

/** What matches these words, best first: pages, settings, and what people have named themselves. */
export function useAdminHits(typed: string): AdminHit[] {
  const isSearching = typed.trim() !== ''
  const entries = useEntries(isSearching)
  return useMemo(
    () =>
      entries()
        .map(entry => ({ entry, score: scoreOf(typed, entry.title, `${entry.path} ${entry.words}`) }))
        .filter(({ score }) => score > 0)
        .sort((one, other) => other.score - one.score)
        .map(({ entry }) => entry),
    [entries, typed]
  )
}

/** The definitions are loaded with the first letter. */
function useEntries(isSearching: boolean): () => Entry[] {
  const me = useMe()
  const isFor = (page: keyof typeof pageAccess) => ({ enabled: isSearching && pageAccess[page](me) })
  const departments = useApiQuery('/api/admin/departments/list', { limit: 1000 }, isFor('departments')).data
  const tags = useApiQuery('/api/admin/tags/list', { limit: 1000 }, isFor('tags')).data
  const webhooks = useApiQuery('/api/admin/webhooks/list', {}, isFor('admins')).data
  const calendars = useApiQuery('/api/admin/calendars/list', {}, isFor('admins')).data
  const fields = useApiQuery('/api/admin/fields/list', undefined, isFor('admins')).data
  const forms = useApiQuery('/api/admin/ticket-forms/list', undefined, isFor('admins')).data
  const policies = useApiQuery('/api/admin/sla-policies/list', {}, isFor('admins')).data
  const rules = useApiQuery('/api/admin/rules/list', {}, isFor('admins')).data
  const programs = useApiQuery('/api/admin/service-accounts/list', {}, isFor('admins')).data
  const tokens = useApiQuery('/api/admin/tokens/list', {}, isFor('admins')).data
  const templates = useApiQuery('/api/admin/email-templates/list', {}, isFor('admins')).data
  // Their titles are looked up when they are searched: before, the strings may not be there.
  return useCallback(() => {
    if (!isSearching) return []
    const desk = t('admin.administration')
    const pages = [overviewPlace, ...placeGroups.flatMap(({ places }) => places)].filter(({ isFor }) => isFor(me))
    const named = (id: string, title: string, page: string, target: Target): Entry => ({
      id,
      title,
      path: page,
      target,
      words: ''
    })
    return [
      ...pages.map(({ to, label, words }) => ({ id: to, title: t(label), path: desk, target: { to }, words })),
      ...settingEntries
        .map(([name, { page, title, hint }]) => ({ name, title, hint, on: pages.find(({ to }) => to === page) }))
        .flatMap(({ name, title, hint, on }) =>
          on
            ? [
                {
                  id: `setting ${name}`,
                  title: t(title),
                  path: t(on.label),
                  target: { to: on.to, search: { setting: name } },
                  words: hint ? t(hint) : ''
                }
              ]
            : []
        ),
      ...(departments?.departments ?? []).map(({ id, name }) =>
        named(`department ${id}`, name, t('admin.departments'), { to: '/departments' })
      ),
      ...(tags?.tags ?? []).map(({ id, name }) => named(`tag ${id}`, name, t('admin.tags'), { to: '/tags' })),
      ...(calendars?.calendars ?? []).flatMap(({ id, name, is_always, is_archived }) => {
        const target: Target = { to: '/hours/$calendarId', params: { calendarId: String(id) } }
        if (is_archived) return []
        const days = named(`days ${id}`, t('admin.days'), `${t('admin.hours')} › ${name}`, target)
        const own = named(`calendar ${id}`, name, t('admin.hours'), target)
        return is_always ? [own] : [own, { ...days, words: 'holidays special days Feiertage besondere Tage' }]
      }),
      ...(fields?.fields ?? [])
        .filter(({ is_archived }) => !is_archived)
        .map(({ id, label }) => named(`field ${id}`, label, t('admin.fields'), { to: '/fields' })),
      ...(forms?.forms ?? [])
        .filter(({ is_archived }) => !is_archived)
        .map(({ id, name }) =>
          named(`form ${id}`, name, t('admin.forms'), { to: '/forms/$formId', params: { formId: String(id) } })
        ),
      ...(policies?.policies ?? [])
        .filter(({ is_archived }) => !is_archived)
        .map(({ id, name }) =>
          named(`policy ${id}`, name, t('admin.sla'), { to: '/sla/$policyId', params: { policyId: String(id) } })
        ),
      ...(rules?.rules ?? []).map(({ id, name }) =>
        named(`rule ${id}`, name, t('admin.rules'), { to: '/rules/$ruleId', params: { ruleId: String(id) } })
      ),
      ...(webhooks?.webhooks ?? []).map(({ id, url }) =>
        named(`webhook ${id}`, url, t('admin.webhooks'), {
          to: '/webhooks/$webhookId',
          params: { webhookId: String(id) }
        })
      ),
      ...(programs?.service_accounts ?? []).map(({ id, name, purpose }) => ({
        ...named(`program ${id}`, name, `${t('admin.api')} › ${t('admin.api.accounts')}`, {
          to: '/api-access/$accountId',
          params: { accountId: String(id) }
        }),
        words: purpose ?? ''
      })),
      ...(tokens?.api_tokens ?? []).map(({ id, name, owner }) =>
        named(
          `token ${id}`,
          name,
          `${t('admin.api')} › ${nameOf(owner)}`,
          owner.is_service_account
            ? { to: '/api-access/$accountId', params: { accountId: String(owner.id) } }
            : { to: '/api-access' }
        )
      ),
      ...(templates?.templates ?? []).map(({ name }) =>
        named(`template ${name}`, t(`admin.template.title.${name}`), t('admin.emailTexts'), {
          to: '/settings/email-templates/$name',
          params: { name }
        })
      )
    ]
  }, [
    isSearching,
    me,
    departments,
    tags,
    calendars,
    fields,
    forms,
    policies,
    rules,
    webhooks,
    programs,
    tokens,
    templates
  ])
}
